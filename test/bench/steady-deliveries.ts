import { Agent, request } from "node:http";
import type { SentRequest } from "./exchanges.ts";

export interface SteadyAnswers {
  /** Milliseconds from the time at which each request was due until the end of its response. */
  readonly times: readonly number[];
  /** Time at which the last request was due, as `performance.now` counts. */
  readonly lastDueAt: number;
}

/**
 * Sends requests at a rate, whether the server keeps up or not.
 * @throws when a response is an error
 */
export const sendSteadily = async (
  url: string,
  requests: readonly SentRequest[],
  perSecond: number,
): Promise<SteadyAnswers> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const begin = performance.now();
  const dueAt = (at: number): number => begin + (at * 1_000) / perSecond;
  const answers: Promise<number>[] = [];
  try {
    while (answers.length < requests.length) {
      while (answers.length < requests.length && dueAt(answers.length) <= performance.now()) {
        const at = answers.length;
        answers.push(send(agent, url, requests[at] as SentRequest, dueAt(at)));
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return { times: await Promise.all(answers), lastDueAt: dueAt(requests.length - 1) };
  } finally {
    agent.destroy();
  }
};

const send = (
  agent: Agent,
  url: string,
  { method, path, headers, body = "" }: SentRequest,
  dueAt: number,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = { "content-length": Buffer.byteLength(body) };
    const options = { agent, method, headers: { ...headers, ...length } };
    const sent = request(url + path, options, (response) => {
      response.resume();
      response.once("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - dueAt);
        else reject(new Error(`${url}${path} answered ${response.statusCode}`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
