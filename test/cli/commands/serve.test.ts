import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../../helpers/events.ts";
import { publishTo } from "../../helpers/publish.ts";
import {
  childPid,
  childProcessesOf,
  childrenOf,
  program,
  type RunningVitrine,
  run,
  start,
  startVitrine,
  stop,
  until,
} from "../../helpers/vitrine.ts";

const test = suite("serve and project");

const productNames = async (service: RunningVitrine): Promise<readonly string[]> => {
  type Answer = { products: { nodes: { name: string }[] } };
  const { data } = await service.graphql<Answer>("{ products { nodes { name } } }");
  return data.products.nodes.map(({ name }) => name);
};
const metric = async (service: RunningVitrine, name: string): Promise<number> => {
  const { text } = await service.ops("/metrics");
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length + 1));
};

/** A service with two HTTP processes for tests that leave it ready. */
const context = {} as { service: RunningVitrine };
const synonyms = join(temporaryDirectory().path, "synonyms.txt");

test.before(async () => {
  writeFileSync(synonyms, "sofa => couch\n");
  const options = ["--workers", "2", "--max-lag", "3", "--synonyms", synonyms];
  context.service = await startVitrine(options);
  await publishTo(context.service.dataDir, [
    settingsUpdated({}, { time: "2026-10-01T09:00:00Z" }),
    settingsUpdated({ name: "Old" }, { time: "2026-10-01T08:00:00Z" }),
    productUpserted({ id: 1, name: "Couch" }),
    productUpserted({ id: 2, name: "Lamp" }),
  ]);
  await context.service.ready();
});
test.after(async () => {
  assert.is((await context.service.stop()).code, 0);
});

test("serve is up at once, and ready when the first model is loaded", async () => {
  const service = await startVitrine();
  assert.is((await service.ops("/healthz")).status, 200);
  const before = await service.ops("/readyz");
  assert.is(before.status, 503);
  assert.match(before.text, "no read model is loaded yet");
  assert.is((await service.graphql("{ shop { name } }")).status, 503);

  await publishTo(service.dataDir, [
    settingsUpdated(),
    productUpserted({ name: "Cup" }),
    stockChanged(),
  ]);
  await service.ready();
  assert.equal(await productNames(service), ["Cup"]);
  assert.is((await service.stop()).code, 0);
});

test("metrics count the applied events and the requests", async () => {
  const { service } = context;
  const requests = 'vitrine_http_requests_total{route="graphql",method="POST",status="200"}';
  const earlier = (await metric(service, requests)) || 0;
  for (let request = 0; request < 6; request += 1) await productNames(service);
  await until(
    () => metric(service, requests),
    (count) => count === earlier + 6,
  );
  await until(
    () => metric(service, "vitrine_events_applied_total"),
    (count) => count === 3,
  );
  assert.is(await metric(service, "vitrine_events_stale_total"), 1);
  assert.is(await metric(service, "vitrine_events_rejected_total"), 0);
  assert.is(await metric(service, "vitrine_checkpoint_sequence"), 4);
  assert.is(await metric(service, "vitrine_log_last_sequence"), 4);
  assert.is(await metric(service, "vitrine_lag_events"), 0);
  assert.is(await metric(service, "vitrine_lag_seconds"), 0);
  assert.is(await metric(service, 'vitrine_projector_state{state="live"}'), 1);
  assert.ok((await metric(service, "vitrine_batch_duration_seconds_count")) >= 1);
});

