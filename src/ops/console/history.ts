import type { OpsStatus } from "../health/status.ts";

/** How things stood at one moment: a point of the console's charts. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: OpsStatus["state"];
  readonly lagEvents: number;
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
}

/** The last minutes, oldest first. */
export interface History {
  add(sample: Sample): void;
  samples(): readonly Sample[];
}

/** @param most how many samples are kept; older ones make room */
export const keepHistory = (most: number): History => {
  let kept: readonly Sample[] = [];
  return {
    add(sample) {
      kept = [...kept, sample].slice(-most);
    },
    samples: () => kept,
  };
};

export const sampleOf = (status: OpsStatus, at: number): Sample => ({
  at,
  state: status.state,
  lagEvents: status.status?.lagEvents ?? 0,
  lagSeconds: Math.round(status.lagSeconds * 10) / 10,
  eventsPerSecond: status.state === "silent" ? 0 : (status.status?.eventsPerSecond ?? 0),
});
