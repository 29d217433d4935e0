/** HTTP as bytes, so that a test can send what no client library would. */
import { connect } from "node:net";

export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface Exchange {
  /** Everything received until the connection was closed, one character per byte. */
  readonly answer: string;
  /** Status of the first response; 0 when the connection was closed without one. */
  readonly status: number;
  /** Time until the last byte, or until the connection was closed. */
  readonly milliseconds: number;
}

/** A request for a connection of its own, complete and well-formed unless its parts are not. */
export const bytesOf = ({ method, target, headers, body }: Request): Buffer => {
  const own = ["connection", "content-length", "host", "transfer-encoding"];
  const given = headers.map(([name]) => name.toLowerCase());
  const [close, length, host] = own.map((name) => given.includes(name));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(host ? [] : ["Host: localhost"]),
    ...(close ? [] : ["Connection: close"]),
    ...(length || given.includes("transfer-encoding") || body.length === 0
      ? []
      : [`Content-Length: ${body.length}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
};

/**
 * Sends bytes and reads until the connection is closed; rejects after 30 seconds without data.
 * @param patience ms after which the sending side is closed when the server has sent nothing
 */
export const exchange = async (port: number, bytes: Buffer, patience = 150): Promise<Exchange> => {
  const begun = performance.now();
  let endedAt: number | undefined;
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const parts: Buffer[] = [];
  socket.on("data", (part) => {
    endedAt = performance.now();
    parts.push(part);
  });
  const closed = new Promise<void>((resolve, reject) => {
    socket.once("close", () => resolve());
    socket.setTimeout(30_000, () => reject(new Error("the connection stayed open")));
    // A server may close before it has read everything: this is not an error.
    socket.on("error", () => undefined);
  });
  socket.write(bytes);
  const noMore = setTimeout(() => socket.end(), patience);
  await closed;
  clearTimeout(noMore);
  const answer = Buffer.concat(parts).toString("latin1");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
  const took = (endedAt ?? performance.now()) - begun;
  // An incomplete request was waited for: only the time after the end of the request counts.
  const wasWaiting =
    took > patience && (status === 0 || /not an HTTP request|Transfer-Encoding may/.test(answer));
  return { answer, status, milliseconds: wasWaiting ? took - patience : took };
};

export const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

export const portOf = (url: string): number => Number(new URL(url).port);
