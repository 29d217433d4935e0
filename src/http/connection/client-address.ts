import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { ownText } from "../../text/copy-string.ts";

/** As much of a request as tells where it comes from. */
export interface Sender {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Addresses met lately: reading one costs more than looking it up. */
const clientByAddress = new LRUCache<string, string>({ max: 10_000 });

/**
 * Who a request counts for: an IPv4 address, or the /64 of an IPv6 one, as that is what one customer gets.
 * @param hops proxies in front of this service whose X-Forwarded-For is believed, counted from the right;
 *   what stands further left is the client's own word. 0 believes none.
 */
export const clientOf = ({ socket, headers }: Sender, hops: number): string => {
  const peer = socket.remoteAddress ?? "";
  const header = headers["x-forwarded-for"];
  const address = hops === 0 ? peer : (forwardedFor(String(header ?? ""), hops) ?? peer);
  const cached = clientByAddress.get(address);
  if (cached !== undefined) return cached;
  const client = toNetwork(address);
  clientByAddress.set(ownText(address), client);
  return client;
};

/** The address the outermost believed proxy saw; undefined when there is none, or it is no address. */
const forwardedFor = (header: string, hops: number): string | undefined => {
  const entries = header.split(",");
  const address = stripPort((entries.at(-hops) ?? entries[0] ?? "").trim());
  return isIP(address.replace(/%.*$/s, "")) === 0 ? undefined : address;
};

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const stripPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;

const toNetwork = (text: string): string => {
  // The zone is the name of an interface, in any characters (RFC 4007, 11).
  const address = text.replace(/%.*$/s, "");
  if (isIP(address) === 0) return text;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
};
