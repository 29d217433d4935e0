import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { copyString } from "../../text/copy-string.ts";
import type { RejectConnection } from "./rejected-connections.ts";

/**
 * Limits the connections of one client, because idle connections count toward no rate limit. A connection
 * over the limit is closed at once.
 * @param maxPerClient open connections of one client in this process
 */
export const limitConnections = (
  server: Server,
  maxPerClient: number,
  reject: RejectConnection,
): void => {
  const openByClient = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const client = clientAddress({ socket, headers: {} }, 0);
    const count = (openByClient.get(client) ?? 0) + 1;
    if (count > maxPerClient) {
      reject(socket, "client_connection_limit", client);
      return void socket.destroy();
    }
    openByClient.set(client, count);
    socket.once("close", () => {
      const remaining = (openByClient.get(client) ?? 1) - 1;
      if (remaining > 0) openByClient.set(client, remaining);
      else openByClient.delete(client);
    });
  });
};

/** Number of chunks per body that may have any size. */
const maxSmallChunks = 1_000;

/**
 * Minimum average chunk size in bytes beyond that number. Node emits an event per chunk, which takes some
 * microseconds.
 */
const minAverageBytes = 256;

/**
 * Limits the number of small chunks in request bodies, including bodies that no handler reads. A body of 60 KB
 * in one-byte chunks would block the process for a third of a second.
 * @param rejectConnection ends a connection that sends such a body
 */
export const limitChunks = (
  server: Server,
  rejectConnection: (connection: Duplex) => void,
): void => {
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers["transfer-encoding"] === undefined) return;
    countChunks(request, () => rejectConnection(request.socket));
    // After the response, Node discards the rest of a body without calling `push`. Reading the body keeps its
    // chunks counted.
    response.prependOnceListener("finish", () => {
      request.resume();
    });
  };
  server.on("request", watch);
  server.on("checkExpectation", watch);
};

/**
 * Counts chunks in `push`, where the parser delivers them, because a `data` listener would consume the body.
 */
const countChunks = (request: IncomingMessage, onTooMany: () => void): void => {
  let [chunks, bytes, isRejected] = [0, 0, false];
  const push = request.push.bind(request);
  request.push = (chunk: Uint8Array | null, encoding) => {
    if (isRejected) return false;
    // End of the body.
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= maxSmallChunks || bytes >= minAverageBytes * chunks) return push(chunk, encoding);
    isRejected = true;
    // Also stops reading from the connection.
    request.pause();
    onTooMany();
    return false;
  };
};

/** Part of a request that identifies its client. */
export interface RemotePeer {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Caches clients by address, because parsing an address costs more than a lookup. */
const clientByAddress = new LRUCache<string, string>({ max: 10_000 });

/**
 * Returns the client that a request is counted for: an IPv4 address, or the /64 network of an IPv6 address,
 * because providers assign a /64 to each customer. The IPv4 address of a client behind NAT64 is in the last 32 bits (RFC 6052 §2.1).
 * @param hops number of trusted proxies before this service, counted from the right of X-Forwarded-For.
 *   Entries further left are set by the client. 0 trusts none.
 */
export const clientAddress = ({ socket, headers }: RemotePeer, hops: number): string => {
  const peer = socket.remoteAddress ?? "";
  const header = headers["x-forwarded-for"];
  const address = hops === 0 ? peer : (forwardedFor(String(header ?? ""), hops) ?? peer);
  const cached = clientByAddress.get(address);
  if (cached !== undefined) return cached;
  const client = toNetwork(address);
  clientByAddress.set(copyString(address), client);
  return client;
};

/**
 * Reads the address that the outermost trusted proxy saw.
 * @returns undefined when there is none, or it is not an IP address
 */
const forwardedFor = (header: string, hops: number): string | undefined => {
  const entries = header.split(",");
  const address = stripPort((entries.at(-hops) ?? entries[0] ?? "").trim());
  return isIP(address.replace(/%.*$/s, "")) === 0 ? undefined : address;
};

/** Removes the port that some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const stripPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;

/** Network of the IPv4 clients that reach an IPv6 service through a translator (RFC 6052 §2.1). */
const nat64 = ipaddr.IPv6.parse("64:ff9b::");

const toNetwork = (text: string): string => {
  // The zone names a network interface, in any characters (RFC 4007 §11).
  const address = text.replace(/%.*$/s, "");
  if (isIP(address) === 0) return text;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  if (parsed.match(nat64, 96)) return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
};
