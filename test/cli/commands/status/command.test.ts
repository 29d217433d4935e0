import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { projections } from "../../../../projections/index.ts";
import type { Status } from "../../../../src/cli/commands/status/status.ts";
import type { CloudEvent } from "../../../../src/events/envelope.ts";
import { intactMarkerName } from "../../../../src/lmdb/intact-marker.ts";
import { currentProcess, type ProcessIdentity } from "../../../../src/platform/process-identity.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import type { Checkpoint } from "../../../../src/read-model/schema/checkpoint.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../../src/read-model/store/store.ts";
import { journalIn } from "../../../helpers/backups.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../../../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../../../helpers/projector.ts";
import { publishTo } from "../../../helpers/publish.ts";
import { runHere } from "../../../helpers/run-here.ts";
import { ndjson, program, run, start, startVitrine, until } from "../../../helpers/vitrine.ts";

const test = suite("status and tail");

const statusOf = async (dataDir: string, ...more: string[]): Promise<Status> => {
  const args = ["status", "--json", "--data-dir", dataDir, "--ops-port", "1", ...more];
  return JSON.parse((await runHere(args)).stdout);
};
const newDirectory = () => join(temporaryDirectory().path, "data");

/** Creates a data directory with a journal of these events and its model. */
const newShop = async (...events: readonly CloudEvent[]): Promise<string> => {
  const dataDir = newDirectory();
  const log = journalIn(dataDir);
  await append(log, ...events);
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(events.length));
  await projector.stop();
  await log.close();
  return dataDir;
};

test("status without a model says so, and creates nothing", async () => {
  const dataDir = newDirectory();
  const { code, stdout } = await run(["status", "--data-dir", dataDir, "--ops-port", "1"]);
  assert.is(code, 0);
  assert.match(stdout, /^state +empty$/m);
  assert.match(stdout, /^event log +journal:, empty$/m);
  assert.not(existsSync(dataDir));
});

test("status describes a model, whether the service runs or not", async () => {
  const dataDir = newDirectory();
  const published = [settingsUpdated(), productUpserted(), stockChanged({ productId: 9 })];
  const refused = ["nonsense", { ...productUpserted(), subject: "product/2" }];
  await runHere(["publish", "-", "--data-dir", dataDir, "--skip-invalid"], {
    input: ndjson([...published, ...refused]),
  });
  const service = await startVitrine([], { dataDir });
  const opsPort = new URL(service.opsUrl).port;
  await service.ready();

  // A service is ready when it has nearly caught up.
  const running = await until(
    () => statusOf(dataDir, "--ops-port", opsPort),
    ({ state }) => state === "live",
  );
  assert.is(running.service?.ready, true);
  assert.equal(running.lag, { events: 0, seconds: 0 });
  assert.is(running.model?.counts.products, 1);
  assert.is(running.model?.counts.orphans, 1);
  assert.is(running.log.divergence, null);
  assert.is(running.model?.generation, "0001");
  assert.ok((running.model?.bytes ?? 0) > 0);
  assert.is(running.model?.tables.products.rows, 1);
  assert.ok((running.model?.tables.products.bytes ?? 0) >= 4096);
  assert.is(running.model?.counts.deadLetters, 0);
  assert.is(running.service?.etaSeconds, 0);
  assert.ok(Date.now() - Date.parse(running.since ?? "") < 60_000);
  assert.ok(Date.now() - Date.parse(running.model?.liveSince ?? "") < 60_000);
  const shown = (await runHere(["status", "--data-dir", dataDir, "--ops-port", opsPort])).stdout;
  assert.match(shown, /^state +live for \S+ s$/m);
  assert.match(shown, /^rate +\d+ events? a second$/m);
  assert.match(shown, /^generation +0001, live for \S+ s, \S+ [kM]B$/m);
  assert.match(shown, /^set aside +1 orphan, 0 categories held back, 0 dead letters$/m);
  assert.match(shown, /^table +rows +size$/m);
  assert.match(shown, /^products +1 +4\.1 kB$/m);

  // The ops port of another data directory says nothing about this one.
  const other = await statusOf(newDirectory(), "--ops-port", opsPort);
  assert.is(other.service, null);
  assert.is((await service.stop()).code, 0);

  const stopped = await statusOf(dataDir);
  assert.is(stopped.state, "live");
  assert.is(stopped.service, null);
  const freeBytes = running.model?.freeBytes;
  assert.equal({ ...stopped.model, freeBytes }, running.model);

  await publishTo(dataDir, [productUpserted({ id: 2 }), productUpserted({ id: 3 })]);
  const behind = await statusOf(dataDir);
  assert.is(behind.state, "behind");
  assert.is(behind.lag.events, 2);
  const later = await statusOf(dataDir);
  assert.ok((later.lag.seconds ?? 0) > (behind.lag.seconds ?? 0), "the lag grows");
  const text = await runHere(["status", "--data-dir", dataDir, "--ops-port", "1"]);
  assert.match(text.stdout, /^lag +2 events, /m);
  assert.match(text.stdout, /^model +1 product \(0 in stock\), 0 categories$/m);
});

