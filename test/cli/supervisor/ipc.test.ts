import { suite } from "uvu";
import * as assert from "uvu/assert";
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
  assert.not(isSupervisorMessage("query", { kind: "query", id: 1 }));
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

test.run();
