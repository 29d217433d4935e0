import autocannon from "autocannon";
import type { ServerProcess } from "./child.ts";
import type { Exchange, SentRequest } from "./exchanges.ts";
import type { Measure } from "./figures.ts";

/** Enough to keep a server of one core busy, few enough that no queue builds up. */
const connections = 16;

/** Asks once for each. @throws when an answer is an error */
export const askEach = async (
  url: string,
  asked: readonly SentRequest[],
): Promise<readonly Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const one of asked) exchanges.push(await ask(url, one));
  return exchanges;
};

/** What a server of node writes by itself. */
const ofNode = new Set(["date", "connection", "keep-alive", "content-length", "transfer-encoding"]);

export const ask = async (
  url: string,
  asked: SentRequest,
): Promise<Exchange & { etag: string }> => {
  const { method, path, headers, body = null } = asked;
  // As the load asks: `fetch` would have it compressed.
  const plainly = { ...headers, "accept-encoding": "identity" };
  const response = await fetch(url + path, { method, headers: plainly, body });
  const { status } = response;
  const answer = await response.text();
  if (status >= 400) throw new Error(`${url}${path} answered ${status}: ${answer}`);
  const told = Object.fromEntries([...response.headers].filter(([name]) => !ofNode.has(name)));
  return { sent: asked, status, headers: told, answer, etag: told.etag ?? "" };
};

/** How many requests were answered. @throws when one of them was answered with an error */
export const load = async (
  url: string,
  asked: readonly SentRequest[],
  seconds: number,
): Promise<number> => {
  let clients = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    // Seconds: a busy machine may let a connection wait.
    timeout: 60,
    setupClient: (client) => {
      const start = Math.floor((clients * asked.length) / connections);
      clients += 1;
      client.setRequests([...asked.slice(start), ...asked.slice(0, start)]);
    },
  });
  const failed = result["4xx"] + result["5xx"] + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  return result["2xx"] + result["3xx"];
};

/**
 * Requests per second of a server's CPU time: what a core gives when it does nothing else. Per second of the clock a
 * fast server's figure would be the load's, which is no faster than it.
 */
export const loaded =
  (server: ServerProcess, asked: readonly SentRequest[], seconds: number): Measure =>
  async () => {
    const before = await server.cpuSeconds();
    const answered = await load(server.url, asked, seconds);
    return answered / ((await server.cpuSeconds()) - before);
  };
