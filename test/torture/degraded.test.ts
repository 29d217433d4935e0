import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { packageRoot } from "../../src/package-info.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { type NatsServer, natsOperator, startNats } from "../helpers/nats.ts";
import { append } from "../helpers/projector.ts";
import { startProxy, type TcpProxy } from "../helpers/tcp-proxy.ts";
import { childPid, type RunningVitrine, run, startVitrine, until } from "../helpers/vitrine.ts";

/**
 * States in which events are not applied: reads go on, and every surface reports the state, since when, and
 * what to do.
 */
const test = suite<BrokerContext>("degraded modes");
const pages = readFileSync(join(packageRoot, "deploy", "runbook.md"), "utf8");

interface BrokerContext {
  nats: NatsServer;
  /** Between the service and the broker. */
  proxy: TcpProxy;
  log: EventLog;
  service: RunningVitrine;
}

const products = (from: number, count: number): readonly CloudEvent[] =>
  Array.from({ length: count }, (_, at) => productUpserted({ id: from + at }));

test.before(async (context) => {
  context.nats = await startNats();
  context.proxy = await startProxy(context.nats.port);
  context.log = await openEventLog(context.nats.url, { dataDir: "", now: Date.now });
  await append(context.log, settingsUpdated(), ...products(1, 20));
  context.service = await serve(context.proxy);
});
test.before.each(({ service }) => isReady(service));
test.after(async ({ nats, proxy, log, service }) => {
  await service.stop();
  await proxy.close();
  await log.close();
  await nats.remove();
});

const serve = ({ port }: TcpProxy, dataDir?: string): Promise<RunningVitrine> => {
  const bug = pathToFileURL(join(packageRoot, "test", "helpers", "bug.mjs")).href;
  return startVitrine(["--events", `nats://127.0.0.1:${port}`, "--max-lag", "2"], {
    env: { NODE_OPTIONS: `--import ${bug}` },
    ...(dataDir !== undefined && { dataDir }),
  });
};

const isReady = async (service: RunningVitrine): Promise<void> => {
  await until(
    async () => [(await service.ops("/readyz")).status, (await statusOf(service)).state],
    ([status, state]) => status === 200 && state === "live",
    60,
  );
};

const statusOf = async (service: RunningVitrine) => JSON.parse((await service.ops("/status")).text);

interface ExpectedReport {
  readonly state: string;
  /** Part of the reason. */
  readonly says: string;
  /** Text in the runbook where it differs from the reason. */
  readonly runbook?: string;
}

/** Checks that every surface reports the state and that reads go on. @returns the time since when */
const checkReported = async (
  service: RunningVitrine,
  begun: number,
  { state, says, runbook = says }: ExpectedReport,
): Promise<string> => {
  // Repeated, because a projector that tries again may be silent for a moment on a busy machine.
  await until(
    () => service.ops("/readyz"),
    ({ status, text }) => status === 503 && JSON.parse(text).reasons.join("\n").includes(says),
    60,
  );
  const { status, reason } = await until(
    () => statusOf(service),
    (now) => now.state === state,
  );
  assert.match(reason, says);
  const since = Date.parse(status.since);
  assert.ok(since >= begun - 1_000 && since <= Date.now(), `since ${status.since}`);
  const { text: metrics } = await service.ops("/metrics");
  assert.match(metrics, `vitrine_projector_state{state="${state}"} 1`);
  assert.match(metrics, `vitrine_projector_state_since_timestamp_seconds ${since / 1000}`);
  await until(
    () => run(["status", "--data-dir", service.dataDir, ...portOf(service)]),
    ({ stdout }) => stdout.includes(state) && stdout.includes(says),
  );
  assert.match(pages, runbook);
  type SentRequest = { readonly products: { readonly totalCount: number } };
  const answer = await service.graphql<SentRequest>("{ products { totalCount } }");
  assert.is(answer.status, 200);
  assert.ok(answer.data.products.totalCount >= 20);
  await until(
    () => ageOf(service),
    (seconds) => seconds >= 2,
  );
  return status.since;
};

/** Data age in seconds of an answer. */
const ageOf = async ({ url }: RunningVitrine): Promise<number> => {
  const { headers } = await fetch(`${url}/llms.txt`);
  return Number(headers.get("x-data-age") ?? Number.NaN);
};

const portOf = ({ opsUrl }: RunningVitrine) => ["--ops-port", new URL(opsUrl).port] as const;

test("degraded: the broker is unreachable", async ({ nats, service }) => {
  const begun = Date.now();
  await nats.stop();
  await checkReported(service, begun, {
    state: "waiting",
    says: "not connected",
    runbook: "state `waiting`, the reason names the address and what failed",
  });
  await nats.start();
});

