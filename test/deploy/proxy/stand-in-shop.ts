import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A shop that answers every address with HTML, which caches may keep for a minute. */
export interface StandInShop {
  readonly port: number;
  close(): void;
}

export const startShop = (): Promise<StandInShop> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      response.writeHead(200, {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "public, max-age=60",
        "X-Answered-By": "shop",
        "X-Forwarded-For-Seen": String(request.headers["x-forwarded-for"]),
      });
      response.end("<!doctype html><title>The shop</title>");
    });
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, close: () => void server.close() });
    });
  });