test("status with an unreachable log shows what is known, and exits with 4", async () => {
  const dataDir = newDirectory();
  const args = [
    "status",
    "--data-dir",
    dataDir,
    "--ops-port",
    "1",
    "--events",
    "nats://127.0.0.1:1",
  ];
  const { code, stdout } = await run([...args, "--json"]);
  assert.is(code, 4);
  const { state, lag, log } = JSON.parse(stdout) as Status;
  assert.is(state, "unknown");
  assert.equal(lag, { events: null, seconds: null });
  assert.match(log.error ?? "", "connection refused; start the broker there");
});

test("status reports a log other than that of the model", async () => {
  const dataDir = await newShop(settingsUpdated(), productUpserted());
  const another = newDirectory();
  await publishTo(another, [settingsUpdated()]);
  const { state, reason } = await statusOf(dataDir, "--events", `journal:${another}/journal`);
  assert.is(state, "diverged");
  assert.match(reason ?? "", "it is another log under the same name");
});

test("status reports a model whose log is not configured or missing, and creates no journal", async () => {
  const dataDir = await newShop(settingsUpdated(), productUpserted());
  rmSync(join(dataDir, "journal"), { recursive: true });
  const args = ["status", "--data-dir", dataDir, "--ops-port", "1"];
  const { code, stdout } = await run(args);
  assert.is(code, 5);
  assert.match(stdout, "name the log of the service with --events");
});

test("--watch prints each change once, and Ctrl-C ends it with exit code 0", async () => {
  const dataDir = newDirectory();
  await publishTo(dataDir, [settingsUpdated(), productUpserted()]);
  const args = ["status", "--watch", "--data-dir", dataDir, "--ops-port", "1"];
  const [watch, json] = [start(args), start([...args, "--json"])];
  await watch.says(/Z {2}empty; no read model yet/);
  await json.says(/"state":"empty"/);
  const service = await startVitrine([], { dataDir });
  await watch.says(/Z {2}live; checkpoint 2 of 2; generation 0001; 1 product \(0 in stock\)/);
  await publishTo(dataDir, [productUpserted({ id: 2 })]);
  await watch.says(/checkpoint 3 of 3; generation 0001; 2 products/);
  await service.stop();
  await json.says(/"sequence":3,/);
  for (const { child } of [watch, json]) child.kill("SIGINT");
  const { code, stdout, stderr } = await watch.ended;
  assert.is(code, 0);
  assert.is(stderr, "");
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => line.slice(26));
  assert.is(new Set(lines).size, lines.length, "each line is printed once");
  assert.is((await json.ended).code, 0);
  const statuses = json
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Status);
  assert.is(statuses[0]?.state, "empty");
  assert.is(statuses.at(-1)?.model?.counts.products, 2);
});

test("status names the projections and their versions, and those that differ from the program's", async () => {
  const dataDir = await newShop(settingsUpdated());
  const named = (versions: readonly { readonly name: string; readonly version: number }[]) =>
    versions.map(({ name, version }) => `${name} ${version}`).join(", ");
  const shown = async () =>
    (await runHere(["status", "--data-dir", dataDir, "--ops-port", "1"])).stdout.replaceAll(
      "\n",
      "|",
    );
  const own = projections.map(({ name, version }) => ({ name, version, program: version }));
  assert.match(await shown(), `|projections ${named(projections)}|`);
  assert.equal((await statusOf(dataDir)).model?.projections, own);

  await changeCheckpoint(dataDir, (checkpoint) => ({ ...checkpoint, textData: "icu.1" }));
  assert.match(
    await shown(),
    `|projections ${named(projections)}; the text data of Node changed since the model was made: icu 1 → `,
  );
  await changeCheckpoint(dataDir, (checkpoint) => {
    const { name, version } = projections[0];
    const [, ...others] = checkpoint.projections.split(" ").slice(0, -1);
    const written = [`${name}.${version - 1}`, ...others, "former.3"].join(" ");
    return { ...checkpoint, projections: written };
  });
  const [product, ...rest] = own;
  const last = rest.pop();
  const between = named(rest);
  assert.match(
    await shown(),
    `|projections ${product?.name} ${(product?.version ?? 0) - 1} (this program: ${product?.version}), ${between}, former 3 (this program: none), ${last?.name} none (this program: ${last?.version}); the projections changed since the model was made: the service builds it again from the event log when it starts|`,
  );
  assert.equal((await statusOf(dataDir)).model?.projections, [
    { ...product, version: (product?.version ?? 0) - 1 },
    ...rest,
    { name: "former", version: 3, program: null },
    { ...last, version: null },
  ]);
});

