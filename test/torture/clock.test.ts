import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, reportDone } from "../helpers/effort.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { type NatsServer, startNats } from "../helpers/nats.ts";
import { append, mustEqualReplay } from "../helpers/projector.ts";
import { publishTo } from "../helpers/publish.ts";
import { type RunningVitrine, run, startVitrine, until } from "../helpers/vitrine.ts";
import { openWallClock, type WallClock } from "./wall-clock.ts";

const test = suite<BrokerContext>("a wall clock that jumps");
const hour = 3_600;

/** Offsets from the right time in seconds; each lasts for some reports of the projector. */
const jumps = [hour, 0, -hour, 400 * 24 * hour, -400 * 24 * hour, 90, 0];

const statusOf = async (service: { ops(path: string): Promise<{ text: string }> }) =>
  JSON.parse((await service.ops("/status")).text);

interface BrokerContext {
  readonly nats: NatsServer;
  readonly log: EventLog;
  readonly clock: WallClock;
  readonly service: RunningVitrine;
}

const life = shopAtWork(100, 1_000_000);
const next = (count: number) => Array.from({ length: count }, () => life.next().value);

test.before(async (context) => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  const clock = openWallClock();
  await append(log, settingsUpdated(), ...next(200));
  const service = await startVitrine(["--events", nats.url, "--workers", "2"], { env: clock.env });
  await service.ready();
  Object.assign(context, { nats, log, clock, service });
});
test.before.each(({ clock }) => clock.set(0));
test.after(async ({ nats, log, service }) => {
  assert.is((await service.stop()).code, 0);
  await log.close();
  await nats.remove();
});

test("clock jumps while events arrive: nothing is lost, restarted, unready or late", async ({
  log,
  clock,
  service,
}) => {
  let { last } = await log.bounds();
  const lags: number[] = [];
  for (let turn = 0; turn < amount(jumps.length); turn += 1) {
    clock.set(jumps[turn % jumps.length] ?? 0);
    for (let read = 0; read < 8; read += 1) {
      await append(log, ...next(25));
      last += 25;
      const { state, reason, lagSeconds } = await statusOf(service);
      assert.ok(["live", "replaying"].includes(state), `${state}: ${reason}`);
      lags.push(lagSeconds);
      const { status, text } = await service.ops("/readyz");
      assert.is(status, 200, text);
      assert.is((await service.graphql("{ products(first: 1) { totalCount } }")).status, 200);
      await delay(60);
    }
    reportDone(turn + 1);
  }
  assert.ok(Math.max(...lags) < 30, `a lag of ${Math.max(...lags)} seconds was reported`);
  await until(
    () => statusOf(service),
    ({ status }) => status.checkpoint === last,
    30,
  );
  assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
  await mustEqualReplay(service.dataDir, log, last);
});

test("after a backward jump during an outage the broker is found again", async ({
  nats,
  log,
  clock,
  service,
}) => {
  const { last } = await log.bounds();
  const isAt = (sequence: number) =>
    until(
      () => statusOf(service),
      ({ state, status }) => state === "live" && status.checkpoint === sequence,
      15,
    );
  await isAt(last);
  await nats.stop();
  await until(
    () => statusOf(service),
    ({ state }) => state === "waiting",
  );
  clock.set(-hour);
  await delay(100);
  await nats.start();
  await append(log, settingsUpdated({ name: "Later" }));
  await isAt(last + 1);
});

test("a journal with records of differing clocks is read in its own sequence", async () => {
  const clock = openWallClock();
  const service = await startVitrine([], { env: clock.env });
  const begun = Date.now() - 3 * hour * 1_000;
  for (const [at, [seconds, name]] of (
    [
      [hour, "Ahead"],
      [-hour, "Behind"],
      [0, "Right"],
    ] as const
  ).entries()) {
    clock.set(seconds);
    const event = settingsUpdated({ name }, { time: new Date(begun + at).toISOString() });
    const input = JSON.stringify(event);
    const command = ["publish", "--data-dir", service.dataDir, "-"];
    const { code, stderr } = await run(command, { env: clock.env, input });
    assert.is(code, 0, stderr);
    await until(
      () => service.graphql<{ shop: { name: string } }>("{ shop { name } }"),
      ({ data }) => data?.shop.name === name,
      30,
    );
  }
  const { status, text } = await service.ops("/readyz");
  assert.is(status, 200, text);
  await service.stop();
});

test("rate limit, tokens and registrations do not depend on the wall clock", async () => {
  const clock = openWallClock();
  const dataDir = join(temporaryDirectory().path, "data");
  await publishTo(dataDir, [settingsUpdated()]);
  const service = await startVitrine(["--rate-limit", "12"], { dataDir, env: clock.env });
  await service.ready();
  const register = async (): Promise<{ readonly token: string; readonly status: number }> => {
    const response = await fetch(`${service.url}/v1/register`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "once" },
      body: JSON.stringify({ label: "clock" }),
    });
    return { ...((await response.json()) as { token: string }), status: response.status };
  };
  const call = async (token: string): Promise<number> => {
    const response = await fetch(`${service.url}/agent/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const { token } = await register();
  for (const seconds of [2 * hour, -2 * hour, 25 * hour, 0]) {
    clock.set(seconds);
    await delay(100);
    assert.is(await call(token), 200, `${seconds} s off`);
    assert.is((await register()).token, token, `${seconds} s off`);
  }
  while ((await call(token)) !== 429);
  for (const seconds of [2 * hour, -2 * hour, 0]) {
    clock.set(seconds);
    await delay(100);
    const response = await fetch(`${service.url}/llms.txt`);
    await response.arrayBuffer();
    assert.is(response.status, 429, `${seconds} s off`);
    const wait = Number(response.headers.get("retry-after"));
    assert.ok(wait > 0 && wait <= 60, `wait ${wait} seconds`);
  }
  await service.stop();
});

test.run();
