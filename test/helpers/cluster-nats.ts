import { execFileSync } from "node:child_process";
import { describeOldCluster } from "../../src/event-log/jetstream/connection.ts";
import { unpackedProgram } from "./debian-programs.ts";
import { findNats } from "./nats.ts";

/** Finds a nats-server whose copies of a stream stay equal: the installed one, or that of Debian 13. */
export const clusterNats = (): string => {
  const installed = findNats();
  return installed !== undefined && keepsCopiesEqual(installed)
    ? installed
    : unpackedProgram("nats-server");
};

const keepsCopiesEqual = (program: string): boolean => {
  // Prints `nats-server: v2.9.10`.
  const version = execFileSync(program, ["--version"], { encoding: "utf8" }).trim().split(": v")[1];
  return version !== undefined && describeOldCluster({ version, cluster: "shop" }) === undefined;
};
