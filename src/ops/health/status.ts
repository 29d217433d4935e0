import type { Building } from "../../read-model/generations/build-progress.ts";
import type { Sighting } from "./projector-monitor.ts";

/** What `GET /status` answers. */
export interface OpsStatus extends Sighting {
  readonly dataDir: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  /** Seconds of lag past which the service is not ready. */
  readonly maxLag: number;
  /** What a command builds beside the live generation; null while none does. */
  readonly building: Building | null;
  /** Names of damaged generations that were set aside, oldest first. */
  readonly quarantined: readonly string[];
}

/** What a status is made of. */
export interface StatusWorld {
  /** Why the service is not ready; none when it is. */
  readonly reasons: () => readonly string[];
  readonly projector: () => Sighting;
  readonly building: () => Building | undefined;
  readonly quarantined: () => readonly string[];
  readonly maxLag: number;
  /** Absolute path: two services on one machine are told apart by it. */
  readonly dataDir: string;
}

export const statusOf = (world: StatusWorld): OpsStatus => {
  const reasons = world.reasons();
  const { dataDir, maxLag } = world;
  const building = world.building() ?? null;
  return {
    dataDir,
    ready: reasons.length === 0,
    reasons,
    maxLag,
    building,
    quarantined: world.quarantined(),
    ...world.projector(),
  };
};
