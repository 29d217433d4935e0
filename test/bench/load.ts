import autocannon from "autocannon";
import type { Asked, Exchange } from "./exchanges.ts";

/** Enough to keep a server of one core busy, few enough that no queue builds up. */
const connections = 16;

/** Asks once for each. @throws when an answer is an error */
export const askEach = async (
  url: string,
  asked: readonly Asked[],
): Promise<readonly Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const one of asked) exchanges.push(await ask(url, one));
  return exchanges;
};

export const ask = async (url: string, asked: Asked): Promise<Exchange & { etag: string }> => {
  const { method, path, headers, body = null } = asked;
  const response = await fetch(url + path, { method, headers, body });
  const { status } = response;
  const answer = await response.text();
  if (status >= 400) throw new Error(`${url}${path} answered ${status}: ${answer}`);
  const type = response.headers.get("content-type") ?? "";
  return { asked, status, type, answer, etag: response.headers.get("etag") ?? "" };
};

/** How many requests were answered. @throws when one of them was answered with an error */
export const load = async (
  url: string,
  asked: readonly Asked[],
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
