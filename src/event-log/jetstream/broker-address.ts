import { VitrineError } from "../../errors.ts";

export interface BrokerAddress {
  /** Safe to log: without user and password. */
  readonly redacted: string;
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly user?: string;
  readonly pass?: string;
}

/**
 * Parses `nats://host:port` or `tls://user:pass@host:port`, several separated by commas.
 * @throws VitrineError usage
 */
export function parseBrokerAddress(address: string): BrokerAddress {
  const [first = "", ...others] = address.split(",").map((part) => part.trim());
  const scheme = first.slice(0, first.indexOf("//") + 2);
  const urls = [first, ...others.map((part) => (part.includes("//") ? part : scheme + part))].map(
    parseServerUrl,
  );
  const user = urls.find((url) => url.username !== "");
  return {
    redacted: urls.map((url) => `${url.protocol}//${url.host}`).join(","),
    servers: urls.map((url) => url.host),
    tls: urls.some((url) => url.protocol === "tls:"),
    ...(user && { user: percentDecode(user.username), pass: percentDecode(user.password) }),
  };
}

function percentDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (thrown) {
    throw new VitrineError(
      "usage",
      "the user or password in the address of the broker cannot be read",
      "write each % in it as %25; or give them as NATS_USER and NATS_PASS",
      thrown,
    );
  }
}

function parseServerUrl(part: string): URL {
  const url = URL.canParse(part) ? new URL(part) : undefined;
  if (url !== undefined && url.hostname !== "" && ["nats:", "tls:"].includes(url.protocol))
    return url;
  throw new VitrineError(
    "usage",
    "the address of the broker cannot be read",
    "give nats://host:port or tls://host:port; separate several brokers with commas",
  );
}
