import { Agent, request as requestPlain } from "node:http";
import { request as requestTls, Agent as TlsAgent } from "node:https";

import { setTimeout as delay } from "node:timers/promises";

/** Requests that were sent without a pause, and what became of them. */
export interface LoadResult {
  readonly answered: number;
  /** Errors and unexpected statuses, each with its request. */
  readonly failures: readonly string[];
  /** Requests that were sent again because the server closed the kept connection at that time. */
  readonly repeated: number;
  readonly maxMs: number;
}

export interface SteadyLoad {
  /** Ends the load after the requests in progress. */
  stop(): Promise<LoadResult>;
  /** Requests answered so far. */
  answered(): number;
}

/** A request of the load: GET of a path, or POST of a JSON body. */
export interface LoadRequest {
  readonly path: string;
  readonly body?: string;
}

export interface LoadOptions {
  /** Connections that are kept, each with one request after the other. */
  readonly connections?: number;
  /** Milliseconds between a response and the next request of its connection; 0 by default. */
  readonly pauseMs?: number;
  /** Host name for TLS; without it the load uses plain HTTP. */
  readonly tlsName?: string;
  /** Returns the address of the client of a connection, one of 127.0.0.0/8. */
  readonly addressOf?: (connection: number) => string;
  /**
   * Sends a GET again if a kept connection was closed before any response, as RFC 9110 §9.2.2 allows and most clients do. Without it
   * each such request counts as failed.
   */
  readonly repeatsReads?: boolean;
}

/** Sends requests on each of several kept connections, one after the other, and expects status 200. */
export const startLoad = (
  port: number,
  requests: readonly LoadRequest[],
  { connections = 8, pauseMs = 0, tlsName, addressOf, repeatsReads = false }: LoadOptions = {},
): SteadyLoad => {
  const failures: string[] = [];
  const state = { answered: 0, repeated: 0, maxMs: 0, isEnding: false };
  const work = async (connection: number): Promise<void> => {
    const client = openConnection(port, tlsName, addressOf?.(connection));
    for (let at = connection; !state.isEnding; at += 1) {
      const next = requests[at % requests.length] as LoadRequest;
      const startedAt = performance.now();
      let outcome = await client.send(next);
      if (outcome === closedByServer && repeatsReads && next.body === undefined) {
        state.repeated += 1;
        outcome = await client.send(next);
      }
      state.maxMs = Math.max(state.maxMs, performance.now() - startedAt);
      if (outcome === 200) state.answered += 1;
      else failures.push(`${next.path}: ${outcome}`);
      if (pauseMs > 0) await delay(pauseMs);
    }
    client.close();
  };
  const workers = Array.from({ length: connections }, (_, at) => work(at));
  return {
    answered: () => state.answered,
    async stop() {
      state.isEnding = true;
      await Promise.all(workers);
      const { answered, repeated, maxMs } = state;
      return { answered, failures, repeated, maxMs };
    },
  };
};

/** Outcome of a request on a kept connection that the server closed before any response. */
const closedByServer = "the server closed the kept connection";

const openConnection = (port: number, tlsName: string | undefined, address: string | undefined) => {
  const kept = { keepAlive: true, maxSockets: 1 };
  const agent =
    tlsName === undefined
      ? new Agent(kept)
      : new TlsAgent({ ...kept, servername: tlsName, rejectUnauthorized: false });
  const request = tlsName === undefined ? requestPlain : requestTls;
  /** @returns the status, or the message of the error */
  const send = ({ path, body }: LoadRequest): Promise<number | string> =>
    new Promise((resolve) => {
      const options = {
        ...{ agent, host: "127.0.0.1", port, path, method: body === undefined ? "GET" : "POST" },
        ...(address !== undefined && { localAddress: address }),
        headers: { "content-type": "application/json", ...(tlsName && { host: tlsName }) },
        timeout: 30_000,
      };
      const sent = request(options, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
        response.once("error", (error) => resolve(error.message));
      });
      sent.once("timeout", () => sent.destroy(new Error("no answer within 30 seconds")));
      sent.once("error", (error: NodeJS.ErrnoException) =>
        resolve(sent.reusedSocket && error.code === "ECONNRESET" ? closedByServer : error.message),
      );
      sent.end(body);
    });
  return { send, close: () => agent.destroy() };
};
