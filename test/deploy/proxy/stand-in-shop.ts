import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A shop that answers every address with HTML, which caches may keep for a minute. It answers 503 at `/maintenance`, and ends the
 * connection at `/breaks` after it has read the request. After an upgrade to a WebSocket it sends each byte back.
 */
export interface StandInShop {
  readonly port: number;
  /** Bytes of the bodies of POST requests, in the sequence of their arrival. */
  posted(): readonly number[];
  close(): void;
}

export const startShop = (): Promise<StandInShop> =>
  new Promise((resolve) => {
    const posted: number[] = [];
    const server = createServer((request, response) => {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on("end", () => {
        if (request.method === "POST") posted.push(bytes);
        if (request.url === "/breaks") request.socket.destroy();
        else answer(request, response);
      });
    });
    server.on("upgrade", (_, socket) => {
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      );
      socket.pipe(socket);
    });
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, posted: () => posted, close: () => void server.close() });
    });
  });

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(request.url === "/maintenance" ? 503 : 200, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "public, max-age=60",
    "X-Answered-By": "shop",
    "X-Forwarded-For-Seen": String(request.headers["x-forwarded-for"]),
  });
  response.end("<!doctype html><title>The shop</title>");
};
