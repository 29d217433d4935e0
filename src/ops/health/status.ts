import type { Building } from "../../read-model/generations/build-progress.ts";
import type { Sighting } from "./projector-monitor.ts";

/** Reply to `GET /status`. */
export interface OpsStatus extends Sighting {
  readonly dataDir: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  /** Lag in seconds at which the service is no longer ready. */
  readonly maxLag: number;
  /** Progress of a command that builds a candidate generation; null when none runs. */
  readonly building: Building | null;
  /** Names of damaged generations in quarantine, oldest first. */
  readonly quarantined: readonly string[];
}

/** Sources of the status. */
export interface StatusWorld {
  /** @returns why the service is not ready; empty when it is ready */
  readonly reasons: () => readonly string[];
  readonly projector: () => Sighting;
  readonly building: () => Building | undefined;
  readonly quarantined: () => readonly string[];
  readonly maxLag: number;
  /** Absolute path, which identifies the service among others on the machine. */
  readonly dataDir: string;
}

export const statusOf = (source: StatusWorld): OpsStatus => {
  const reasons = source.reasons();
  const { dataDir, maxLag } = source;
  const building = source.building() ?? null;
  return {
    dataDir,
    ready: reasons.length === 0,
    reasons,
    maxLag,
    building,
    quarantined: source.quarantined(),
    ...source.projector(),
  };
};
