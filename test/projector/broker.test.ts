import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { VitrineError } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { sendRequest } from "../../src/projector/control/client.ts";
import type { ControlRequest } from "../../src/projector/control/request.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import { type NatsServer, natsOperator, startNats } from "../helpers/nats.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { startProxy, type TcpProxy } from "../helpers/tcp-proxy.ts";

interface BrokerContext {
  readonly home: TemporaryDirectory;
  readonly nats: NatsServer;
  readonly log: EventLog;
  readonly data: string;
}

const test = suite<BrokerContext>("projector on a broker");

test.before.each(async (context) => {
  const home = temporaryDirectory();
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: home.path, now: Date.now });
  Object.assign(context, { home, nats, log, data: join(home.path, "data") });
});
test.after.each(async ({ home, nats, log }) => {
  await log.close();
  await nats.remove();
  home.remove();
});

const products = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => productUpserted({ id: from + at }));

test("while the broker is away reads go on; when it is back the projector goes on from its checkpoint", async ({
  nats,
  log,
  data,
}) => {
  await append(log, ...products(3));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(3));
  await nats.kill();
  const { reason } = await projector.until(({ state }) => state === "waiting");
  assert.match(reason ?? "", "reads go on");
  await projector.until(({ reason: why }) =>
    /not connected: connection refused; reads/.test(`${why}`),
  );
  await projector.until(({ lagSeconds }) => lagSeconds > 0.2);
  assert.is(await projector.read((snapshot) => snapshot.counts().products), 3);
  await nats.start();
  await append(log, ...products(2, 10));
  await projector.until(isLiveAt(5));
  assert.is(projector.status().tally.applied, 5);
  await projector.stop();
});

/**
 * Seconds within which a lost broker is noticed, and events are applied once it is back
 * (`deploy/promises.md`, 10).
 */
const noticedWithin = 10;
const appliedWithin = 2;

/**
 * Minimum outage in ms: by then the delays between two attempts have grown to their limits. They are 1 s for the connection and
 * the consumer, and 5 s in `retryWhileUnavailable`, which a reconnect ends.
 */
const awayFor = 4_000;

interface Loss {
  readonly lose: (nats: NatsServer, proxy: TcpProxy) => void;
  readonly heal: (nats: NatsServer, proxy: TcpProxy) => void;
}

const losses: Readonly<Record<string, Loss>> = {
  "connections are reset and refused": {
    lose: (_, { cut }) => cut(),
    heal: (_, { heal }) => heal(),
  },
  "nothing moves on the connection": {
    lose: (_, { stall }) => stall(),
    heal: (_, { heal }) => heal(),
  },
  "the broker stands still": { lose: ({ pause }) => pause(), heal: ({ resume }) => resume() },
};

for (const [name, { lose, heal }] of Object.entries(losses)) {
  test(`${name}: noticed within ${noticedWithin} s, and events applied within ${appliedWithin} s of its end`, async ({
    nats,
    log,
    home,
    data,
  }) => {
    const proxy = await startProxy(nats.port);
    const url = `nats://127.0.0.1:${proxy.port}`;
    await append(log, ...products(3));
    const followed = await openEventLog(url, { dataDir: home.path, now: Date.now });
    const projector = startProjector(data, followed);
    await projector.until(isLiveAt(3));
    const lost = performance.now();
    lose(nats, proxy);
    await projector.until(({ state, logReachable }) => state === "waiting" && !logReachable);
    mustBeWithin(noticedWithin, lost, "noticed");
    await delay(Math.max(0, lost + awayFor - performance.now()));
    const healed = performance.now();
    heal(nats, proxy);
    await append(log, ...products(2, 10));
    await projector.until(isLiveAt(5));
    mustBeWithin(appliedWithin, healed, "applied");
    await projector.stop();
    await followed.close();
    await proxy.close();
  });
}

const mustBeWithin = (seconds: number, since: number, what: string): void => {
  const took = (performance.now() - since) / 1_000;
  assert.ok(took <= seconds, `${what} after ${took.toFixed(1)} s, not within ${seconds} s`);
};

test("while the broker is away control requests that need no log are done, and others rejected", async ({
  nats,
  log,
  data,
}) => {
  await append(log, ...products(2), productUpserted({ id: 9, name: 5 as never }));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(3));
  await nats.kill();
  await projector.until(({ state }) => state === "waiting");
  const send = (request: ControlRequest) =>
    sendRequest(data, request, () => Promise.resolve(true), AbortSignal.timeout(30_000));
  assert.equal(await send({ kind: "discard", sequences: [3] }), { discarded: [3] });
  const refused = await send({ kind: "retry", sequences: [3] }).catch(
    (error) => error as VitrineError,
  );
  assert.is((refused as VitrineError).code, "event_log");
  await nats.start();
  await append(log, ...products(1, 10));
  await projector.until(isLiveAt(4));
  await projector.stop();
});

test("a stream that is deleted and created again causes a rebuild", async ({ nats, log, data }) => {
  await append(log, ...products(5));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(5));
  const previousGeneration = projector.directory.live();
  const operator = await natsOperator(nats.url);
  const { config } = await operator.streams.info("SHOP");
  await operator.streams.delete("SHOP");
  await operator.streams.add(config);
  await append(log, ...products(6, 100));
  await projector.until((status) => status.generation !== "0001" && isLiveAt(6)(status));
  assert.is.not(projector.directory.live(), previousGeneration);
  assert.ok(await projector.read((snapshot) => snapshot.product(105)));
  assert.is(await projector.read((snapshot) => snapshot.product(1)), undefined);
  await operator.disconnect();
  await projector.stop();
});

test("a stream purged past the checkpoint is a gap: the projector stops, reports it, and reads go on", async ({
  nats,
  log,
  data,
}) => {
  await append(log, ...products(3));
  const first = startProjector(data, log);
  await first.until(isLiveAt(3));
  await first.stop();
  await append(log, ...products(4, 10));
  const operator = await natsOperator(nats.url);
  await operator.streams.purge("SHOP", { seq: 6 });
  await operator.disconnect();
  const second = startProjector(data, log);
  const { reason } = await second.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "events 4 to 5 are gone");
  assert.is(await second.read((snapshot) => snapshot.counts().products), 3);
  await second.stop();
});

test("an event deleted within the stream is a legal hole", async ({ nats, log, data }) => {
  await append(log, ...products(5));
  const operator = await natsOperator(nats.url);
  await operator.streams.deleteMessage("SHOP", 3);
  await operator.disconnect();
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(5));
  assert.is(await projector.read((snapshot) => snapshot.counts().products), 4);
  await projector.stop();
});

test.run();
