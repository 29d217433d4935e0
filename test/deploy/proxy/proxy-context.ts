import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { categoryUpserted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { ndjson, type RunningVitrine, run, startVitrine } from "../../helpers/vitrine.ts";
import { type Answer, type HttpsClient, openClient } from "./https-client.ts";
import { type Relay, startRelay } from "./relay.ts";
import { type StandInShop, startShop } from "./stand-in-shop.ts";
import { hostName, type RunningProxy, type Upstreams } from "./start-proxy.ts";

/** A proxy before a real service and a stand-in shop. */
export interface ProxyContext {
  readonly service: RunningVitrine;
  readonly relay: Relay;
  readonly shop: StandInShop;
  readonly proxy: RunningProxy;
  /** Client at the usual address. */
  readonly client: HttpsClient;
}

/** Tests of one proxy. */
export type ProxyTest = Test<{ readonly context: ProxyContext }>;

/** Starts a proxy before the service and the shop. */
export type StartProxy = (upstreams: Upstreams) => Promise<RunningProxy>;

/** Requests a minute for each client address. */
export const rateLimit = 150;

/** Starts the service, the shop and the proxy. @param args further options of `serve` */
export const openProxy = async (
  startProxy: StartProxy,
  args: readonly string[] = [],
): Promise<ProxyContext> => {
  const service = await startVitrine([
    ...["--trust-proxy", "1", "--base-url", `https://${hostName}`],
    ...["--rate-limit", String(rateLimit), ...args],
  ]);
  await publish(service, [settingsUpdated(), categoryUpserted(), productUpserted({ id: 1 })]);
  await service.ready();
  const [relay, shop] = await Promise.all([
    startRelay(Number(new URL(service.url).port)),
    startShop(),
  ]);
  const proxy = await startProxy({ vitrine: relay.port, shop: shop.port });
  const client = await openClient(proxy.port, hostName);
  return { service, relay, shop, proxy, client };
};

export const publish = async (
  { dataDir }: RunningVitrine,
  events: readonly unknown[],
): Promise<void> => {
  const { code, stderr } = await run(["publish", "-", "--data-dir", dataDir], {
    input: ndjson(events),
  });
  assert.is(code, 0, stderr);
};

export const closeProxy = async (context: ProxyContext): Promise<void> => {
  context.client.close();
  await context.proxy.stop();
  await context.service.stop();
  context.relay.close();
  context.shop.close();
};

export const isShop = ({ headers }: Answer): boolean => headers["x-answered-by"] === "shop";
