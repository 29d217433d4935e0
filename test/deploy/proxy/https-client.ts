import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from "node:http2";
import { request } from "node:https";
import type { Duplex } from "node:stream";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Requests over TLS and HTTP/2. */
export interface HttpsClient {
  /** Protocol that TLS negotiated: `h2`. */
  readonly protocol: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** @param headers with `:method` for another method than GET */
  send(
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string | Buffer,
  ): Promise<Answer>;
  /** Requests a body that does not end. */
  open(path: string): OpenBody;
  close(): void;
}

/** A body that arrives in parts. */
export interface OpenBody {
  /** Resolves when what has arrived matches; rejects when that takes longer than 10 seconds. */
  has(pattern: RegExp): Promise<RegExpExecArray>;
  close(): void;
}

/** @param address address of the client, one of 127.0.0.0/8 */
export const openClient = async (
  port: number,
  authority: string,
  address = "127.0.0.1",
): Promise<HttpsClient> => {
  const session = connect(`https://${authority}`, {
    ...{ host: "127.0.0.1", port, localAddress: address, servername: authority },
    rejectUnauthorized: false,
  });
  await once(session, "connect");
  const send: HttpsClient["send"] = (path, headers, body) =>
    exchange(session, { ":path": path, ":authority": authority, ...headers }, body);
  return {
    protocol: session.alpnProtocol ?? "",
    get: (path, headers = {}) => send(path, headers),
    send,
    open: (path) => openBody(session.request({ ":path": path, ":authority": authority })),
    close: () => session.close(),
  };
};

const openBody = (stream: ClientHttp2Stream): OpenBody => {
  let body = "";
  stream.on("data", (chunk: Buffer) => {
    body += chunk;
  });
  return {
    async has(pattern) {
      for (;;) {
        const found = pattern.exec(body);
        if (found) return found;
        await once(stream, "data", { signal: AbortSignal.timeout(10_000) });
      }
    },
    close: () => stream.close(),
  };
};

const exchange = async (
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  body?: string | Buffer,
): Promise<Answer> => {
  const stream = session.request(headers);
  stream.end(body);
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = once(stream, "end");
  const [answered] = await once(stream, "response");
  await ended;
  return { status: Number(answered[":status"]), headers: answered, body: Buffer.concat(chunks) };
};

/** Upgrades a connection of HTTP/1.1 to a WebSocket. @returns the open connection */
export const openWebSocket = async (
  port: number,
  authority: string,
  path: string,
): Promise<Duplex> => {
  const sent = request({
    ...{ host: "127.0.0.1", port, path, servername: authority, rejectUnauthorized: false },
    headers: { Host: authority, Connection: "Upgrade", Upgrade: "websocket" },
  });
  sent.end();
  const [, socket] = await once(sent, "upgrade", { signal: AbortSignal.timeout(10_000) });
  return socket;
};
