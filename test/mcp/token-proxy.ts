import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface TokenProxy {
  readonly port: number;
  /** Sets the address that later requests go to. */
  aim(url: string): void;
  close(): Promise<void>;
}

/**
 * Adds a bearer token to whatever passes, for a client that cannot send one. Host and Origin stay as they are.
 * @param session a session id to put on every answer, for a client that asks nothing further of a server without
 */
export const openTokenProxy = async (token: string, session?: string): Promise<TokenProxy> => {
  let target = "";
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const forwarded = request(
      new URL(incoming.url ?? "/", target),
      { method: incoming.method, headers },
      (answer) => {
        const named = session === undefined ? {} : { "mcp-session-id": session };
        outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...named });
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    aim(url) {
      target = url;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