const changeCheckpoint = async (
  dataDir: string,
  change: (checkpoint: Checkpoint) => Checkpoint,
): Promise<void> => {
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint") as Checkpoint;
    stored.put(tables.meta, "checkpoint", change(checkpoint));
  });
  await store.close();
};

test("--watch probes a generation that is not marked as intact, and none more than once", async () => {
  const dataDir = await newShop(settingsUpdated());
  rmSync(join(openDataDirectory(dataDir).live() ?? "", intactMarkerName), { force: true });
  // Each process that --watch starts inherits this preload, which writes a line.
  const started = join(temporaryDirectory().path, "started");
  const preload = `data:text/javascript,${encodeURIComponent(
    `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(started)}, process.argv[1] + "\\n");`,
  )}`;
  const args = ["status", "--watch", "--json", "--data-dir", dataDir, "--ops-port", "1"];
  const watch = spawn(process.execPath, ["--import", preload, ...program, ...args]);
  let drawn = "";
  watch.stdout.on("data", (text) => {
    drawn += text;
  });
  const redraws = async () => drawn.split("\n").length - 1;
  const probes = () =>
    readFileSync(started, "utf8")
      .split("\n")
      .filter((line) => /read-model\/integrity\/probe-process/.test(line)).length;
  await until(redraws, (count) => count >= 4, 60);
  assert.is(probes(), 1);
  assert.is((await runHere(["rebuild", "--data-dir", dataDir])).code, 0);
  await until(
    async () => drawn,
    (text) => text.includes('"generation":"0002"'),
    60,
  );
  const seen = await redraws();
  await until(redraws, (count) => count >= seen + 3, 60);
  assert.ok(probes() <= 2);
  watch.kill("SIGINT");
  assert.equal(await once(watch, "exit"), [0, null]);
});

test("status shows a running rebuild, and not one whose process is gone", async () => {
  const dataDir = newDirectory();
  await publishTo(dataDir, [settingsUpdated()]);
  const building = {
    ...{ doing: "rebuild", phase: "replaying", at: 500, of: 2000, eventsPerSecond: 100 },
    ...{ started: new Date().toISOString(), etaSeconds: 15, bytes: 1_500_000 },
  };
  const reportOf = (by: ProcessIdentity) =>
    writeFileSync(join(dataDir, "building.json"), JSON.stringify({ ...building, pid: by.pid, by }));
  reportOf(currentProcess());
  const { stdout } = await runHere(["status", "--data-dir", dataDir, "--ops-port", "1"]);
  assert.match(
    stdout,
    /^building +rebuild: replaying, event 500 of 2000, 100 a second, 15 s left, 1\.5 MB$/m,
  );
  for (const gone of [{ pid: 2 ** 22 + 1 }, { started: "1" }]) {
    reportOf({ ...currentProcess(), ...gone });
    assert.is((await statusOf(dataDir)).building, null);
  }
});

test("tail shows the newest events, then new ones, and Ctrl-C ends it with exit code 0", async () => {
  const dataDir = newDirectory();
  await publishTo(dataDir, [
    settingsUpdated(),
    productUpserted({ id: 41 }),
    productUpserted({ id: 42 }),
  ]);
  const tail = start(["tail", "--last", "1", "--data-dir", dataDir]);
  await tail.says(/3 {2}\S+ {2}shop\.product\.upserted {2}product\/42 {2}\{"id":42,/);
  await publishTo(dataDir, [stockChanged({ productId: 42 })]);
  await tail.says(/4 {2}\S+ {2}shop\.stock\.changed {2}stock\/42/);
  tail.child.kill("SIGINT");
  const { code, stdout, stderr } = await tail.ended;
  assert.is(code, 0);
  assert.is(stderr, "");
  assert.is(stdout.trim().split("\n").length, 2);
});

test("tail --json prints one object a line", async () => {
  const dataDir = newDirectory();
  await publishTo(dataDir, [settingsUpdated(), productUpserted({ id: 41 })]);
  const tail = start(["tail", "--json", "--from", "2", "--data-dir", dataDir]);
  await tail.says(/\n/);
  tail.child.kill("SIGINT");
  const { sequence, subject, ok, event } = JSON.parse((await tail.ended).stdout);
  assert.equal({ sequence, subject, ok }, { sequence: 2, subject: "shop.product.41", ok: true });
  assert.is(event.data.name, "Product 41");
  assert.is(event.time, "2026-10-01T08:00:00.000Z");
});

test("tail ends with exit code 0 when its output is closed", async () => {
  const dataDir = newDirectory();
  await publishTo(dataDir, [settingsUpdated()]);
  const tail = start(["tail", "--from", "1", "--data-dir", dataDir]);
  await tail.says(/settings/);
  tail.child.stdout?.destroy();
  await publishTo(dataDir, [productUpserted()]);
  const { code, stderr } = await tail.ended;
  assert.is(code, 0);
  assert.is(stderr, "");
});

test.run();
