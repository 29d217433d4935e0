import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createQueryClients } from "../../../src/cli/query-worker/client.ts";
import type { SupervisorMessage, WorkerMessage } from "../../../src/cli/supervisor/messages.ts";

const test = suite("queries of the console through a worker");

/** Runs a client whose workers are events only. */
const startClient = () => {
  const workers: {
    readonly child: EventEmitter;
    readonly queries: SupervisorMessage<"query">[];
    say(message: WorkerMessage<"query">): void;
  }[] = [];
  const client = createQueryClients((onMessage) => {
    const queries: SupervisorMessage<"query">[] = [];
    const child = Object.assign(new EventEmitter(), { kill: () => true });
    const say = (message: WorkerMessage<"query">) =>
      onMessage(message, (query) => void queries.push(query));
    workers.push({ child, queries, say });
    return child as EventEmitter as ChildProcess;
  });
  return { client, workers };
};

const generations = { name: "generations" } as const;
const failureOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => "answered",
    ({ message }) => message,
  );

test("each query is sent when the worker listens, and gets the answer of its own id", async () => {
  const { client, workers } = startClient();
  const first = client.ask(generations);
  const second = client.ask({ name: "deadLetter", sequence: 7 });
  const [worker] = workers;
  assert.equal(worker?.queries, []);
  worker?.say({ kind: "listening" });
  assert.equal(worker?.queries, [
    { kind: "query", id: 1, query: generations },
    { kind: "query", id: 2, query: { name: "deadLetter", sequence: 7 } },
  ]);
  worker?.say({ kind: "answer", id: 99, json: "no query has this id" });
  worker?.say({ kind: "answer", id: 2, json: undefined });
  worker?.say({ kind: "queryError", id: 1, code: "no_model", message: "no model", hint: "" });
  assert.is(await second, undefined);
  assert.is(await failureOf(first), "no model");
  assert.is(workers.length, 1);
  client.close();
});

test("an explanation has a worker of its own", async () => {
  const { client, workers } = startClient();
  const answers = [client.ask({ name: "explain", subject: "settings" }), client.ask(generations)];
  assert.is(workers.length, 2);
  client.close();
  await Promise.all(answers.map(failureOf));
});

test("the seventeenth query that waits is refused", async () => {
  const { client, workers } = startClient();
  const waiting = Array.from({ length: 16 }, () => client.ask(generations));
  assert.is(await failureOf(client.ask(generations)), "too many queries wait for an answer");
  workers[0]?.say({ kind: "answer", id: 16, json: "[]" });
  assert.is(await waiting[15], "[]");
  const failures = Promise.all([...waiting.slice(0, 15), client.ask(generations)].map(failureOf));
  client.close();
  assert.equal(await failures, Array(16).fill("the service ends"));
});

test("the queries of a worker that ends fail, and the next query starts another worker", async () => {
  const { client, workers } = startClient();
  const lost = client.ask(generations);
  workers[0]?.say({ kind: "listening" });
  workers[0]?.child.emit("exit", null, "SIGKILL");
  assert.is(await failureOf(lost), "the process that ran the query ended (killed by SIGKILL)");
  const answered = client.ask(generations);
  workers[0]?.say({ kind: "listening" });
  assert.is(workers[0]?.queries.length, 1, "the ended worker gets no further query");
  workers[1]?.say({ kind: "listening" });
  workers[1]?.say({ kind: "answer", id: 2, json: "[]" });
  assert.is(await answered, "[]");
  client.close();
});

test.run();