test("degraded: the broker is unreachable from the start", async (context) => {
  const { nats, proxy } = context;
  const last = Date.parse((await statusOf(context.service)).status.checkpointTime);
  await until(
    () => ageOf(context.service),
    (seconds) => seconds <= 1,
  );
  await context.service.stop();
  await nats.stop();
  const begun = Date.now();
  context.service = await serve(proxy, context.service.dataDir);
  // Before the first attempt it reports that it is starting.
  await until(
    () => context.service.ops("/readyz"),
    ({ text }) => text.includes("nats://127.0.0.1:"),
    60,
  );
  await checkReported(context.service, begun, {
    state: "waiting",
    says: "nats://127.0.0.1:",
    runbook: "state `waiting`, the reason names the address and what failed",
  });
  assert.is((await context.service.ops("/healthz")).status, 200);
  // Later events are unknown: answers are at least as old as the last event they include.
  const age = await ageOf(context.service);
  assert.ok(age >= (Date.now() - last) / 1_000 - 2, `${age} seconds`);
  await nats.start();
  const back = performance.now();
  await until(
    () => statusOf(context.service),
    ({ state }) => state === "live",
  );
  assert.ok(performance.now() - back < 2_500, `${performance.now() - back} ms until it was live`);
});

test("degraded: the broker is unreachable and the only model in quarantine: 503, and no process ends", async (context) => {
  const { nats, proxy } = context;
  const { dataDir } = context.service;
  await context.service.stop();
  await nats.stop();
  const directory = openDataDirectory(dataDir);
  for (const generation of directory.generations()) directory.quarantine(generation);
  context.service = await serve(proxy, dataDir);
  const unready = await until(
    () => context.service.ops("/readyz"),
    ({ text }) => text.includes("nats://127.0.0.1:"),
    60,
  );
  assert.is(unready.status, 503);
  assert.is((await context.service.ops("/healthz")).status, 200);
  const page = await fetch(`${context.service.url}/llms.txt`);
  assert.is(page.status, 503);
  assert.ok(Number(page.headers.get("retry-after")) > 0);
  await nats.start();
  await until(
    () => statusOf(context.service),
    ({ state }) => state === "live",
    60,
  );
  assert.is((await fetch(`${context.service.url}/llms.txt`)).status, 200);
});

test("degraded: the disk is full", async ({ log, service }) => {
  const begun = Date.now();
  const pid = String(await childPid(service, "vitrine projector"));
  const live = openDataDirectory(service.dataDir).live() ?? "";
  const size = statSync(join(live, "data.mdb")).size + 16_384;
  execFileSync("prlimit", ["--pid", pid, `--fsize=${size}:`]);
  try {
    await append(log, ...products(100, 400));
    const since = await checkReported(service, begun, {
      state: "faulted",
      says: "make room on the disk of",
    });
    const tries = () => service.stderr().split("a batch cannot be written; trying again").length;
    const before = tries();
    await until(
      async () => tries(),
      (now) => now >= before + 2,
    );
    assert.is((await statusOf(service)).status.since, since, "not since the latest attempt");
  } finally {
    execFileSync("prlimit", ["--pid", pid, "--fsize=unlimited:"]);
  }
});

test("degraded: the log was trimmed before it was read, until the shop publishes everything again", async (context) => {
  const { nats, proxy, log, service } = context;
  const begun = Date.now();
  proxy.cut();
  const operator = await natsOperator(nats.url);
  await append(log, ...products(1_000, 20));
  await operator.streams.purge("SHOP", { keep: 5 });
  proxy.heal();
  await checkReported(service, begun, { state: "faulted", says: "are gone before they were read" });
  await operator.disconnect();
  await recreateLog(context);
});

/** The shop creates the log again under the same name. */
const recreateLog = async (context: BrokerContext): Promise<void> => {
  const { nats, log } = context;
  const operator = await natsOperator(nats.url);
  await operator.streams.delete("SHOP");
  await operator.disconnect();
  await log.close();
  context.log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  await append(context.log, settingsUpdated(), ...products(1, 20), ...products(100, 400));
};

const bugs = {
  "a projection has a bug": {
    event: () => productUpserted({ id: 1 }, { id: "bug" }),
    says: "failed at sequence",
  },
  "deriving rows has a bug": {
    event: () => productUpserted({ id: 666 }),
    says: "deriving tables failed for events",
  },
};
for (const [name, { event, says }] of Object.entries(bugs)) {
  test(`degraded: ${name}, until the shop publishes everything in a log without that event`, async (context) => {
    const { nats, log, service } = context;
    const begun = Date.now();
    const { status: before } = await statusOf(service);
    await append(log, event());
    await checkReported(service, begun, { state: "faulted", says });
    // Unapplied events are counted, and the reachability of the log is reported throughout.
    await append(log, ...products(1, 3));
    await until(
      () => statusOf(service),
      ({ status }) => status.logReachable && status.lagEvents === 4,
    );
    await nats.stop();
    await until(
      () => statusOf(service),
      ({ status, state }) => !status.logReachable && state === "faulted",
      20,
    );
    await nats.start();
    await until(
      () => statusOf(service),
      ({ status }) => status.logReachable,
      20,
    );
    const rollback = await run(["rollback", "--data-dir", service.dataDir, "--json"]);
    assert.ok([0, 3, 5].includes(rollback.code ?? -1), rollback.stderr);
    await recreateLog(context);
    // The new log may end where the old one did. The service then finds at its next check that the content is other.
    await until(
      () => statusOf(service),
      ({ status, state }) => state === "live" && status.generation !== before.generation,
    );
    await isReady(service);
  });
}

test.run();
