import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../helpers/directory.ts";
import { effort, isLong } from "../helpers/effort.ts";
import {
  assertPublishedOnce,
  type DeliveringShop,
  type GatewayProcess,
  openDeliveringShop,
  readLog,
  startGatewayProcess,
} from "../helpers/gateway-process.ts";
import { type NatsServer, prepareNats } from "../helpers/nats.ts";
import { startProxy, type TcpProxy } from "../helpers/tcp-proxy.ts";
import { stop, until } from "../helpers/vitrine.ts";

const test = suite<{ nats: NatsServer; directory: string }>("outages of the gateway's log");

test.before.each(async (context) => {
  context.nats = await prepareNats();
  context.directory = temporaryDirectory().path;
});
test.after.each(({ nats }) => nats.remove());

/** Pause of a client, so that the inbox does not fill in the long form. */
const everyMs = effort(5, 40);

const startAt = (directory: string, url: string): Promise<GatewayProcess> =>
  startGatewayProcess(directory, { args: ["--events", url] });

/** Stops the gateway when its inbox is empty, and checks the log. */
const assertAllPublished = async (
  { nats, directory }: { readonly nats: NatsServer; readonly directory: string },
  gateway: GatewayProcess,
  shop: DeliveringShop,
): Promise<void> => {
  await gateway.drained();
  assert.is((await gateway.ops("/readyz")).status, 200);
  assert.is((await stop(gateway)).code, 0);
  assertPublishedOnce(shop, await readLog(nats.url, directory));
};

/** Resolves when the log has events of the gateway. */
const untilPublished = (gateway: GatewayProcess) =>
  until(
    async () => (await gateway.ops("/metrics")).text,
    (text) => /^vitrine_gateway_events_total\{.*\} [1-9]/m.test(text),
  );

const awayMs = effort(3_000, 120_000);

test(`while the broker is away for ${awayMs / 1_000} s, each delivery is answered 200, and later published once`, async (context) => {
  const { nats, directory } = context;
  await nats.start();
  const gateway = await startAt(directory, nats.url);
  const shop = openDeliveringShop();
  const sending = shop.start(gateway.url, everyMs);
  await untilPublished(gateway);
  await nats.kill();
  const before = shop.answered.size;
  const back = delay(awayMs);
  if (isLong) {
    const { text } = await until(
      () => gateway.ops("/readyz"),
      ({ status }) => status === 503,
      75,
    );
    assert.match(text, "connection main: nothing could be published for 60 s");
  }
  await back;
  assert.ok(shop.answered.size > before + 100, `${shop.answered.size - before} answers meanwhile`);
  await nats.start();
  await shop.more(100);
  await sending.stop();
  assert.equal(shop.refusals, []);
  await assertAllPublished(context, gateway, shop);
});

test("a gateway that starts without its broker takes deliveries, and publishes them once it is there", async (context) => {
  const { nats, directory } = context;
  const gateway = await startAt(directory, nats.url);
  const shop = openDeliveringShop();
  const sending = shop.start(gateway.url, everyMs);
  await shop.more(100);
  await nats.start();
  await untilPublished(gateway);
  await sending.stop();
  assert.equal(shop.refusals, []);
  await assertAllPublished(context, gateway, shop);
});

/** Faults of a connection to a broker, one after the other. */
const faults: readonly ((proxy: TcpProxy) => void)[] = [
  (proxy) => proxy.slow(200_000),
  (proxy) => proxy.slow(10_000),
  (proxy) => proxy.reset(),
  (proxy) => proxy.stall(),
  (proxy) => proxy.reset(),
];

test("while the broker is slow, stalls and breaks connections, each delivery is answered 200, and later published once", async (context) => {
  const { nats, directory } = context;
  await nats.start();
  const proxy = await startProxy(nats.port);
  const gateway = await startAt(directory, `nats://127.0.0.1:${proxy.port}`);
  const shop = openDeliveringShop();
  const sending = shop.start(gateway.url, everyMs);
  await untilPublished(gateway);
  for (const fault of faults) {
    fault(proxy);
    await Promise.all([shop.more(100), delay(effort(500, 20_000))]);
  }
  proxy.heal();
  await shop.more(100);
  await sending.stop();
  assert.equal(shop.refusals, []);
  await assertAllPublished(context, gateway, shop);
  await proxy.close();
});

test.run();
