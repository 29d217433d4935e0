import { realpathSync } from "node:fs";
import type { OpsStatus } from "../ops/health/status.ts";
import type { ControlConfig } from "./shared-options.ts";

const patience = 1_000;

/**
 * Fetches the status of the service that runs on a data directory.
 * @returns undefined when no service answers for this directory
 */
export const askOps = async ({
  opsHost,
  opsPort,
  dataDir,
}: ControlConfig): Promise<OpsStatus | undefined> => {
  const host = anywhere.get(opsHost) ?? opsHost;
  const shown = host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${shown}:${opsPort}/status`, {
      signal: AbortSignal.timeout(patience),
    });
    const told = (await response.json()) as OpsStatus;
    return realpathSync(told.dataDir) === realpathSync(dataDir) ? told : undefined;
  } catch {
    // No service, or another program, listens on the port. The caller reads the files instead.
    return undefined;
  }
};

/** Loopback address of a server that listens on all interfaces. */
const anywhere: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);
