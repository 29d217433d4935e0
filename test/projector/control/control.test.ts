import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import { unavailableLog } from "../../../src/event-log/event-log.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { createLogger } from "../../../src/log.ts";
import { currentProcess } from "../../../src/platform/process-identity.ts";
import type { ProjectorContext } from "../../../src/projector/context.ts";
import { sendRequest } from "../../../src/projector/control/client.ts";
import type { ControlResults } from "../../../src/projector/control/execute.ts";
import { type ControlRequest, hasPendingRequest } from "../../../src/projector/control/request.ts";
import { serveRequestsBeforeLog } from "../../../src/projector/control/serve-before-log.ts";
import {
  failInterruptedRequests,
  type TakenRequest,
  takeRequest,
} from "../../../src/projector/control/server.ts";
import { createStatusTracker } from "../../../src/projector/status/status-tracker.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { startProjector } from "../../helpers/projector.ts";

const test = suite("control requests");
const attended = () => Promise.resolve(true);
const unattended = () => Promise.resolve(false);
const never = new AbortController().signal;
const rollback = { kind: "rollback" } as const;
const swapped: ControlResults["rollback"] = { generation: "0001", previous: "0002" };

const taken = async (directory: string): Promise<TakenRequest> => {
  for (;;) {
    const request = takeRequest(directory);
    if (request) return request;
    await delay(5);
  }
};

const refused = (sent: Promise<unknown>): Promise<VitrineError> =>
  sent.then(
    () => assert.unreachable("it was not refused"),
    (error: unknown) => error as VitrineError,
  ) as Promise<VitrineError>;

test("the result of a request reaches its sender, and no file is left", async () => {
  const directory = temporaryDirectory();
  const request = { kind: "retry", sequences: [4, 9] } as const;
  const sent = sendRequest(directory.path, request, attended, never);
  const { request: got, done } = await taken(directory.path);
  assert.equal(got, request);
  const report: ControlResults["retry"] = { retried: [], refused: [] };
  done(report);
  assert.equal(await sent, report);
  assert.equal(readdirSync(join(directory.path, "requests")), []);
  directory.remove();
});

test("a result of another kind is an error, not a wrong answer", async () => {
  const directory = temporaryDirectory();
  const results = { adopt: null, rollback: { generation: "1" }, retry: swapped, discard: "all" };
  for (const [kind, result] of Object.entries(results)) {
    const request = { kind, scratch: "", sequences: null } as ControlRequest;
    const sent = refused(sendRequest(directory.path, request, attended, never));
    (await taken(directory.path)).done(result);
    assert.match(
      (await sent).message,
      `executed the request ${kind}, and its answer cannot be read`,
    );
  }
  directory.remove();
});

test("a rejected request has an error code and a hint", async () => {
  const directory = temporaryDirectory();
  const sent = refused(sendRequest(directory.path, rollback, attended, never));
  (await taken(directory.path)).failed(new VitrineError("usage", "there is none", "make one"));
  const { code, message, hint } = await sent;
  assert.equal(
    { code, message, hint },
    { code: "usage", message: "there is none", hint: "make one" },
  );
  directory.remove();
});

test("a result that cannot be written is not reported as a rejection", async () => {
  const directory = temporaryDirectory();
  const sent = refused(sendRequest(directory.path, rollback, attended, never));
  // A value that JSON cannot represent stands in for a full disk.
  (await taken(directory.path)).done({ applied: 2n });
  const { code, message } = await sent;
  assert.is(code, "not_writable");
  assert.match(message, "the request was carried out, but its result cannot be written");
  directory.remove();
});

test("a request is taken only once", async () => {
  const directory = temporaryDirectory();
  const sent = sendRequest(directory.path, rollback, attended, never);
  const { done } = await taken(directory.path);
  assert.not(hasPendingRequest(directory.path));
  assert.is(takeRequest(directory.path), undefined);
  done(swapped);
  await sent;
  directory.remove();
});

test("a projector that starts answers the request that its predecessor was executing", async () => {
  const home = temporaryDirectory();
  const data = join(home.path, "data");
  const log = openJournal({ directory: join(home.path, "journal"), now: Date.now });
  openDataDirectory(data);
  const ended = new AbortController();
  const sent = refused(sendRequest(data, rollback, attended, ended.signal));
  await taken(data);
  const projector = startProjector(data, log);
  const late = delay(10_000, undefined, { ref: false });
  const refusal = await Promise.race([sent, late]);
  ended.abort();
  await projector.stop();
  assert.match(refusal?.message ?? "", "the projector stopped while it executed this request");
  await log.close();
  home.remove();
});

