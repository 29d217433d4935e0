import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { type Address, drain, listen } from "../http/server.ts";

/**
 * Makes sure that a port can be listened on, and lets it go again.
 * @returns the port: the one asked for, or a free one for 0
 * @throws VitrineError `listen`
 */
export const tryPort = async (address: Address): Promise<number> => {
  const server = await listen(new Koa(), address);
  const port = portOf(server);
  await drain(server, 0);
  return port;
};

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** An address as a person may follow it. */
export const urlOf = (host: string, port: number): string => {
  const reachable = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
};
