import type { AddressInfo, Server } from "node:net";
import type { ServerMessage } from "./server-process.ts";

/** Sends the port of a server process to its parent, and exits with the parent. */
export const reportToParent = (server: Server): void => {
  process.once("disconnect", () => process.exit(0));
  const message: ServerMessage = { port: (server.address() as AddressInfo).port };
  process.send?.(message);
};
