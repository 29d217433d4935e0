import type { AddressInfo, Server } from "node:net";
import type { FromServer } from "./child.ts";

/** What every server process of the bench does: tells its port, answers how much CPU it used, ends with its parent. */
export const reportToParent = (server: Server): void => {
  const tell = (message: FromServer): void => void process.send?.(message);
  process.on("message", () => tell({ cpu: process.cpuUsage() }));
  process.once("disconnect", () => process.exit(0));
  tell({ port: (server.address() as AddressInfo).port });
};
