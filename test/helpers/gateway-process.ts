/** Runs `vitrine gateway` as a process, and a shop that sends it deliveries. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openEventLog } from "../../src/event-log/open.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { productBody } from "../connectors/shopify/bodies.ts";
import { readAll, secret, signedHeaders } from "./gateway.ts";
import { type Running, type RunOptions, start, until } from "./vitrine.ts";

export const shopifyConnection = {
  ...{ platform: "shopify", url: "https://shop.example", currency: "EUR", categories: "none" },
  secret: { env: "SHOPIFY_SECRET" },
};

/** Environment of a gateway with connections of tests. */
export const gatewayEnv = { SHOPIFY_SECRET: secret };

/** Writes a file of connections, and returns the arguments that name it. */
export const gatewayArguments = (
  directory: string,
  connections: object = { main: shopifyConnection },
): string[] => {
  const file = join(directory, "connections.json");
  writeFileSync(file, JSON.stringify({ connections }));
  const ports = ["--gateway-port", "0", "--gateway-ops-port", "0"];
  return ["gateway", "--connections", file, "--data-dir", join(directory, "data"), ...ports];
};

export interface GatewayProcess extends Running {
  readonly url: string;
  readonly dataDir: string;
  ops(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Resolves when no delivery waits. */
  drained(): Promise<void>;
}

export interface GatewayProcessOptions extends RunOptions {
  readonly connections?: object;
  /** Further arguments, such as those of the log. */
  readonly args?: readonly string[];
}

/** Starts a gateway with its data in `data` of a directory; by default with a journal. */
export const startGatewayProcess = async (
  directory: string,
  { connections, args = [], env, ...options }: GatewayProcessOptions = {},
): Promise<GatewayProcess> => {
  const running = start([...gatewayArguments(directory, connections), ...args], {
    ...{ ...options, env: { ...gatewayEnv, ...env } },
  });
  const [, url = ""] = await running.says(/(http:\S+)\/connections\//);
  const [, opsUrl = ""] = await running.says(/Ops +(http:\S+)\/readyz/);
  const ops = async (path: string) => {
    const response = await fetch(`${opsUrl}${path}`, { headers: { connection: "close" } });
    return { status: response.status, text: await response.text() };
  };
  return {
    ...{ ...running, url, ops, dataDir: join(directory, "data") },
    async drained() {
      await until(
        async () => depthsIn((await ops("/metrics")).text),
        (depths) => depths.every((depth) => depth === 0),
        120,
      );
    },
  };
};

const depthsIn = (metrics: string): readonly number[] =>
  [...metrics.matchAll(/^vitrine_gateway_inbox_deliveries\{.*\} (\d+)$/gm)].map(([, depth]) =>
    Number(depth),
  );

/** Answer to a delivery of a product; the status is 0 when there was none. */
export interface DeliveryAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** A shop that sends each of its products once. */
export interface DeliveringShop {
  /** Numbers of the products whose deliveries were answered 200. */
  readonly answered: ReadonlySet<number>;
  /** Answers other than 200, in their sequence. */
  readonly refusals: readonly DeliveryAnswer[];
  /** Sends one product. */
  send(url: string): Promise<DeliveryAnswer>;
  /** Sends with some clients at a time until the stop. @param everyMs pause of a client between two deliveries */
  start(url: string, everyMs?: number): { stop(): Promise<void> };
  /** Resolves when this many more deliveries were answered 200. */
  more(count: number): Promise<void>;
}

const clients = 8;

export const openDeliveringShop = (): DeliveringShop => {
  const answered = new Set<number>();
  const refusals: DeliveryAnswer[] = [];
  let last = 0;
  const send = async (url: string): Promise<DeliveryAnswer> => {
    last += 1;
    const id = last;
    const answer = await deliver(url, JSON.stringify(productBody({ id, handle: `p-${id}` })));
    if (answer.status === 200) answered.add(id);
    else refusals.push(answer);
    return answer;
  };
  return {
    ...{ answered, refusals, send },
    start(url, everyMs = 0) {
      let isRunning = true;
      const client = async (): Promise<void> => {
        while (isRunning) {
          await send(url);
          if (everyMs > 0) await delay(everyMs);
        }
      };
      const running = Array.from({ length: clients }, client);
      return {
        async stop() {
          isRunning = false;
          await Promise.all(running);
        },
      };
    },
    async more(count) {
      const target = answered.size + count;
      await until(
        async () => answered.size,
        (size) => size >= target,
        60,
        5,
      );
    },
  };
};

/** Sends a body of `products/update` to the connection `main`. */
export const deliver = async (url: string, body: string): Promise<DeliveryAnswer> => {
  const headers = signedHeaders("products/update", body);
  try {
    const response = await fetch(`${url}/connections/main`, { method: "POST", headers, body });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get("retry-after"), text };
  } catch (error) {
    // The gateway was killed before its answer.
    return { status: 0, retryAfter: null, text: String(error) };
  }
};

/** Reads all events of a log. @param address as `--events` names it */
export const readLog = async (address: string, dataDir: string): Promise<readonly CloudEvent[]> =>
  readAll(await openEventLog(address, { dataDir, now: Date.now, readOnly: true }));

/** Asserts that each answered product is in the log, that each product is once, and that no event id repeats. */
export const assertPublishedOnce = (
  { answered }: DeliveringShop,
  events: readonly CloudEvent[],
): void => {
  const published = events
    .filter(({ type }) => type === "shop.product.upserted")
    .map(({ subject }) => Number(subject.split("/")[1]));
  const products = new Set(published);
  const missing = [...answered].filter((id) => !products.has(id));
  assert.equal(missing, [], "answered deliveries are missing");
  assert.is(products.size, published.length, "a product is twice in the log");
  const ids = new Set(events.map(({ id }) => id));
  assert.is(ids.size, events.length, "an event id is twice in the log");
};
