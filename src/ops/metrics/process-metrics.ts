import { readdirSync } from "node:fs";
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";
import {
  type RejectionReason,
  rejectionReasons,
} from "../../http/connection/rejected-connections.ts";
import type { Observation } from "../../http/exchange.ts";
import type { BatchResult } from "../../projector/context.ts";
import { createRequestCounts } from "./request-metrics.ts";

/** Metrics in the form that processes exchange over IPC. */
export type MetricsSnapshot = readonly { readonly name: string }[];

const outcomes = ["applied", "stale", "repeated", "rejected", "redelivered"] as const;

const helpTexts: Readonly<Record<(typeof outcomes)[number], string>> = {
  applied: "Events applied to the read model.",
  stale: "Late events that changed nothing.",
  repeated: "Events that were in the log a second time and changed nothing.",
  rejected: "Events that became dead letters.",
  redelivered: "Events delivered again and skipped by the checkpoint.",
};

/** Upper bounds of the buckets. A batch has 500 events at most. */
const batchBucketSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type ProcessMetrics = ReturnType<typeof createProcessMetrics>;

/** @param processName `projector`, `http-1`, `supervisor` */
export const createProcessMetrics = (processName: string) => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, labels: { process: processName } });
  for (const name of removedGauges) registry.removeSingleMetric(name);
  createOpenFilesGauge(registers, processName);
  const recordBatch = processName === "projector" ? createBatchMetrics(registers) : undefined;
  const isHttp = processName.startsWith("http");
  const requests = isHttp ? createRequestCounts() : undefined;
  const rejections = isHttp ? createRejectionCounter(registers) : undefined;
  const fallbacks = isHttp ? createFallbackCounter(registers) : undefined;
  return {
    batch: (batch: BatchResult, seconds: number): void => recordBatch?.(batch, seconds),
    request: (observation: Observation): void => requests?.count(observation),
    /** Records a connection that was refused, cut or closed because of a client error. */
    rejection: (reason: RejectionReason): void => rejections?.inc({ reason }),
    /** Records a GraphQL operation that graphql-js executed again, because its compiled plan bailed out. */
    graphqlFallback: (): void => fallbacks?.inc(),
    snapshot: async (): Promise<MetricsSnapshot> => [
      ...(await registry.getMetricsAsJSON()),
      ...(requests?.snapshot() ?? []),
    ],
  };
};

/**
 * Gauges of prom-client that list every connection once a second, which takes 4 % of a core with 10,000 of them. `promtool check metrics`
 * rejects those with the suffix of a counter.
 */
const removedGauges = [
  "process_open_fds",
  ...["handles", "requests", "resources"].flatMap((name) => [
    `nodejs_active_${name}`,
    `nodejs_active_${name}_total`,
  ]),
];

const openFilesIntervalMs = 15_000;

/** Creates the gauge that prom-client has, but reads it less often. */
const createOpenFilesGauge = (registers: Registry[], processName: string): void => {
  if (process.platform !== "linux") return;
  let readAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: "process_open_fds",
    help: "Number of open file descriptors.",
    labelNames: ["process"],
    registers,
    collect() {
      if (performance.now() - readAt < openFilesIntervalMs) return;
      readAt = performance.now();
      try {
        // One of them is that of the list.
        this.set({ process: processName }, readdirSync("/proc/self/fd").length - 1);
      } catch {
        // No descriptor is left for the list: the gauge keeps its value.
      }
    },
  });
};

const createBatchMetrics = (registers: Registry[]) => {
  const counters = outcomes.map(
    (outcome) =>
      [
        outcome,
        new Counter({
          name: `vitrine_events_${outcome}_total`,
          help: helpTexts[outcome],
          registers,
        }),
      ] as const,
  );
  const duration = new Histogram({
    name: "vitrine_batch_duration_seconds",
    help: "Time to apply and commit one batch of events.",
    buckets: batchBucketSeconds,
    registers,
  });
  return (batch: BatchResult, seconds: number): void => {
    for (const [outcome, counter] of counters) counter.inc(batch[outcome]);
    duration.observe(seconds);
  };
};

/** Starts the counter of every reason at 0, so that the first rejection already yields a rate. */
const createRejectionCounter = (registers: Registry[]): Counter<"reason"> => {
  const counter = new Counter({
    name: "vitrine_http_rejected_connections_total",
    help: "Connections rejected or closed because of their client.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of rejectionReasons) counter.inc({ reason }, 0);
  return counter;
};

const createFallbackCounter = (registers: Registry[]): Counter =>
  new Counter({
    name: "vitrine_graphql_fallbacks_total",
    help: "GraphQL operations that were executed again without their compiled plan.",
    registers,
  });

export const createMetricsAggregator = () => {
  const latest = new Map<string, MetricsSnapshot>();
  /** Sum of the metrics of exited processes. */
  let exited: MetricsSnapshot = [];
  const pending = new Set<MetricsSnapshot>();
  let queue = Promise.resolve();
  const addToExited = async (last: MetricsSnapshot): Promise<void> => {
    exited = await aggregate([exited, last]).getMetricsAsJSON();
    pending.delete(last);
  };
  return {
    /** Replaces the metrics of a process with its latest ones. */
    update: (processName: string, snapshot: MetricsSnapshot): void =>
      void latest.set(processName, snapshot),
    /** Records the exit of a process. Its counts remain in the totals, so that no counter decreases. */
    remove(processName: string): void {
      const last = (latest.get(processName) ?? []).filter(({ name }) =>
        name.startsWith("vitrine_"),
      );
      latest.delete(processName);
      pending.add(last);
      queue = queue.then(() => addToExited(last));
    },
    render: (...more: readonly MetricsSnapshot[]): Promise<string> =>
      aggregate([...more, exited, ...pending, ...latest.values()]).metrics(),
  };
};

const aggregate = (snapshots: readonly MetricsSnapshot[]): Registry =>
  AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot]));

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;
