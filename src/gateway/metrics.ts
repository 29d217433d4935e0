import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { eventsKey, splitCountKey } from "./inbox/tables.ts";
import type { Answer } from "./receive.ts";
import type { Batch } from "./translate-batch.ts";

/** Depth of an inbox. */
export interface InboxDepth {
  readonly deliveries: number;
  /** Age of the oldest delivery that waits, in seconds; 0 without one. */
  readonly seconds: number;
}

/** Bounds a label. Topics of the platforms are shorter. */
const maxTopicLength = 60;

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

/** @param readDepths depth of each inbox by the name of its connection */
export const createGatewayMetrics = (readDepths: () => ReadonlyMap<string, InboxDepth>) => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, labels: { process: "gateway" } });
  const answers = new Counter({
    name: "vitrine_gateway_answers_total",
    help: "Answers to deliveries, by HTTP status.",
    labelNames: ["connection", "status"] as const,
    registers,
  });
  const deliveries = new Counter({
    name: "vitrine_gateway_deliveries_total",
    help: "Deliveries by topic and outcome: translated, ignored, refused, or not_stored where no translator takes the topic.",
    labelNames: ["connection", "topic", "outcome"] as const,
    registers,
  });
  const events = new Counter({
    name: "vitrine_gateway_events_total",
    help: "Events published to the log.",
    labelNames: ["connection"] as const,
    registers,
  });
  addDepthGauges(registers, readDepths);
  return {
    countAnswer(connection: string, answer: Answer): void {
      answers.inc({ connection, status: String(answer.status) });
      if (answer.status !== 200 || answer.untaken === undefined) return;
      const topic = answer.untaken.slice(0, maxTopicLength) || "none";
      deliveries.inc({ connection, topic, outcome: "not_stored" });
    },
    countBatch(connection: string, batch: Batch): void {
      events.inc({ connection }, batch.events.length);
      for (const [key, count] of batch.translated.counts) {
        const [topic, outcome] = splitCountKey(key);
        if (outcome !== "left_out" && key !== eventsKey)
          deliveries.inc({ connection, topic, outcome }, count);
      }
    },
    render: (): Promise<string> => registry.metrics(),
  };
};

const addDepthGauges = (
  registers: Registry[],
  readDepths: () => ReadonlyMap<string, InboxDepth>,
): void => {
  const labelNames = ["connection"] as const;
  new Gauge({
    name: "vitrine_gateway_inbox_deliveries",
    help: "Deliveries that wait to be translated.",
    ...{ labelNames, registers },
    collect() {
      for (const [connection, { deliveries }] of readDepths()) this.set({ connection }, deliveries);
    },
  });
  new Gauge({
    name: "vitrine_gateway_inbox_age_seconds",
    help: "Age of the oldest delivery that waits.",
    ...{ labelNames, registers },
    collect() {
      for (const [connection, { seconds }] of readDepths()) this.set({ connection }, seconds);
    },
  });
};
