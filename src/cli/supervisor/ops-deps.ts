import type { Logger } from "../../log.ts";
import type { ProjectorMonitor } from "../../ops/health/projector-monitor.ts";
import { type ReadinessInput, unreadyReasons } from "../../ops/health/readiness.ts";
import { createGauges } from "../../ops/metrics/gauges.ts";
import {
  createMetricsAggregator,
  type createProcessMetrics,
} from "../../ops/metrics/process-metrics.ts";
import type { OpsDeps } from "../../ops/server.ts";
import { readBuildProgress } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { readDirectoryUsage } from "../../read-model/generations/disk-usage.ts";
import { createQueryClients } from "../query-worker/client.ts";
import type { ProjectorConfig } from "../shared-options.ts";
import { startProcess } from "./fork.ts";

interface OpsInput {
  readonly config: ProjectorConfig;
  readonly directory: DataDirectory;
  readonly projectorMonitor: ProjectorMonitor;
  /** Returns the state of the HTTP processes; absent without any. */
  readonly http?: () => NonNullable<ReadinessInput["http"]>;
  readonly ownMetrics: ReturnType<typeof createProcessMetrics>;
  readonly log: Logger;
}

export const createOpsDeps = (input: OpsInput) => {
  const { config, directory, projectorMonitor, ownMetrics, log } = input;
  const { maxLag } = config;
  const readState = () => ({
    projector: projectorMonitor.current(),
    ...(input.http && { http: input.http() }),
    quarantined: directory.quarantined(),
  });
  const reasons = () =>
    unreadyReasons({ ...readState(), modelLoaded: directory.live() !== undefined, maxLag });
  const gauges = createGauges(() => ({
    ...readState(),
    reasons: reasons(),
    usage: readDirectoryUsage(directory),
    building: readBuildProgress(directory.path),
  }));
  const metrics = createMetricsAggregator();
  const queries = createQueryClients((onMessage) =>
    startProcess("query", { name: "query", config }, onMessage),
  );
  const ops: OpsDeps = {
    dataDir: directory.path,
    projector: projectorMonitor.current,
    reasons,
    quarantined: directory.quarantined,
    building: () => readBuildProgress(directory.path),
    maxLag,
    askConsole: queries.ask,
    log,
    metrics: async () => metrics.render(await ownMetrics.snapshot(), await gauges.snapshot()),
  };
  return { ops, gauges, metrics, closeQueries: queries.close };
};
