/** Mixed traffic: as much as a service bears, and a share of that, evenly, whether it is answered or not. */
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Asked, askProduct, callTool, query } from "../bench/exchanges.ts";

/** The n-th request; the kinds come in turn. */
export type Mix = (turn: number) => Asked;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** @param products how many there are, ids from 1 on */
export const mixOf = (products: number, token: string): Mix => {
  const get = (path: string, headers = {}): Asked => ({ method: "GET", path, headers });
  const page = query("{ products(first: 50) { edges { node { id name price { amount } } } } }", {});
  const search = query('{ products(query: "edition", first: 10) { totalCount } }', {});
  const kinds: readonly ((id: number) => Asked)[] = [
    () => page,
    (id) => askProduct(`${id}`),
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
 * One service cuts off connections of a client behind so many (1,500 in each process): what is due when all are taken
 * waits here, and its time counts.
 */
const maxSockets = 500;

/**
 * Kept alive, and used in turn: those used last would be used next otherwise, and they may all be of one process. As
 * many stay open as were needed at once; opening them is what costs a client most.
 */
const agent = new Agent({
  keepAlive: true,
  scheduling: "fifo",
  maxSockets,
  maxFreeSockets: maxSockets,
});

/** How many connections these clients hold: the service has a descriptor for each. */
export const connections = (): number =>
  [agent.sockets, agent.freeSockets]
    .flatMap((held) => Object.values(held))
    .reduce((sum, sockets = []) => sum + sockets.length, 0);

export const send = (url: string, { method, path, headers, body }: Asked): Promise<Answer> =>
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

/** How many are answered a second while so many clients ask, each as soon as it has its answer. */
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

/** Milliseconds between two looks at what is due. */
const tick = 5;

export interface When {
  /** On the clock of `performance`; it may be set while requests are sent. */
  readonly end: number;
  rests(): boolean;
}

/**
 * Asks so often a second, however long the answers take: who waits for one before asking the next asks less of a slow
 * service (coordinated omission). Nothing is due while it rests.
 * @param ask `due` is the moment it should have been sent, in milliseconds of `performance.now()`
 * @param perSecond asked before each request
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
      const asked: Promise<void> = ask(due).finally(() => waiting.delete(asked));
      waiting.add(asked);
    }
  }
  await Promise.all(waiting);
};
