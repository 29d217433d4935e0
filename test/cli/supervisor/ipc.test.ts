import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startProcess } from "../../../src/cli/supervisor/fork.ts";
import type {
  StartMessage,
  SupervisorMessage,
  WorkerMessage,
} from "../../../src/cli/supervisor/messages.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";

const test = suite("messages between the supervisor and its processes");

test("a process of another build is killed and gets no start message", async () => {
  const home = temporaryDirectory();
  const program = join(home.path, "main.mjs");
  writeFileSync(
    program,
    `process.on("message", () => process.send({ kind: "answer", id: 1, json: "{}" }));
     process.send({ kind: "hello", build: "another" });`,
  );
  const messages: WorkerMessage<"query">[] = [];
  const start = { name: "query" } as StartMessage<"query">;
  const child = startProcess("query", start, (message) => void messages.push(message), program);
  const [, signal] = await once(child, "exit");
  assert.is(signal, "SIGKILL");
  assert.is(messages.length, 1);
  assert.match(JSON.stringify(messages), "main.mjs was replaced by another build");
  home.remove();
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
