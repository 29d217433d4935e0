import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Histogram,
  Registry,
} from "prom-client";
import {
  type RejectionReason,
  rejectionReasons,
} from "../../http/connection/rejected-connections.ts";
import type { Observation } from "../../http/middleware/request-metrics.ts";
import type { AppliedBatch } from "../../projector/batch/batch.ts";
import { openRequestCounts } from "./request-metrics.ts";

/** Metrics as they cross process borders. */
export type Snapshot = readonly { readonly name: string }[];

/** What one process counts of its own work. */
export interface Metrics {
  /** A batch was committed. */
  batch(batch: AppliedBatch, seconds: number): void;
  /** A request was answered. */
  request(observation: Observation): void;
  /** A connection was refused, cut or closed for a fault of its client. */
  rejection(reason: RejectionReason): void;
  snapshot(): Promise<Snapshot>;
}

const outcomes = ["applied", "stale", "repeated", "rejected", "redelivered"] as const;

const meanings: Readonly<Record<(typeof outcomes)[number], string>> = {
  applied: "Events folded into the model.",
  stale: "Late events that changed nothing.",
  repeated: "Events that stood in the log a second time and changed nothing.",
  rejected: "Events that became dead letters.",
  redelivered: "Events delivered again and skipped by the checkpoint.",
};

/** Seconds: a batch is 500 events at most. */
const batchBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** @param part which process: `projector`, `http-1`, `supervisor` */
export const createMetrics = (part: string): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, labels: { process: part } });
  const counts = part === "projector" ? projectorMetrics(registers) : undefined;
  const isHttp = part.startsWith("http");
  const requests = isHttp ? openRequestCounts() : undefined;
  const rejections = isHttp ? rejectedConnections(registers) : undefined;
  return {
    batch: (batch, seconds) => counts?.(batch, seconds),
    request: (observation) => requests?.count(observation),
    rejection: (reason) => rejections?.inc({ reason }),
    snapshot: async () => [...(await registry.getMetricsAsJSON()), ...(requests?.snapshot() ?? [])],
  };
};

const projectorMetrics = (registers: Registry[]) => {
  const counters = outcomes.map(
    (outcome) =>
      [
        outcome,
        new Counter({
          name: `vitrine_events_${outcome}_total`,
          help: meanings[outcome],
          registers,
        }),
      ] as const,
  );
  const duration = new Histogram({
    name: "vitrine_batch_duration_seconds",
    help: "Time to fold and commit one batch of events.",
    buckets: batchBuckets,
    registers,
  });
  return (batch: AppliedBatch, seconds: number): void => {
    for (const [outcome, counter] of counters) counter.inc(batch[outcome]);
    duration.observe(seconds);
  };
};

/** Counts from zero for each reason, so that the first rejection already is a rate. */
const rejectedConnections = (registers: Registry[]): Counter<"reason"> => {
  const counter = new Counter({
    name: "vitrine_http_rejected_connections_total",
    help: "Connections refused, cut or closed for a fault of their client.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of rejectionReasons) counter.inc({ reason }, 0);
  return counter;
};

/** The counts of several processes as one text for Prometheus. */
export interface Gathered {
  /** The latest counts of a process, replacing its earlier ones. */
  told(part: string, snapshot: Snapshot): void;
  /** The process ended: what it counted stays counted, so that no total ever falls. */
  lost(part: string): void;
  text(...more: readonly Snapshot[]): Promise<string>;
}

export const gatherMetrics = (): Gathered => {
  const latest = new Map<string, Snapshot>();
  let departed: Snapshot = [];
  const leaving = new Set<Snapshot>();
  let folding = Promise.resolve();
  const fold = async (last: Snapshot): Promise<void> => {
    departed = await sum([departed, last]).getMetricsAsJSON();
    leaving.delete(last);
  };
  return {
    told: (part, snapshot) => void latest.set(part, snapshot),
    lost(part) {
      const last = (latest.get(part) ?? []).filter(({ name }) => name.startsWith("vitrine_"));
      latest.delete(part);
      leaving.add(last);
      folding = folding.then(() => fold(last));
    },
    text: (...more) => sum([...more, departed, ...leaving, ...latest.values()]).metrics(),
  };
};

const sum = (snapshots: readonly Snapshot[]): Registry =>
  AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot]));

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;
