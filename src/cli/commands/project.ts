import type { Flags } from "../../config.ts";
import { shownAddress } from "../../event-log/open.ts";
import { createLogger, type Logger } from "../../log.ts";
import type { OpsWorld } from "../../ops/app.ts";
import type { Questions } from "../../ops/console/types.ts";
import { type Watch, watchProjector } from "../../ops/health/projector-monitor.ts";
import { reasonsAgainst } from "../../ops/health/readiness.ts";
import { createGauges } from "../../ops/metrics/gauges.ts";
import { createMetrics, gatherMetrics } from "../../ops/metrics/process-metrics.ts";
import { openOps } from "../../ops/server.ts";
import { readBuilding } from "../../read-model/generations/build-progress.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import { standingOf } from "../../read-model/generations/disk-usage.ts";
import type { CommandLine } from "../define-command.ts";
import { mustReachLog } from "../event-log.ts";
import { askByProcess } from "../query-worker/query.ts";
import { type ProjectorConfig, projectorSettings } from "../shared-options.ts";
import { startProcess } from "../supervisor/fork.ts";
import { project } from "../supervisor/roles/projector.ts";
import { print } from "../terminal/output.ts";
import { exitCodeOf, onSignals } from "../terminal/signals.ts";
import { underLock } from "../with-lock.ts";

export const describeProject = (line: CommandLine): void => {
  line
    .command({
      usage: "project",
      tells: "run the projector alone; one per data directory",
      settings: projectorSettings,
      examples: ["vitrine project --data-dir /var/lib/vitrine --events nats://127.0.0.1:4222"],
    })
    .action(async (flags: Flags) =>
      line.done(await projectAlone(line.config(flags, projectorSettings), line.program)),
    );
};

/**
 * Runs the projector with its own ops port until a signal ends it.
 * @param program path of the running program, which the query worker starts again
 * @returns exit code
 */
export const projectAlone = async (config: ProjectorConfig, program: string): Promise<number> => {
  const log = createLogger(config.logLevel, "projector");
  const shutdown = onSignals((signal) => process.exit(exitCodeOf(signal)));
  const directory = openDataDirectory(config.dataDir);
  return underLock(directory, shutdown, async () => {
    await mustReachLog(config, directory);
    const projectorMonitor = watchProjector(() => performance.now());
    const metrics = createMetrics("projector");
    const queries = askByProcess((hear) =>
      startProcess(program, "look", { name: "look", config }, hear),
    );
    const { questions } = queries;
    const opsDeps = buildOpsDeps({ config, directory, log, projectorMonitor, questions }, () =>
      metrics.snapshot(),
    );
    const { opsHost: host, opsPort: port } = config;
    const ops = await openOps(opsDeps, { host, port }, Date.now);
    print(
      `the projector follows ${shownAddress(config.events)}\n\n  Console  ${ops.url}\n  Ops      ${ops.url}/readyz`,
    );
    const { signal } = shutdown;
    try {
      await project({ config, directory, log, metrics, onStatus: projectorMonitor.told, signal });
    } finally {
      queries.close();
      await ops.close();
    }
    await shutdown.asked;
    return 0;
  });
};

interface OpsInput {
  readonly config: ProjectorConfig;
  readonly directory: DataDirectory;
  readonly log: Logger;
  readonly projectorMonitor: Watch;
  readonly questions: Questions;
}

const buildOpsDeps = (
  { config, directory, log, projectorMonitor, questions }: OpsInput,
  snapshot: () => ReturnType<ReturnType<typeof createMetrics>["snapshot"]>,
): OpsWorld => {
  const reasons = () =>
    reasonsAgainst({
      modelLoaded: directory.live() !== undefined,
      projector: projectorMonitor.see(),
      quarantined: directory.quarantined(),
      maxLag: config.maxLag,
    });
  const gauges = createGauges(() => ({
    projector: projectorMonitor.see(),
    reasons: reasons(),
    standing: standingOf(directory),
    quarantined: directory.quarantined(),
    building: readBuilding(directory.path),
  }));
  const metrics = gatherMetrics();
  return {
    dataDir: directory.path,
    projector: projectorMonitor.see,
    reasons,
    quarantined: directory.quarantined,
    building: () => readBuilding(directory.path),
    maxLag: config.maxLag,
    questions,
    log,
    metrics: async () => metrics.text(await snapshot(), await gauges.snapshot()),
  };
};
