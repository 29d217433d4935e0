import { realpathSync } from "node:fs";
import type { OpsStatus } from "../ops/health/status.ts";
import { type Guard, hasMembers } from "../platform/json-file.ts";
import type { ControlConfig } from "./shared-options.ts";

/** Settings that name the service of a data directory. */
export type OpsConfig = Pick<ControlConfig, "opsHost" | "opsPort" | "dataDir">;

const timeoutMs = 1_000;

/**
 * Fetches the status of the service that runs on a data directory.
 * @returns undefined when no service answers for this directory
 */
export const fetchOpsStatus = async ({
  opsHost,
  opsPort,
  dataDir,
}: OpsConfig): Promise<OpsStatus | undefined> => {
  const host = loopbackByWildcard.get(opsHost) ?? opsHost;
  const urlHost = host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${urlHost}:${opsPort}/status`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const status: unknown = await response.json();
    if (!isOpsStatus(status)) return undefined;
    return realpathSync(status.dataDir) === realpathSync(dataDir) ? status : undefined;
  } catch {
    // No service, or another program, listens on the port. The caller reads the files instead.
    return undefined;
  }
};

/** Checks the members that commands read. Another program, or another version, may listen on the port. */
const isOpsStatus: Guard<OpsStatus> = (value): value is OpsStatus =>
  hasMembers(value, { dataDir: "string", state: "string", ready: "boolean", reasons: "object" });

/** Loopback address of a server that listens on all interfaces. */
const loopbackByWildcard: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);