test("a request that the projector's user may not read is rejected, and not lost silently", async () => {
  const directory = temporaryDirectory();
  const sent = refused(sendRequest(directory.path, rollback, attended, never));
  const requests = join(directory.path, "requests");
  // Root may read everything; nobody can read a link to itself.
  for (const name of readdirSync(requests)) {
    rmSync(join(requests, name));
    symlinkSync(name, join(requests, name));
  }
  assert.is(takeRequest(directory.path), undefined);
  assert.match((await sent).message, "may not read the request");
  directory.remove();
});

test("a request that cannot be moved is logged once and skipped, and blocks no other", async () => {
  const directory = temporaryDirectory();
  const ended = new AbortController();
  const stuck = refused(sendRequest(directory.path, rollback, attended, ended.signal));
  const requests = join(directory.path, "requests");
  const [name = ""] = readdirSync(requests);
  // A file cannot be moved to the path of a directory.
  mkdirSync(join(requests, name.replace(".json", ".taken")));
  const logged: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    assert.is(
      takeRequest(directory.path, (error) => logged.push(error)),
      undefined,
    );
  }
  assert.is(logged.length, 1);
  assert.not(hasPendingRequest(directory.path));
  const sent = sendRequest(directory.path, rollback, attended, never);
  assert.ok(hasPendingRequest(directory.path));
  (await taken(directory.path)).done(swapped);
  await sent;
  ended.abort();
  assert.match((await stuck).message, /nothing was changed/);
  directory.remove();
});

test("a request that no projector takes is withdrawn, with the message that nothing changed", async () => {
  const directory = temporaryDirectory();
  const ended = new AbortController();
  const sent = refused(sendRequest(directory.path, rollback, attended, ended.signal));
  assert.ok(hasPendingRequest(directory.path));
  ended.abort();
  assert.match((await sent).message, /nothing was changed/);
  assert.not(hasPendingRequest(directory.path));
  directory.remove();
});

test("without a projector a sender does not wait for ever", async () => {
  const directory = temporaryDirectory();
  const error = await refused(sendRequest(directory.path, rollback, unattended, never));
  assert.is(error.code, "unanswered");
  assert.not(hasPendingRequest(directory.path));
  directory.remove();
});

test("a request that was taken when the projector died is answered by the next projector", async () => {
  const directory = temporaryDirectory();
  const sent = refused(sendRequest(directory.path, rollback, attended, never));
  await taken(directory.path);
  failInterruptedRequests(directory.path);
  assert.match((await sent).message, /stopped while it executed this request/);
  directory.remove();
});

test("a request whose sender died is dropped", async () => {
  const directory = temporaryDirectory();
  const at = join(directory.path, "requests");
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "exit");
  mkdirSync(at);
  for (const pid of [gone.pid ?? 0, process.pid]) {
    const by = { ...currentProcess(), pid };
    writeFileSync(join(at, `${pid}.json`), JSON.stringify({ request: rollback, by }));
  }
  assert.equal(takeRequest(directory.path)?.request, rollback);
  assert.is(takeRequest(directory.path), undefined);
  assert.equal(readdirSync(at), [`${process.pid}.taken`]);
  directory.remove();
});

test("of answers that no sender reads the oldest are removed, never the newest", async () => {
  const directory = temporaryDirectory();
  const at = join(directory.path, "requests");
  mkdirSync(at);
  for (let nth = 0; nth < 150; nth += 1) {
    const path = join(at, `old-${nth}.done`);
    // A directory of somebody else must not disturb the cleaning.
    if (nth === 0) mkdirSync(path);
    else writeFileSync(path, "{}");
    utimesSync(path, 1 + nth, 1 + nth);
  }
  const sent = sendRequest(directory.path, rollback, attended, never);
  (await taken(directory.path)).done(swapped);
  assert.equal(await sent, swapped);
  const left = readdirSync(at);
  assert.equal(
    [left.length, left.includes("old-149.done"), left.includes("old-50.done")],
    [99, true, false],
  );
  directory.remove();
});

/** Writes a request file with any content, on behalf of a process that waits for the answer. */
const writeRequest = (
  directory: string,
  request: unknown,
  by: unknown = currentProcess(),
): void => {
  const at = join(directory, "requests");
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "x.json"), JSON.stringify({ request, by }));
};

const answerIn = (directory: string): unknown => {
  try {
    return JSON.parse(readFileSync(join(directory, "requests", "x.done"), "utf8"));
  } catch {
    return undefined;
  }
};

