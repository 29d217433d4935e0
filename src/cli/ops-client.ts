import { realpathSync } from "node:fs";
import type { OpsStatus } from "../ops/health/status.ts";
import type { ControlConfig } from "./shared-options.ts";

const timeoutMs = 1_000;

/**
 * Fetches the status of the service that runs on a data directory.
 * @returns undefined when no service answers for this directory
 */
export const fetchOpsStatus = async ({
  opsHost,
  opsPort,
  dataDir,
}: ControlConfig): Promise<OpsStatus | undefined> => {
  const host = loopbackByWildcard.get(opsHost) ?? opsHost;
  const urlHost = host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${urlHost}:${opsPort}/status`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const status = (await response.json()) as OpsStatus;
    return realpathSync(status.dataDir) === realpathSync(dataDir) ? status : undefined;
  } catch {
    // No service, or another program, listens on the port. The caller reads the files instead.
    return undefined;
  }
};

/** Loopback address of a server that listens on all interfaces. */
const loopbackByWildcard: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);
