import { Counter, Gauge, Registry } from "prom-client";
import type { Snapshot } from "./metrics.ts";
import type { Sighting } from "./sighting.ts";

const states = [
  "starting",
  "replaying",
  "live",
  "waiting",
  "rebuilding",
  "faulted",
  "silent",
] as const satisfies readonly Sighting["state"][];

/** What is true at the moment of the scrape, told by the process that watches the others. */
export interface Gauges {
  /** A process ended unasked and is started again. */
  restarted(part: string): void;
  snapshot(): Promise<Snapshot>;
}

export const createGauges = (see: () => Sighting, quarantined: () => readonly string[]): Gauges => {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, value: (projector: Sighting) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(see()));
      },
    });
  gauge(
    "vitrine_lag_events",
    "Events in the log that are not applied, as last known.",
    ({ status }) => status?.lagEvents ?? 0,
  );
  gauge(
    "vitrine_lag_seconds",
    "Age of the oldest event that may not be applied; grows while nobody can tell.",
    ({ lagSeconds }) => lagSeconds,
  );
  gauge(
    "vitrine_checkpoint_sequence",
    "Log sequence the model includes.",
    ({ status }) => status?.checkpoint ?? 0,
  );
  gauge(
    "vitrine_log_last_sequence",
    "Log sequence of the newest event, as last known.",
    ({ status }) => status?.logLast ?? 0,
  );
  gauge(
    "vitrine_quarantined_generations",
    "Damaged generations that were set aside and are still kept.",
    () => quarantined().length,
  );
  new Gauge({
    name: "vitrine_projector_state",
    help: "1 for the state the projector is in, 0 for the others.",
    labelNames: ["state"],
    registers,
    collect() {
      const { state } = see();
      for (const each of states) this.set({ state: each }, each === state ? 1 : 0);
    },
  });
  const restarts = new Counter({
    name: "vitrine_restarts_total",
    help: "Processes that ended unasked and were started again.",
    labelNames: ["process"],
    registers,
  });
  return {
    restarted: (part) => restarts.inc({ process: part }),
    snapshot: () => registry.getMetricsAsJSON(),
  };
};
