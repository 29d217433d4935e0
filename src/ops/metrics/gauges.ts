import { Counter, Gauge, Registry } from "prom-client";
import { projectionVersions } from "../../../projections/index.ts";
import { packageVersion } from "../../package-info.ts";
import { projectorStates } from "../../projector/status.ts";
import type { Sighting } from "../health/projector-monitor.ts";
import { type Figures, figures } from "./gauge-definitions.ts";
import type { Snapshot } from "./process-metrics.ts";

const states = [...projectorStates, "silent"] as const satisfies readonly Sighting["state"][];

/** What is true at the moment of the scrape, told by the process that watches the others. */
export interface Gauges {
  /** A process is started for the first time: its restarts are counted from 0. */
  started(part: string): void;
  /** A process ended unasked and is started again. */
  restarted(part: string): void;
  snapshot(): Promise<Snapshot>;
}

/** @param look what is true now, asked once a scrape */
export const createGauges = (look: () => Figures): Gauges => {
  const registry = new Registry();
  const registers = [registry];
  const plain = figures.map(({ name, help, value }) => ({
    gauge: new Gauge({ name, help, registers }),
    value,
  }));
  const state = stateGauge(registers);
  const generation = generationGauge(registers);
  tellBuild(registers);
  const restarts = new Counter({
    name: "vitrine_restarts_total",
    help: "Processes that ended unasked and were started again.",
    labelNames: ["process"],
    registers,
  });
  return {
    started: (part) => restarts.inc({ process: part }, 0),
    restarted: (part) => restarts.inc({ process: part }),
    snapshot() {
      const now = look();
      for (const { gauge, value } of plain) gauge.set(value(now));
      for (const each of states) state.set({ state: each }, each === now.projector.state ? 1 : 0);
      const { standing } = now;
      generation.reset();
      generation.set(
        { generation: standing.generation ?? "", previous: standing.previous ?? "" },
        1,
      );
      return registry.getMetricsAsJSON();
    },
  };
};

const stateGauge = (registers: Registry[]) =>
  new Gauge({
    name: "vitrine_projector_state",
    help: "1 for the state the projector is in, 0 for the others.",
    labelNames: ["state"],
    registers,
  });

const generationGauge = (registers: Registry[]) =>
  new Gauge({
    name: "vitrine_generation_info",
    help: "1, labelled with the generation that answers and the one kept for going back.",
    labelNames: ["generation", "previous"],
    registers,
  });

const tellBuild = (registers: Registry[]): void => {
  const gauge = new Gauge({
    name: "vitrine_build_info",
    help: "1, labelled with what runs.",
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
