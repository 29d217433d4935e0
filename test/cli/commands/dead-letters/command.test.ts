import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runProgram } from "../../../../src/cli/program.ts";
import { VitrineError } from "../../../../src/errors.ts";
import type { NewMessage } from "../../../../src/event-log/event-log.ts";
import { openJournal } from "../../../../src/event-log/journal/index.ts";
import { type CloudEvent, toMessage } from "../../../../src/events/envelope.ts";
import { buildDeadLetter } from "../../../../src/projector/batch/apply-record.ts";
import { hasPendingRequest } from "../../../../src/projector/control/request.ts";
import { lockDirectory } from "../../../../src/projector/integrity/lock.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../../../helpers/events.ts";
import { isLiveAt, startProjector } from "../../../helpers/projector.ts";
import { runHere } from "../../../helpers/run-here.ts";
import { childPid, run, start, startVitrine, until } from "../../../helpers/vitrine.ts";

const test = suite("dead-letters and explain");

const messageOf = (event: CloudEvent | string | Uint8Array, at: number): NewMessage =>
  typeof event === "string" || event instanceof Uint8Array
    ? { id: `raw-${at}`, subject: "shop.product.1", headers: {}, body: Buffer.from(event) }
    : { ...toMessage(event), id: `event-${at}` };

/** Creates a data directory with a journal of these events, some invalid, and its model. */
const newShop = async (events: readonly (CloudEvent | string | Uint8Array)[]): Promise<string> => {
  const dataDir = join(temporaryDirectory().path, "data");
  openDataDirectory(dataDir);
  const eventLog = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await eventLog.append(events.map(messageOf));
  const projector = startProjector(dataDir, eventLog);
  await projector.until(isLiveAt(events.length));
  await projector.stop();
  await eventLog.close();
  return dataDir;
};

/** Turns a valid event into a dead letter, as if an earlier version had rejected it. */
const plant = async (dataDir: string, sequence: number): Promise<void> => {
  const eventLog = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: false });
  const record = await eventLog.get(sequence);
  if (!record) throw new Error(`nothing at ${sequence}`);
  const refusal = {
    code: "version",
    reason: "newer than this service knows",
    field: null,
  } as const;
  store.transaction((stored) => {
    stored.put(tables.deadLetters, sequence, buildDeadLetter(record, refusal));
    stored.put(
      tables.counters,
      "deadLetters",
      (stored.get(tables.counters, "deadLetters") ?? 0) + 1,
    );
    stored.remove(tables.robots, "robots");
  });
  await store.close();
  await eventLog.close();
};

const robots: CloudEvent = {
  ...settingsUpdated(),
  type: "shop.robots.updated",
  subject: "robots",
  data: { text: "User-agent: *" },
};

const letters = (dataDir: string, ...args: string[]) =>
  runHere(["dead-letters", ...args, "--data-dir", dataDir]);
const json = async (dataDir: string, ...args: string[]) =>
  JSON.parse((await letters(dataDir, ...args, "--json")).stdout);

test("list shows dead letters, newest first, with time, field and reason", async () => {
  const bad = productUpserted({ price: { amount: "1,50", currency: "EUR" } });
  const dataDir = await newShop([settingsUpdated(), "nonsense", bad]);
  const { code, stdout, stderr } = await run(["dead-letters", "list", "--data-dir", dataDir]);
  assert.is(code, 0, stderr);
  const [first = "", second = "", count] = stdout.split("\n");
  assert.match(first, /^ +3 {2}\d{4}-\S+Z {2}shop\.product\.1 {2}schema {2}data\.price\.amount: /);
  assert.match(second, /^ +2 .* not_json {2}event: /);
  assert.is(count, "2 open dead letters (0 discarded)");
  const one = await json(dataDir, "list", "--limit", "1");
  assert.equal(
    one.letters.map(({ sequence }: { sequence: number }) => sequence),
    [3],
  );
  assert.is(one.open, 2);
  assert.match((await letters(dataDir, "list", "--limit", "1")).stdout, "the newest 1 shown");
});

test("list shows no times when the log cannot be reached", async () => {
  const dataDir = await newShop(["nonsense"]);
  const { code, stdout } = await letters(dataDir, "list", "--events", "nats://127.0.0.1:1");
  assert.is(code, 0);
  assert.match(stdout, /^ +1 {2}time unknown/);
});

test("show prints a full dead letter, whatever its bytes, without control characters for the terminal", async () => {
  const hidden = '{"name":"\u202e\u001b[31mred"}'.replace("\u001b", "\\u001b");
  const dataDir = await newShop([hidden, "\u001b[2Jline\nline", Uint8Array.of(0xff, 0xfe)]);
  const [object, text, bytes] = await Promise.all(
    ["1", "2", "3"].map((sequence) => letters(dataDir, "show", sequence)),
  );
  assert.match(object?.stdout ?? "", /^code +envelope$/m);
  assert.match(object?.stdout ?? "", /^body +\d+ bytes, JSON$/m);
  assert.match(object?.stdout ?? "", '  "name": "\\u{202e}\\u001b[31mred"');
  assert.match(text?.stdout ?? "", "\\u{1b}[2Jline\nline\n");
  assert.match(bytes?.stdout ?? "", /^body +2 bytes, base64$/m);
  assert.match(bytes?.stdout ?? "", /^\/\/4=$/m);
  const shown = await json(dataDir, "show", "1");
  assert.equal(shown.body, { form: "JSON", content: { name: "\u202e\u001b[31mred" } });
  assert.is(shown.discarded, null);
});