test("serve restarts a killed projector and killed HTTP processes, and loses nothing", async () => {
  const { service } = context;
  const supervisor = Number(service.child.pid);
  const before = await childrenOf(supervisor);
  assert.equal([...before.keys()].sort(), [
    "vitrine http-1",
    "vitrine http-2",
    "vitrine projector",
  ]);
  const environment = readFileSync(`/proc/${before.get("vitrine http-1")}/environ`, "utf8");
  assert.match(
    environment,
    "MALLOC_MMAP_THRESHOLD_=65536",
    "large blocks are returned to the system",
  );
  assert.match(environment, "MALLOC_ARENA_MAX=1", "one heap for all threads");
  assert.match(environment, "NODE_OPTIONS=--max-semi-space-size=32", "a large young generation");
  const projector = readFileSync(`/proc/${before.get("vitrine projector")}/environ`, "utf8");
  assert.match(projector, "NODE_OPTIONS=--max-semi-space-size=8", "a small young generation");

  process.kill(before.get("vitrine http-1") as number, "SIGKILL");
  assert.equal(await productNames(service), ["Couch", "Lamp"]);

  process.kill(before.get("vitrine projector") as number, "SIGKILL");
  const { text } = await until(
    () => service.ops("/readyz"),
    ({ text }) => text.includes("silent"),
  );
  assert.match(text, "killed by SIGKILL");
  assert.equal(await productNames(service), ["Couch", "Lamp"]);
  await publishTo(service.dataDir, [productUpserted({ id: 3, name: "Pot" })]);
  await until(
    () => productNames(service),
    (names) => names.join() === "Couch,Lamp,Pot",
  );
  const after = await until(
    () => childrenOf(supervisor),
    (children) => children.size === 3 && children.has("vitrine http-1"),
  );
  for (const [title, pid] of before) {
    if (title !== "vitrine http-2") assert.is.not(after.get(title), pid);
  }
  assert.is(await metric(service, 'vitrine_restarts_total{process="projector"}'), 1);
  for (const name of ["vitrine_http_listening", "vitrine_http_answering"]) {
    await until(
      () => metric(service, name),
      (processes) => processes === 2,
    );
  }
});

/** Searches over a new connection, so that any worker may answer. */
const searched = async (service: RunningVitrine, query: string): Promise<readonly string[]> => {
  type Answer = { products: { nodes: { id: string }[] } };
  const { data } = await service.graphql<Answer>(
    `{ products(query: "${query}") { nodes { id } } }`,
  );
  return data.products.nodes.map(({ id }) => id);
};

/** Kills an HTTP process and waits until its successor answers. */
const replaceWorker = async (service: RunningVitrine, name: string): Promise<void> => {
  const workerPid = () => childPid(service, `vitrine ${name}`);
  const killed = await workerPid();
  process.kill(killed, "SIGKILL");
  await until(workerPid, (pid) => pid !== killed, 30);
};

/** Edits the synonyms file, replaces an HTTP process, and checks that all processes still answer by the first file. */
const rankAsBefore = async (edited: string, name: string): Promise<void> => {
  const { service } = context;
  assert.equal(await searched(service, "sofa"), ["1"]);
  writeFileSync(synonyms, edited);
  await replaceWorker(service, name);
  await until(
    () => metric(service, "vitrine_http_answering"),
    (processes) => processes === 2,
  );
  for (let request = 0; request < 30; request += 1) {
    assert.equal(await searched(service, "sofa"), ["1"]);
  }
};

test("a restarted HTTP process uses the synonyms of the start, whatever happened to their file", () =>
  rankAsBefore("sofa => => couch\n", "http-1"));

test("a restarted HTTP process ranks like the others, though the synonyms file was edited", () =>
  rankAsBefore("sofa => lamp\n", "http-2"));

const killHanging = async (): Promise<void> => {
  const service = await startVitrine([]);
  await publishTo(service.dataDir, [settingsUpdated(), productUpserted({ name: "Cup" })]);
  await service.ready();
  const server = () => childPid(service, "vitrine http-1");
  const hung = await server();
  process.kill(hung, "SIGSTOP");
  await until(
    () => service.ops("/readyz"),
    ({ status }) => status === 503,
    20,
  );
  assert.is(await metric(service, "vitrine_http_listening"), 0);
  assert.is(await metric(service, "vitrine_http_answering"), 0);
  await until(server, (pid) => pid !== hung, 60);
  await service.ready();
  assert.equal(await productNames(service), ["Cup"]);
  assert.is(await metric(service, 'vitrine_restarts_total{process="http-1"}'), 1);
  assert.is((await service.stop()).code, 0);
};

