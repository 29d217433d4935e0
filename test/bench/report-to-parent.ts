import type { AddressInfo, Server } from "node:net";
import type { ServerMessage } from "./server-process.ts";

/** Sends the port of a server process to its parent, answers with the CPU time, and exits with the parent. */
export const reportToParent = (server: Server): void => {
  const send = (message: ServerMessage): void => void process.send?.(message);
  process.on("message", () => send({ cpu: process.cpuUsage() }));
  process.once("disconnect", () => process.exit(0));
  send({ port: (server.address() as AddressInfo).port });
};
