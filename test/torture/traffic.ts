/** Mixed traffic: the peak of a service, and a constant share of it that does not depend on the responses. */
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { callTool, productRequest, query, type SentRequest } from "../bench/exchanges.ts";

/** The n-th request; the kinds alternate. */
export type Mix = (turn: number) => SentRequest;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** @param products number of products, with ids from 1 */
export const mixOf = (products: number, token: string): Mix => {
  const get = (path: string, headers = {}): SentRequest => ({ method: "GET", path, headers });
  const page = query("{ products(first: 50) { edges { node { id name price { amount } } } } }", {});
  const search = query('{ products(query: "edition", first: 10) { totalCount } }', {});
  const kinds: readonly ((id: number) => SentRequest)[] = [
    () => page,
    (id) => productRequest(`${id}`),
    () => search,
    (id) => callTool(token, id, "get_product", { product_id: id }),
    () => callTool(token, 1, "search_products", { query: "product", limit: 10 }),
    (id) => get(`/products/${id}.md`),
    () => get("/llms.txt", { "accept-encoding": "br" }),
    () => get("/agent-sitemap.xml"),
  ];
  return (turn) => (kinds[turn % kinds.length] as (typeof kinds)[0])(1 + (turn % products));
};

/**
 * The service rejects connections of a client beyond 1,500 per process: requests wait here when all are in
 * use, and their wait counts.
 */
const maxSockets = 500;

/**
 * Connections are kept alive and used in turn; the last-used ones could all belong to one process. As many
 * stay open as were needed at once, because opening one costs a client most.
 */
const agent = new Agent({
  keepAlive: true,
  scheduling: "fifo",
  maxSockets,
  maxFreeSockets: maxSockets,
});

/** Number of connections of these clients; the service has a descriptor for each. */
export const connections = (): number =>
  [agent.sockets, agent.freeSockets]
    .flatMap((held) => Object.values(held))
    .reduce((sum, sockets = []) => sum + sockets.length, 0);

export const send = (url: string, { method, path, headers, body }: SentRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asking = request(url + path, { method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      );
    });
    asking.on("error", reject);
    asking.end(body);
  });

/** Measures the responses per second to clients that send the next request when they have a response. */
export const peakOf = async (
  ask: () => Promise<unknown>,
  clients: number,
  seconds: number,
): Promise<number> => {
  const begun = performance.now();
  let answered = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < begun + 1_000 * seconds) {
      await ask();
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (1_000 * answered) / (performance.now() - begun);
};

/** Interval in ms of the checks for due requests. */
const tick = 5;

export interface When {
  /** By `performance.now()`; it may change while requests are sent. */
  readonly end: number;
  rests(): boolean;
}

/**
 * Sends requests at a constant rate, however long the responses take: a client that waits for a response
 * sends less to a slow service (coordinated omission). Nothing is due while it rests.
 */
export const keepAsking = async (
  ask: (due: number) => Promise<void>,
  perSecond: () => number,
  when: When,
): Promise<void> => {
  const waiting = new Set<Promise<void>>();
  for (let due = performance.now(); due < when.end; await delay(tick)) {
    const now = performance.now();
    if (when.rests()) due = now;
    for (; due < Math.min(now, when.end); due += 1_000 / perSecond()) {
      const sent: Promise<void> = ask(due).finally(() => waiting.delete(sent));
      waiting.add(sent);
    }
  }
  await Promise.all(waiting);
};