test("retry accepts repaired events, lists those that are still rejected, and exits with 1", async () => {
  const dataDir = await newShop([settingsUpdated(), robots, "nonsense"]);
  await plant(dataDir, 2);
  const all = await run(["dead-letters", "retry", "--all", "--data-dir", dataDir]);
  assert.is(all.code, 1, all.stderr);
  assert.match(all.stdout, /^ +2 {2}applied {2}shop\.robots$/m);
  assert.match(all.stdout, /^ +3 {2}refused {2}shop\.product\.1 {2}event: /m);
  assert.match(all.stdout, "1 of 2 dead letters accepted");
  assert.equal((await json(dataDir, "list")).open, 1);
  const verified = await runHere(["explain", "robots", "--json", "--data-dir", dataDir]);
  assert.is(JSON.parse(verified.stdout).groups[0].agreement, "agrees");
});

test("discard marks dead letters: they are listed on request, and no longer counted", async () => {
  const dataDir = await newShop(["nonsense", "more"]);
  const { code, stdout } = await letters(dataDir, "discard", "2");
  assert.is(code, 0);
  assert.is(stdout, "1 dead letter discarded\n");
  assert.match((await letters(dataDir, "list")).stdout, "1 open dead letter (1 discarded)");
  const { letters: shown } = await json(dataDir, "list", "--discarded");
  assert.is(shown.length, 1);
  assert.is(shown[0].sequence, 2);
  assert.match(shown[0].discarded, /^\d{4}-/);
  assert.equal(await json(dataDir, "discard", "--all"), { discarded: [1] });
  assert.match((await letters(dataDir, "list")).stdout, "0 open dead letters (2 discarded)");
  assert.equal(await json(dataDir, "retry", "--all"), { retried: [], refused: [] });
});

test("a running service executes a retry, and serves the accepted events", async () => {
  const dataDir = await newShop([settingsUpdated(), robots]);
  await plant(dataDir, 2);
  const service = await startVitrine([], { dataDir });
  await service.ready();
  const { code, stdout, stderr } = await letters(dataDir, "retry", "2");
  assert.is(code, 0, stderr);
  assert.match(stdout, "1 of 1 dead letter accepted");
  assert.equal(await json(dataDir, "discard", "--all"), { discarded: [] });
  const refused = await letters(dataDir, "retry", "2");
  assert.is(refused.code, 1);
  assert.match(refused.stderr, "there is no dead letter with sequence 2");
  await service.stop();
});

test("a command says that it waits for the projector, and Ctrl-C withdraws its request", async () => {
  const dataDir = await newShop([settingsUpdated(), "{"]);
  const release = await lockDirectory(dataDir, () => undefined);
  const waiting = start(["dead-letters", "discard", "--all", "--data-dir", dataDir]);
  await until(
    async () => waiting.stderr(),
    (expectedMessage) => expectedMessage.includes("waiting for the projector"),
  );
  waiting.child.kill("SIGINT");
  const { code, stderr } = await waiting.ended;
  assert.is(code, 130, stderr);
  assert.match(stderr, "nothing was changed");
  assert.not(hasPendingRequest(dataDir));
  await release();
});

test("a waiting command shows the projector's state, read from the configured ops port", async () => {
  const dataDir = await newShop([settingsUpdated(), "{"]);
  const service = await startVitrine([], { dataDir });
  await service.ready();
  const projector = await childPid(service, "vitrine projector");
  process.kill(projector, "SIGSTOP");
  const env = { DATA_DIR: dataDir, OPS_PORT: new URL(service.opsUrl).port };
  for (const args of [["dead-letters", "discard", "--all"], ["rollback"], ["rebuild"]]) {
    // The command asks the ops port once, which may answer too late on a busy machine.
    const report = async () => {
      const waiting = start(args, { env });
      await until(
        async () => waiting.stderr(),
        (text) => text.includes("Ctrl-C withdraws"),
      );
      waiting.child.kill("SIGINT");
      return (await waiting.ended).stderr;
    };
    await until(report, (text) => /waiting for the projector \(state (live|silent)\)/.test(text));
  }
  process.kill(projector, "SIGCONT");
  assert.is((await service.stop()).code, 0);
});

test("discard works without the log while no projector runs", async () => {
  const dataDir = await newShop([settingsUpdated(), "{"]);
  const away = ["--events", "nats://127.0.0.1:1"];
  const { code, stderr } = await letters(dataDir, "discard", "2", ...away);
  assert.is(code, 0, stderr);
  assert.is((await letters(dataDir, "retry", "2", ...away)).code, 4);
});