const killHangingStart = async (): Promise<void> => {
  const service = await startVitrine(["--workers", "1"]);
  await publishTo(service.dataDir, [settingsUpdated(), productUpserted({ name: "Cup" })]);
  await service.ready();
  const children = () => childProcessesOf(Number(service.child.pid));
  const before = await children();
  const [, first = 0] = before.find(([title]) => title === "vitrine http-1") ?? [];
  process.kill(first, "SIGKILL");
  // Until it executes its program, a child has the arguments of the supervisor, which waits in `fork` meanwhile.
  const isNew = ([title, pid]: readonly [string, number]) =>
    !title.includes(" serve ") && before.every(([, old]) => pid !== old);
  const [second] = (await until(children, (now) => now.some(isNew))).filter(isNew);
  process.kill(second?.[1] ?? 0, "SIGSTOP");
  await until(children, (now) => now.every(([, pid]) => pid !== second?.[1]), 120);
  await service.ready();
  assert.equal(await productNames(service), ["Cup"]);
  assert.is((await service.stop()).code, 0);
};

/** Begun with the first test, because the supervisor waits up to a minute for a process: the other tests run meanwhile. */
let hangs: { readonly running: Promise<void>; readonly starting: Promise<void> };
test.before(() => {
  hangs = { running: killHanging(), starting: killHangingStart() };
  for (const hang of Object.values(hangs)) hang.catch(() => undefined);
});

test("serve shows the lag of a hanging projector, and goes on answering", async () => {
  const { service } = context;
  const names = await productNames(service);
  const projector = await childPid(service, "vitrine projector");
  process.kill(projector, "SIGSTOP");
  const { text } = await until(
    () => service.ops("/readyz"),
    ({ status }) => status === 503,
  );
  assert.match(text, "seconds behind the event log; the limit is 3 (--max-lag)");
  assert.ok((await metric(service, "vitrine_lag_seconds")) > 3);
  assert.is(await metric(service, 'vitrine_projector_state{state="silent"}'), 1);
  assert.equal(await productNames(service), names);
  process.kill(projector, "SIGCONT");
  await service.ready();
});

/** Starts `project` on a directory that no other process has locked, and waits until it is ready. */
const startProject = async (dataDir: string) => {
  const projector = start(["project", "--ops-port", "0", "--data-dir", dataDir]);
  const [, ops] = await projector.says(/Ops +(http:\/\/[^/\s]+)/);
  await until(
    () => fetch(`${ops}/readyz`),
    ({ status }) => status === 200,
  );
  return { projector, ops };
};

test("serve ends within seconds with all its processes, and releases the directory", async () => {
  const service = await startVitrine(["--workers", "2"]);
  await publishTo(service.dataDir, [settingsUpdated(), productUpserted()]);
  await service.ready();
  const children = await childrenOf(Number(service.child.pid));
  const begun = performance.now();
  const { code, stderr } = await service.stop();
  assert.is(code, 0);
  assert.is(stderr, "");
  assert.ok(performance.now() - begun < 5000);
  for (const pid of children.values()) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  const { projector } = await startProject(service.dataDir);
  assert.is((await stop(projector)).code, 0);
});

test("a killed supervisor leaves no orphan", async () => {
  const service = await startVitrine();
  await publishTo(service.dataDir, [settingsUpdated(), productUpserted()]);
  await service.ready();
  const children = await childrenOf(Number(service.child.pid));
  service.child.kill("SIGKILL");
  await service.ended;
  const isGone = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };
  await until(async () => [...children.values()].every(isGone), Boolean);
  const { projector } = await startProject(service.dataDir);
  await stop(projector);
});

