import { redactAddress } from "../../event-log/open.ts";
import { createLogger } from "../../log.ts";
import { createProjectorMonitor } from "../../ops/health/projector-monitor.ts";
import { createProcessMetrics } from "../../ops/metrics/process-metrics.ts";
import { startOpsServer } from "../../ops/server.ts";
import { openDataDirectory } from "../../read-model/generations/data-directory.ts";
import { withDataDirectoryLock } from "../data-directory-lock.ts";
import { defineCommand } from "../define-command.ts";
import { assertLogReachable } from "../event-log.ts";
import { type ProjectorConfig, projectorSettings } from "../shared-options.ts";
import { createOpsDeps } from "../supervisor/ops-deps.ts";
import { runProjectorRole } from "../supervisor/roles/projector.ts";
import { print } from "../terminal/output.ts";
import { listenForShutdown } from "../terminal/signals.ts";

export const projectCommand = defineCommand({
  settings: projectorSettings,
  examples: ["vitrine project --data-dir /var/lib/vitrine --events nats://127.0.0.1:4222"],
  run: ({ config }) => runProjectorAlone(config),
});

/**
 * Runs the projector with its own ops port until a signal ends it.
 * @returns exit code
 */
const runProjectorAlone = async (config: ProjectorConfig): Promise<number> => {
  const log = createLogger(config.logLevel, "projector");
  const shutdown = listenForShutdown();
  const directory = openDataDirectory(config.dataDir);
  return withDataDirectoryLock({ path: directory.path, onLost: shutdown.fail }, async () => {
    await assertLogReachable(config, directory);
    const projectorMonitor = createProjectorMonitor(() => performance.now());
    const metrics = createProcessMetrics("projector");
    const { ops: deps, closeQueries } = createOpsDeps({
      ...{ config, directory, projectorMonitor, ownMetrics: metrics, log },
    });
    const ops = await startOpsServer(deps, config, Date.now);
    print(
      `the projector follows ${redactAddress(config.events)}\n\n  Console  ${ops.url}\n  Ops      ${ops.url}/readyz`,
    );
    const { onStatus } = projectorMonitor;
    const { signal } = shutdown;
    try {
      await runProjectorRole({ config, directory, logger: log, metrics, onStatus, signal });
    } finally {
      closeQueries();
      await ops.close();
    }
    await shutdown.requested;
    return 0;
  });
};
