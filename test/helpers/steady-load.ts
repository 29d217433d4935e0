import { Agent, request } from "node:http";

/** Requests that were sent without a pause, and what became of them. */
export interface LoadResult {
  readonly answered: number;
  /** Errors and unexpected statuses, each with its request. */
  readonly failures: readonly string[];
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

/**
 * Sends requests one after the other on each of several kept connections. It never retries, so that each failed request counts.
 * @param isExpected tests the status of a response
 */
export const startLoad = (
  port: number,
  requests: readonly LoadRequest[],
  connections = 8,
  isExpected: (status: number) => boolean = (status) => status === 200,
): SteadyLoad => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const failures: string[] = [];
  let answered = 0;
  let maxMs = 0;
  let isEnding = false;
  const work = async (first: number): Promise<void> => {
    for (let at = first; !isEnding; at += 1) {
      const next = requests[at % requests.length] as LoadRequest;
      const startedAt = performance.now();
      const outcome = await send(agent, port, next);
      maxMs = Math.max(maxMs, performance.now() - startedAt);
      if (typeof outcome === "number" && isExpected(outcome)) answered += 1;
      else failures.push(`${next.path}: ${outcome}`);
    }
  };
  const workers = Array.from({ length: connections }, (_, at) => work(at));
  return {
    answered: () => answered,
    async stop() {
      isEnding = true;
      await Promise.all(workers);
      agent.destroy();
      return { answered, failures, maxMs };
    },
  };
};

/** @returns the status, or the message of the error */
const send = (agent: Agent, port: number, { path, body }: LoadRequest): Promise<number | string> =>
  new Promise((resolve) => {
    const options = {
      ...{ agent, host: "127.0.0.1", port, path, method: body === undefined ? "GET" : "POST" },
      headers: { "content-type": "application/json" },
      timeout: 30_000,
    };
    const sent = request(options, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", (error) => resolve(error.message));
    });
    sent.once("timeout", () => sent.destroy(new Error("no answer within 30 seconds")));
    sent.once("error", (error) => resolve(error.message));
    sent.end(body);
  });
