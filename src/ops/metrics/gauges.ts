import { Counter, Gauge, Registry } from "prom-client";
import { projectionVersions } from "../../../projections/index.ts";
import { packageVersion } from "../../package-info.ts";
import { projectorStates } from "../../projector/status/status.ts";
import type { ProjectorHealth } from "../health/projector-monitor.ts";
import { type GaugeInput, gaugeDefinitions } from "./gauge-definitions.ts";
import type { MetricsSnapshot } from "./process-metrics.ts";

const states = [
  ...projectorStates,
  "silent",
] as const satisfies readonly ProjectorHealth["state"][];

/**
 * Creates gauges as of the scrape, and restart counters. The supervising process has them.
 * @param readInput reads the gauges' input; called once for each scrape
 */
export const createGauges = (readInput: () => GaugeInput) => {
  const registry = new Registry();
  const registers = [registry];
  const unlabelled = Object.entries(gaugeDefinitions).map(([name, { help, value }]) => ({
    gauge: new Gauge({ name, help, registers }),
    value,
  }));
  const state = createStateGauge(registers);
  const generation = createGenerationGauge(registers);
  registerBuildInfo(registers);
  const restarts = new Counter({
    name: "vitrine_restarts_total",
    help: "Processes that exited unexpectedly and were restarted.",
    labelNames: ["process"],
    registers,
  });
  return {
    /** Records the first start of a process: its restart counter begins at 0. */
    started: (part: string): void => restarts.inc({ process: part }, 0),
    restarted: (part: string): void => restarts.inc({ process: part }),
    snapshot(): Promise<MetricsSnapshot> {
      const input = readInput();
      for (const { gauge, value } of unlabelled) gauge.set(value(input));
      for (const name of states) {
        state.set({ state: name }, name === input.projector.state ? 1 : 0);
      }
      const { usage } = input;
      generation.reset();
      generation.set({ generation: usage.generation ?? "", previous: usage.previous ?? "" }, 1);
      return registry.getMetricsAsJSON();
    },
  };
};

const createStateGauge = (registers: Registry[]) =>
  new Gauge({
    name: "vitrine_projector_state",
    help: "1 for the state the projector is in, 0 for the others.",
    labelNames: ["state"],
    registers,
  });

const createGenerationGauge = (registers: Registry[]) =>
  new Gauge({
    name: "vitrine_generation_info",
    help: "1, labelled with the live generation and the previous one, kept for a rollback.",
    labelNames: ["generation", "previous"],
    registers,
  });

const registerBuildInfo = (registers: Registry[]): void => {
  const gauge = new Gauge({
    name: "vitrine_build_info",
    help: "1, labelled with the running versions.",
    labelNames: ["version", "node", "projections"],
    registers,
  });
  const labels = {
    version: packageVersion,
    node: process.version,
    projections: projectionVersions,
  };
  gauge.set(labels, 1);
};
