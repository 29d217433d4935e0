import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { VitrineError } from "../errors.ts";
import { drain, type ListenAddress, listen } from "./server.ts";

/**
 * Range below the ephemeral ports of Linux, macOS and Windows, so that no outgoing connection takes a free
 * port meanwhile.
 */
const [minPort, maxPort] = [20_000, 32_767];

/** Number of further random ports to try when a port is in use. */
const maxRetries = 50;

/**
 * Finds a port that can be listened on, and frees it again for another process.
 * @returns the requested port, or a free one for port 0
 * @throws VitrineError `listen`
 */
export const findPort = async (address: ListenAddress): Promise<number> => {
  if (address.port !== 0) return assertListenable(address);
  for (let remaining = maxRetries; ; remaining -= 1) {
    try {
      return await assertListenable({ ...address, port: randomInt(minPort, maxPort + 1) });
    } catch (error) {
      if (remaining === 0 || !isInUse(error)) throw error;
    }
  }
};

const assertListenable = async (address: ListenAddress): Promise<number> => {
  await drain(await listen(new Koa(), address), 0);
  return address.port;
};

const isInUse = (error: unknown): boolean =>
  error instanceof VitrineError && (error.cause as NodeJS.ErrnoException).code === "EADDRINUSE";

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export const formatUrl = (host: string, port: number): string => {
  const reachable = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
};
