import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { VitrineError } from "../errors.ts";
import { type Address, drain, listen } from "./server.ts";

/** Below the ports that Linux, macOS and Windows give to outgoing connections: one that was free a moment ago is so still. */
const [minPort, maxPort] = [10_000, 32_767];

/** So many ports are tried before one that is in use is an error. */
const maxAttempts = 50;

/**
 * Makes sure that a port can be listened on, and lets it go again, for a process that will.
 * @returns the port: the one asked for, or a free one for 0
 * @throws VitrineError `listen`
 */
export const tryPort = async (address: Address): Promise<number> => {
  if (address.port !== 0) return assertListenable(address);
  for (let remaining = maxAttempts; ; remaining -= 1) {
    try {
      return await assertListenable({ ...address, port: randomInt(minPort, maxPort + 1) });
    } catch (error) {
      if (remaining === 0 || !isInUse(error)) throw error;
    }
  }
};

const assertListenable = async (address: Address): Promise<number> => {
  await drain(await listen(new Koa(), address), 0);
  return address.port;
};

const isInUse = (error: unknown): boolean =>
  error instanceof VitrineError && (error.cause as NodeJS.ErrnoException).code === "EADDRINUSE";

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** An address as a person may follow it. */
export const urlOf = (host: string, port: number): string => {
  const reachable = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
};
