import type { BuildProgress } from "../../read-model/generations/build-progress.ts";
import type { ProjectorHealth } from "./projector-monitor.ts";

/** Reply to `GET /status`. */
export interface OpsStatus extends ProjectorHealth {
  readonly dataDir: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  /** Lag in seconds at which the service is no longer ready. */
  readonly maxLag: number;
  /** Progress of a command that builds a candidate generation; null when none runs. */
  readonly building: BuildProgress | null;
  readonly quarantined: readonly string[];
}

export interface StatusSource {
  /** @returns why the service is not ready; empty when it is ready */
  readonly reasons: () => readonly string[];
  readonly projector: () => ProjectorHealth;
  readonly building: () => BuildProgress | undefined;
  readonly quarantined: () => readonly string[];
  readonly maxLag: number;
  /** Absolute path, which identifies the service among others on the machine. */
  readonly dataDir: string;
}

export const buildStatus = (source: StatusSource): OpsStatus => {
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