test("a service that waits for its broker discards, and explains why it cannot retry", async () => {
  const dataDir = await newShop([settingsUpdated(), "{"]);
  const service = await startVitrine(["--events", "nats://127.0.0.1:1"], { dataDir });
  assert.equal(await json(dataDir, "discard", "2"), { discarded: [2] });
  assert.is((await letters(dataDir, "retry", "2")).code, 4);
  await service.stop();
});

test("each misuse is reported in one line", async () => {
  const dataDir = await newShop([settingsUpdated()]);
  const nowhere = join(temporaryDirectory().path, "data");
  const misuses: readonly (readonly [string[], number, string])[] = [
    [["dead-letters", "retry"], 2, "no dead letter to retry was given"],
    [["dead-letters", "discard"], 2, "no dead letter to discard was given"],
    [["dead-letters", "retry", "1", "--all"], 2, "--all and sequences exclude each other"],
    [["dead-letters", "retry", "one"], 2, "sequence one: give a whole number from 1"],
    [["dead-letters", "retry", "7"], 1, "there is no dead letter with sequence 7"],
    [["dead-letters", "discard", "7"], 1, "there is no dead letter with sequence 7"],
    [["dead-letters", "show", "7"], 1, "there is no dead letter with sequence 7"],
    [["dead-letters", "show", "x"], 2, "sequence x: give a whole number from 1"],
    [["dead-letters", "show"], 2, "missing required argument 'sequence'"],
    [["dead-letters", "list", "--limit", "0"], 2, "--limit 0: give a whole number from 1"],
    [["dead-letters", "lsit"], 2, "unknown command 'lsit'"],
    [["explain"], 2, "missing required argument 'entity'"],
    [["explain", "shop/1"], 2, '"shop/1" is not the name of an entity'],
    [["explain", "product/4o"], 2, "an id is a positive whole number"],
    [["explain", "product/1", "--data-dir", nowhere], 3, "holds no read model yet"],
    [["dead-letters", "list", "--data-dir", nowhere], 3, "holds no read model yet"],
    [["explain", "product/1", "--events", "nats://127.0.0.1:1"], 4, "connection refused"],
  ];
  for (const [args, code, message] of misuses) {
    const given = args.includes("--data-dir") ? args : [...args, "--data-dir", dataDir];
    const refused = await runProgram(given, {}).catch((error) => error);
    assert.instance(refused, VitrineError, `${args}`);
    assert.is(refused.exitCode, code, `${args}: ${refused.message}`);
    assert.match(refused.message, message);
    assert.not.match(refused.message, "\n");
  }
});

test("the help of each command has an example", async () => {
  const commands = ["list", "show", "retry", "discard"].map((name) => `dead-letters ${name}`);
  const helps = [...commands, "explain"].map(async (command) => {
    const { code, stdout } = await runHere([...command.split(" "), "--help"]);
    assert.is(code, 0);
    assert.match(stdout, `$ vitrine ${command}`);
  });
  await Promise.all(helps);
});

test("explain shows an entity as text and as JSON, and reports an unknown one", async () => {
  const dataDir = await newShop([
    productUpserted({ name: "Old", brand: "Acme" }, { id: "e-1" }),
    productUpserted({ name: "New" }, { id: "e-2", time: "2026-10-01T09:00:00Z" }),
    productUpserted({ name: "Late" }, { id: "e-3", time: "2026-10-01T07:00:00Z" }),
    "nonsense",
    { ...robots, data: { text: "\u202eesrever" } },
  ]);
  const explain = (...args: string[]) => runHere(["explain", ...args, "--data-dir", dataDir]);
  const { code, stdout, stderr } = await explain("product/1");
  assert.is(code, 0, stderr);
  assert.match(stdout, /^product\/1 at sequence 5 of journal /);
  assert.match(
    stdout,
    /^core {2}present, written by event 2 \(e-2\) of 2026-10-01T09:00:00\.000Z$/m,
  );
  assert.match(stdout, /^ +name +"New"$/m);
  assert.match(stdout, "2 applied, 1 stale");
  assert.match(stdout, /^ +3 .* e-3 {2}ignored as stale: newer is event 2 \(e-2\)/m);
  assert.match(stdout, 'name: "Old" -> "New"');
  assert.match(stdout, /^refused {2}1 dead letter$/m);
  const shown = JSON.parse((await explain("product/1", "--json")).stdout);
  assert.is(shown.groups[0].writtenBy.sequence, 2);
  assert.match((await explain("robots")).stdout, 'text  "\\u{202e}esrever"');
  const unknown = await explain("product/2");
  assert.is(unknown.code, 1);
  assert.match(unknown.stdout, "product/2 is unknown");
  assert.is(JSON.parse((await explain("product/2", "--json")).stdout).found, false);
});

test.run();
