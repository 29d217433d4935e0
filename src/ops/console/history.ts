import type { OpsStatus } from "../health/status.ts";

/** One sample of the status: a point of the console's charts. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: OpsStatus["state"];
  readonly lagEvents: number;
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
}

/** The latest samples, oldest first. */
export interface History {
  add(sample: Sample): void;
  samples(): readonly Sample[];
}

/** @param maxSamples number of samples kept; the oldest are dropped */
export const createHistory = (maxSamples: number): History => {
  let samples: readonly Sample[] = [];
  return {
    add(sample) {
      samples = [...samples, sample].slice(-maxSamples);
    },
    samples: () => samples,
  };
};

export const toSample = (status: OpsStatus, at: number): Sample => ({
  at,
  state: status.state,
  lagEvents: status.status?.lagEvents ?? 0,
  lagSeconds: Math.round(status.lagSeconds * 10) / 10,
  eventsPerSecond: status.state === "silent" ? 0 : (status.status?.eventsPerSecond ?? 0),
});
