/** A TCP proxy that fails as networks do. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  /** Resets every connection; new ones are accepted. */
  reset(): void;
  /** Resets every connection and rejects new ones until `heal`. */
  cut(): void;
  /** Holds all bytes until `heal`: connections stay open, and nothing arrives. */
  stall(): void;
  /** Limits the rate until `heal`, in each direction of each connection. */
  slow(bytesPerSecond: number): void;
  /**
   * After the target sends this text, drops everything it sends until every connection is reset.
   * @returns resolves when it was sent
   */
  deafBehind(text: string): Promise<void>;
  heal(): void;
  close(): Promise<void>;
}

/** Interval of two portions of a slow connection, in ms. */
const tick = 20;

/** @param target port on loopback */
export const startProxy = async (target: number): Promise<TcpProxy> => {
  const open = new Set<Socket>();
  let isCut = false;
  /** Bytes a second; undefined for no limit. */
  let rate: number | undefined;
  let last: string | undefined;
  let isDeaf = false;
  let onDeaf = (): void => undefined;
  const resetAll = (): void => {
    isDeaf = false;
    for (const socket of open) socket.resetAndDestroy();
  };
  /** The part of these bytes that is let through. */
  const heard = (bytes: Buffer): Buffer => {
    if (isDeaf) return bytes.subarray(0, 0);
    const at = last === undefined ? -1 : bytes.indexOf(last);
    if (last === undefined || at === -1) return bytes;
    const end = at + last.length;
    [isDeaf, last] = [true, undefined];
    onDeaf();
    return bytes.subarray(0, end);
  };
  const pipe = (from: Socket, to: Socket, hear = (bytes: Buffer) => bytes): void => {
    const waiting: Buffer[] = [];
    const pump = setInterval(() => {
      let room = rate === undefined ? Number.POSITIVE_INFINITY : (rate * tick) / 1_000;
      while (room >= 1 && waiting.length > 0) {
        const part = waiting.shift() as Buffer;
        to.write(part.subarray(0, room));
        if (part.length > room) waiting.unshift(part.subarray(room));
        room -= part.length;
      }
    }, tick);
    from.on("data", (sent) => {
      const bytes = hear(sent);
      if (rate === undefined && waiting.length === 0) to.write(bytes);
      else waiting.push(bytes);
    });
    from.on("error", () => undefined);
    from.once("close", () => {
      clearInterval(pump);
      open.delete(from);
      to.destroy();
    });
    open.add(from);
  };
  const server = createServer((client) => {
    if (isCut) {
      client.resetAndDestroy();
      return;
    }
    const broker = connect(target, "127.0.0.1");
    pipe(client, broker);
    pipe(broker, client, heard);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    reset: resetAll,
    cut() {
      isCut = true;
      resetAll();
    },
    stall() {
      rate = 0;
    },
    slow(bytesPerSecond) {
      rate = bytesPerSecond;
    },
    deafBehind(text) {
      last = text;
      return new Promise((resolve) => {
        onDeaf = resolve;
      });
    },
    heal() {
      isCut = false;
      rate = undefined;
    },
    async close() {
      resetAll();
      server.close();
      await once(server, "close");
    },
  };
};
