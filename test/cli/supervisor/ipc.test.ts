import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createPendingRequests } from "../../../src/cli/query-worker/pending-requests.ts";
import type { QueryResult } from "../../../src/cli/query-worker/protocol.ts";
import {
  isSupervisorMessage,
  isWorkerMessage,
} from "../../../src/cli/supervisor/message-guards.ts";
import type { SupervisorMessage } from "../../../src/cli/supervisor/messages.ts";

const test = suite("messages between the supervisor and its processes");

test("a message of a process counts when its role sends such messages and its members are there", () => {
  assert.ok(isWorkerMessage("http", { kind: "listening" }));
  assert.ok(isWorkerMessage("http", { kind: "serving", generation: null }));
  assert.ok(isWorkerMessage("projector", { kind: "status", status: {} }));
  assert.not(isWorkerMessage("http", { kind: "status", status: {} }));
  assert.not(isWorkerMessage("projector", { kind: "listening" }));
  for (const message of [
    undefined,
    null,
    "listening",
    {},
    { kind: "toString" },
    { kind: "serving" },
    { kind: "count", clients: 1 },
    { kind: "metrics", metrics: null },
    { kind: "fatal", code: "no code of ours", message: "", hint: "" },
  ])
    assert.not(isWorkerMessage("http", message), JSON.stringify(message));
});

test("a process handles the messages of one kind only", () => {
  assert.ok(isSupervisorMessage("age", { kind: "age", seconds: 1 }));
  assert.not(isSupervisorMessage("counted", { kind: "age", seconds: 1 }));
  assert.not(isSupervisorMessage("age", { kind: "age", seconds: "1" }));
  assert.not(isSupervisorMessage("query", { kind: "query", id: 1, query: "explain" }));
});

test("the types let the supervisor send each role its own messages only", () => {
  const age = { kind: "age", seconds: 1 } as const;
  const toHttp: SupervisorMessage<"http"> = age;
  // @ts-expect-error The query worker receives queries.
  const toQueryWorker: SupervisorMessage<"query"> = age;
  // @ts-expect-error The projector receives no message after its start.
  const toProjector: SupervisorMessage<"projector"> = age;
  assert.ok([toHttp, toQueryWorker, toProjector].every((message) => message === age));
});

test("each query gets the result of its own id and name", async () => {
  const pending = createPendingRequests(60_000, () => undefined);
  const explain = pending.add("explain", { subject: "product/1" });
  const generations = pending.add("generations", {});
  // @ts-expect-error A query is explained by its subject.
  const wrong = () => pending.add("explain", { sequence: 1 });
  assert.type(wrong, "function");
  assert.is(pending.size(), 2);
  const reply = (id: number, result: never[]): QueryResult<"generations"> => ({
    kind: "result",
    id,
    query: "generations",
    result,
  });
  pending.resolve(reply(generations.request.id, []));
  assert.equal(await generations.result, []);
  assert.equal(pending.all(), [explain.request]);
  pending.resolve(reply(99, []));
  pending.rejectAll(new Error("closed"));
  assert.is(await explain.result.catch(({ message }) => message), "closed");
  assert.is(pending.size(), 0);
});

test.run();
