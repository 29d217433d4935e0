import { redactAddress } from "../../event-log/open.ts";
import { createLogger, type Logger } from "../../log.ts";
import type { OpsDeps } from "../../ops/app.ts";
import type { ConsoleQueries } from "../../ops/console/types.ts";
import {
  createProjectorMonitor,
  type ProjectorMonitor,
} from "../../ops/health/projector-monitor.ts";
import { unreadyReasons } from "../../ops/health/readiness.ts";
import { createGauges } from "../../ops/metrics/gauges.ts";
import {
  createMetricsAggregator,
  createProcessMetrics,
} from "../../ops/metrics/process-metrics.ts";
import { startOpsServer } from "../../ops/server.ts";
import { readBuildProgress } from "../../read-model/generations/build-progress.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import { readDirectoryUsage } from "../../read-model/generations/disk-usage.ts";
import { withDataDirectoryLock } from "../data-directory-lock.ts";
import { defineCommand } from "../define-command.ts";
import { assertLogReachable } from "../log-to-append.ts";
import { queryViaWorker } from "../query-worker/query.ts";
import { type ProjectorConfig, projectorSettings } from "../shared-options.ts";
import { startProcess } from "../supervisor/fork.ts";
import { runProjectorRole } from "../supervisor/roles/projector.ts";
import { print } from "../terminal/output.ts";
import { exitCodeOf, listenForShutdown } from "../terminal/signals.ts";

export const projectCommand = defineCommand({
  settings: projectorSettings,
  examples: ["vitrine project --data-dir /var/lib/vitrine --events nats://127.0.0.1:4222"],
  run: ({ config, program }) => runProjectorAlone(config, program),
});

/**
 * Runs the projector with its own ops port until a signal ends it.
 * @param program path of the running program, which the query worker starts again
 * @returns exit code
 */
export const runProjectorAlone = async (
  config: ProjectorConfig,
  program: string,
): Promise<number> => {
  const log = createLogger(config.logLevel, "projector");
  const shutdown = listenForShutdown((signal) => process.exit(exitCodeOf(signal)));
  const directory = openDataDirectory(config.dataDir);
  return withDataDirectoryLock(directory.path, shutdown.fail, async () => {
    await assertLogReachable(config, directory);
    const projectorMonitor = createProjectorMonitor(() => performance.now());
    const metrics = createProcessMetrics("projector");
    const queryWorkers = queryViaWorker((onMessage) =>
      startProcess(program, "query", { name: "query", config }, onMessage),
    );
    const { queries } = queryWorkers;
    const opsDeps = buildOpsDeps({ config, directory, log, projectorMonitor, queries }, () =>
      metrics.snapshot(),
    );
    const ops = await startOpsServer(opsDeps, config, Date.now);
    print(
      `the projector follows ${redactAddress(config.events)}\n\n  Console  ${ops.url}\n  Ops      ${ops.url}/readyz`,
    );
    const { signal } = shutdown;
    try {
      await runProjectorRole({
        config,
        directory,
        logger: log,
        metrics,
        onStatus: projectorMonitor.onStatus,
        signal,
      });
    } finally {
      queryWorkers.close();
      await ops.close();
    }
    await shutdown.requested;
    return 0;
  });
};

interface OpsInput {
  readonly config: ProjectorConfig;
  readonly directory: DataDirectory;
  readonly log: Logger;
  readonly projectorMonitor: ProjectorMonitor;
  readonly queries: ConsoleQueries;
}

const buildOpsDeps = (
  { config, directory, log, projectorMonitor, queries }: OpsInput,
  snapshot: () => ReturnType<ReturnType<typeof createProcessMetrics>["snapshot"]>,
): OpsDeps => {
  const reasons = () =>
    unreadyReasons({
      modelLoaded: directory.live() !== undefined,
      projector: projectorMonitor.current(),
      quarantined: directory.quarantined(),
      maxLag: config.maxLag,
    });
  const gauges = createGauges(() => ({
    projector: projectorMonitor.current(),
    reasons: reasons(),
    usage: readDirectoryUsage(directory),
    quarantined: directory.quarantined(),
    building: readBuildProgress(directory.path),
  }));
  const metrics = createMetricsAggregator();
  return {
    dataDir: directory.path,
    projector: projectorMonitor.current,
    reasons,
    quarantined: directory.quarantined,
    building: () => readBuildProgress(directory.path),
    maxLag: config.maxLag,
    queries,
    log,
    metrics: async () => metrics.render(await snapshot(), await gauges.snapshot()),
  };
};
