import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** A server between a follower and the service: it passes requests on, or answers in place of the service. */
export interface FrontServer {
  readonly url: string;
  /** Requests that have come, with the time on the clock of `performance`. */
  readonly requests: readonly { readonly address: string; readonly at: number }[];
  /** Passes a request on. */
  readonly pass: Answer;
  /** Passes a request on, and changes the text of its answer. */
  rewrite(change: (body: string) => string): Answer;
  /** Gives the next requests these answers, one each. */
  answerNext(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

/** @param service address without a slash at the end */
export const openFrontServer = async (service: string): Promise<FrontServer> => {
  const answers: Answer[] = [];
  const requests: FrontServer["requests"][number][] = [];
  const rewrite =
    (change: (body: string) => string): Answer =>
    async ({ url }, response) => {
      // An aborted `fetch` of Node 20 may leave a connection without a request, which the service would wait for.
      const passed = get(`${service}${url}`, { agent: false });
      passed.on("error", () => undefined);
      response.once("close", () => passed.destroy());
      const [answer] = (await once(passed, "response")) as [IncomingMessage];
      response.statusCode = answer.statusCode ?? 0;
      response.end(change(await text(answer)));
    };
  const pass = rewrite((body) => body);
  const server = createServer((request, response) => {
    requests.push({ address: request.url ?? "", at: performance.now() });
    const answer = answers.shift() ?? pass;
    // A request that its client has left is answered by nobody.
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ requests, pass, rewrite },
    answerNext: (...next) => void answers.push(...next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

export const refuse =
  (status: number, retryAfter: string): Answer =>
  (_, response) => {
    response.writeHead(status, { "retry-after": retryAfter });
    response.end("<h1>Refused by a proxy</h1>");
  };

/** Ends the connection without an answer. */
export const loseConnection: Answer = (_, response) => void response.destroy();

/** Ends the connection within the answer. */
export const cutAnswer: Answer = async (_, response) => {
  response.writeHead(200, { "content-length": 1_000 });
  response.write('{"position":null,"changes":[');
  await new Promise<void>((resolve) => response.socket?.end(resolve));
};
