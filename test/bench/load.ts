import autocannon from "autocannon";
import type { Exchange } from "./exchanges.ts";

const headers = { "content-type": "application/json" };

/** Enough to keep a server of one core busy, few enough that no queue builds up. */
const connections = 16;

/** Asks once for each body. @throws when an answer is not 200 */
export const askEach = async (
  url: string,
  bodies: readonly string[],
): Promise<readonly Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const body of bodies) {
    const response = await fetch(url, { method: "POST", headers, body });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${answer}`);
    exchanges.push({ body, answer });
  }
  return exchanges;
};

/** How many requests were answered. @throws when one of them was not answered with 2xx */
export const load = async (
  url: string,
  bodies: readonly string[],
  seconds: number,
): Promise<number> => {
  let clients = 0;
  const result = await autocannon({
    url,
    method: "POST",
    headers,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const start = Math.floor((clients * bodies.length) / connections);
      clients += 1;
      const turned = [...bodies.slice(start), ...bodies.slice(0, start)];
      client.setRequests(turned.map((body) => ({ method: "POST", headers, body })));
    },
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  return result["2xx"];
};
