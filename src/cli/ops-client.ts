import { realpathSync } from "node:fs";
import type { OpsStatus } from "../ops/health/status.ts";
import type { ControlConfig } from "./shared-options.ts";

/** Milliseconds. */
const patience = 1_000;

/** What the running service says of itself; undefined when none answers for this data directory. */
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
    // Nothing runs there, or something else does: the files tell what they can.
    return undefined;
  }
};

/** Where to ask what listens everywhere. */
const anywhere: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);