test("a request of an unknown kind is answered with the known kinds", () => {
  const directory = temporaryDirectory();
  for (const request of [{ kind: "compact" }, { kind: "toString" }, {}, null, "rollback"]) {
    writeRequest(directory.path, request);
    const logged: unknown[] = [];
    assert.is(
      takeRequest(directory.path, (error) => logged.push(error)),
      undefined,
    );
    const answer = answerIn(directory.path) as Record<string, unknown>;
    assert.equal([answer.ok, answer.code], [false, "usage"], JSON.stringify(request));
    assert.match(String(answer.message), "it knows adopt, rollback, retry, discard");
    assert.match(String(answer.hint), "the same version");
    assert.is(logged.length, 1, "the projector logs it");
  }
  directory.remove();
});

test("a request with invalid members is answered with usage", () => {
  const directory = temporaryDirectory();
  for (const request of [
    { kind: "retry" },
    { kind: "retry", sequences: "all" },
    { kind: "discard", sequences: [1, "2"] },
    { kind: "discard", sequences: [0.5] },
    { kind: "adopt", scratch: 7 },
  ]) {
    writeRequest(directory.path, request);
    assert.is(takeRequest(directory.path), undefined, JSON.stringify(request));
    const answer = answerIn(directory.path) as Record<string, unknown>;
    assert.equal([answer.ok, answer.code], [false, "usage"]);
    assert.match(String(answer.message), request.kind);
  }
  for (const sequences of [null, [], [4, 9]]) {
    writeRequest(directory.path, { kind: "retry", sequences });
    assert.equal(takeRequest(directory.path)?.request, { kind: "retry", sequences });
  }
  directory.remove();
});

test("a request without a process that waits for the answer is dropped", () => {
  const directory = temporaryDirectory();
  for (const by of [null, 1, {}, { pid: -1, scope: "x" }, { pid: "1", scope: "x" }, { pid: 1 }]) {
    writeRequest(directory.path, rollback, by);
    assert.is(takeRequest(directory.path), undefined, JSON.stringify(by));
    assert.equal(readdirSync(join(directory.path, "requests")), []);
  }
  directory.remove();
});

test("an exception in a request is internal, an error of the disk is not", async () => {
  const directory = temporaryDirectory();
  for (const [thrown, code, exitCode] of [
    [new TypeError("x is not iterable"), "internal", 70],
    [Object.assign(new Error("read-only file system"), { code: "EROFS" }), "not_writable", 3],
  ] as const) {
    const sent = refused(sendRequest(directory.path, rollback, attended, never));
    (await taken(directory.path)).failed(thrown);
    const error = await sent;
    assert.equal([error.code, error.exitCode, error.message], [code, exitCode, thrown.message]);
  }
  directory.remove();
});

test("a projector goes on after a request of an unknown kind", async () => {
  const home = temporaryDirectory();
  const data = join(home.path, "data");
  const log = openJournal({ directory: join(home.path, "journal"), now: Date.now });
  const projector = startProjector(data, log);
  await projector.until(({ state }) => state === "live");
  const unknown = { kind: "compact" } as unknown as ControlRequest;
  const error = await refused(sendRequest(data, unknown, attended, never));
  assert.match(error.message, 'does not know the request "compact"');
  const next = await refused(sendRequest(data, rollback, attended, never));
  assert.match(next.message, "no previous generation");
  await projector.stop();
  await log.close();
  home.remove();
});

test("a request of an unknown kind does not end a projector that waits for its log", async () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  const ended = new AbortController();
  const context = {
    directory,
    eventLog: unavailableLog("nats://127.0.0.1", new VitrineError("event_log", "not connected")),
    progress: createStatusTracker(Date.now),
    logger: createLogger("silent", "test"),
    pollIntervalMs: 10,
    signal: ended.signal,
  } as Partial<ProjectorContext> as ProjectorContext;
  const attending = serveRequestsBeforeLog(context, 60_000);
  const unknown = { kind: "compact" } as unknown as ControlRequest;
  const refusal = refused(sendRequest(directory.path, unknown, attended, never));
  await Promise.race([attending, refusal]);
  assert.match((await refusal).message, 'does not know the request "compact"');
  ended.abort();
  await attending;
  home.remove();
});

test("a file that is not a request is dropped", () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory.path, "requests"));
  writeFileSync(join(directory.path, "requests", "x.json"), "{");
  assert.ok(hasPendingRequest(directory.path));
  assert.is(takeRequest(directory.path), undefined);
  assert.not(hasPendingRequest(directory.path));
  directory.remove();
});

test.run();
