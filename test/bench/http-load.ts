import autocannon from "autocannon";
import type { Exchange, SentRequest } from "./exchanges.ts";
import type { Measure } from "./figures.ts";
import type { ServerProcess } from "./server-process.ts";

/** Enough to keep a server of one core busy, few enough that no queue builds up. */
const connections = 16;

/** Sends each request once. @throws when a response is an error */
export const sendEach = async (
  url: string,
  requests: readonly SentRequest[],
): Promise<readonly Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const request of requests) exchanges.push(await sendRequest(url, request));
  return exchanges;
};

/** Headers that a Node server writes itself. */
const nodeHeaders = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
]);

export const sendRequest = async (
  url: string,
  request: SentRequest,
): Promise<Exchange & { etag: string }> => {
  const { method, path, headers, body = null } = request;
  // Peers repeat the recorded bytes, and `fetch` would decompress them.
  const uncompressed = { ...headers, "accept-encoding": "identity" };
  const response = await fetch(url + path, { method, headers: uncompressed, body });
  const { status } = response;
  const text = await response.text();
  if (status >= 400) throw new Error(`${url}${path} answered ${status}: ${text}`);
  const appHeaders = Object.fromEntries(
    [...response.headers].filter(([name]) => !nodeHeaders.has(name)),
  );
  return { request, status, headers: appHeaders, body: text, etag: appHeaders.etag ?? "" };
};

/** Sends requests for `seconds` and returns the number of responses. @throws when a response is an error */
export const runLoad = async (
  url: string,
  requests: readonly SentRequest[],
  seconds: number,
): Promise<number> => {
  let clients = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    // Seconds, because a connection may have to wait on a busy machine.
    timeout: 60,
    setupClient: (client) => {
      // Each connection walks a share of the requests, because autocannon builds the bytes of a connection's requests at once.
      const [from, to] = [clients, clients + 1].map((at) =>
        Math.floor((at * requests.length) / connections),
      );
      clients += 1;
      client.setRequests(requests.length < connections ? [...requests] : requests.slice(from, to));
    },
  });
  const failed = result["4xx"] + result["5xx"] + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  return result["2xx"] + result["3xx"];
};

/**
 * Measures requests per second of a server's CPU time, which is the throughput of one core without other work.
 * Requests per second of the clock would measure the load generator, because it is no faster than the server.
 */
export const measureRequests =
  (server: ServerProcess, requests: readonly SentRequest[], seconds: number): Measure =>
  async () => {
    const before = await server.cpuSeconds();
    const responses = await runLoad(server.url, requests, seconds);
    return responses / ((await server.cpuSeconds()) - before);
  };