test("--demo loads the demo shop only into an empty journal, and prints what to try", async () => {
  const service = await startVitrine(["--demo"]);
  await service.says(/Ctrl-C ends it/);
  assert.match(service.stdout(), /loaded the demo shop: [\d,]+ events/);
  assert.match(service.stdout(), "curl -s http");
  assert.is((await service.ops("/readyz")).status, 200);
  type Answer = { products: { totalCount: number } };
  const { data } = await service.graphql<Answer>("{ products(first: 1) { totalCount } }");
  assert.ok(data.products.totalCount > 1000);
  await service.stop();
  const again = await startVitrine(["--demo"], { dataDir: service.dataDir });
  await again.says(/Ctrl-C ends it/);
  assert.not.match(again.stdout(), "loaded the demo shop");
  await again.stop();
});

test("a second projector of one directory is rejected", async () => {
  const { service } = context;
  const env = { DATA_DIR: service.dataDir };
  const runs = await Promise.all([
    run(["project", "--ops-port", "0"], { env }),
    run(["serve", "--port", "0", "--ops-port", "0"], { env }),
  ]);
  for (const { code, stderr } of runs) {
    assert.is(code, 3);
    assert.match(stderr, `another projector (process ${service.child.pid}) already writes to`);
  }
});

test("project maintains a model alone, with its own ops port", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  await publishTo(dataDir, [settingsUpdated(), productUpserted()]);
  const { projector, ops } = await startProject(dataDir);
  const metrics = await (await fetch(`${ops}/metrics`)).text();
  assert.match(metrics, "vitrine_events_applied_total 2");
  assert.is((await fetch(`${ops}/nothing`)).status, 404);
  assert.is((await fetch(`${ops}/readyz`, { method: "POST" })).status, 405);
  assert.is((await stop(projector)).code, 0);
});

test("serve and project end with the same message and exit code when the lock is lost", async () => {
  for (const command of ["serve", "project"]) {
    const dataDir = join(temporaryDirectory().path, "data");
    await publishTo(dataDir, [settingsUpdated()]);
    const ports = [...(command === "serve" ? ["--port", "0"] : []), "--ops-port", "0"];
    const running = start([command, ...ports, "--data-dir", dataDir]);
    await running.says(/Ops +http/);
    rmSync(join(dataDir, "projector.lock"), { recursive: true });
    const { code, stderr } = await running.ended;
    assert.is(code, 3, command);
    assert.match(stderr, "vitrine: the lock of the data directory was lost: ");
    assert.match(
      stderr,
      "-> check whether another service uses the directory, or its disk was disconnected",
    );
  }
});

test("serve goes on while standard error cannot be written, as on a full disk, and can be stopped", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  await publishTo(dataDir, [settingsUpdated(), productUpserted({ name: "Cup" })]);
  const full = openSync("/dev/full", "w");
  const ports = ["--port", "0", "--ops-port", "0", "--data-dir", dataDir, "--workers", "2"];
  const child = spawn(process.execPath, [...program, "serve", ...ports], {
    env: { PATH: process.env.PATH, LOG_LEVEL: "debug" },
    stdio: ["ignore", "pipe", full],
  });
  closeSync(full);
  let logText = "";
  child.stdout?.on("data", (text) => {
    logText += text;
  });
  const ended = once(child, "exit");
  const url = await until(
    async () => /answers on (http:\S+)/.exec(logText)?.[1],
    (found) => found !== undefined,
    30,
  );
  const answers = async () => (await fetch(`${url}/llms.txt`).catch(() => undefined))?.status;
  await until(answers, (status) => status === 200, 30);
  for (const [title, pid] of await childrenOf(child.pid ?? 0)) {
    if (title.includes("http-1") || title.includes("projector")) process.kill(pid, "SIGKILL");
  }
  // Their exits are logged, and they are restarted.
  await until(
    async () => [...(await childrenOf(child.pid ?? 0)).keys()].length,
    (count) => count >= 3,
    30,
  );
  await until(answers, (status) => status === 200, 30);
  child.kill("SIGTERM");
  assert.equal(await ended, [0, null]);
});

test("a hanging HTTP process is excluded, killed and restarted", () => hangs.running);

test("an HTTP process that hangs during its start is killed and restarted", () => hangs.starting);

test.run();
