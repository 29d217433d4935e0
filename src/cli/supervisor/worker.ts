import { mapDiskFull, VitrineError } from "../../errors.ts";
import { createLogger } from "../../log.ts";
import { createProcessMetrics, type ProcessMetrics } from "../../ops/metrics/process-metrics.ts";
import { listenForShutdown } from "../terminal/signals.ts";
import { receiveStart, sendToSupervisor, toErrorPayload } from "./ipc.ts";
import type { Role, RoleContext } from "./messages.ts";

const metricsIntervalMs = 1_000;

/**
 * Runs a child process in its role until shutdown is requested.
 * @returns exit code
 */
export const runWorker = async <R extends Role>(
  run: (context: RoleContext<R>) => Promise<void>,
): Promise<number> => {
  // The supervisor holds the lock: without it, an orphan must not write and need not answer.
  process.once("disconnect", () => process.exit(0));
  const shutdown = listenForShutdown(() => undefined);
  const startMessage = await receiveStart<R>(shutdown.signal);
  if (!startMessage) return 0;
  const log = createLogger(startMessage.config.logLevel, startMessage.name);
  process.title = `vitrine ${startMessage.name}`;
  const metrics = createProcessMetrics(startMessage.name);
  const metricsTimer = setInterval(() => void sendMetrics(metrics), metricsIntervalMs);
  try {
    const { signal, requested: shutdownRequested } = shutdown;
    await run({ startMessage, log, metrics, signal, shutdownRequested });
    return 0;
  } catch (thrown) {
    const error = mapDiskFull(thrown);
    if (!(error instanceof VitrineError)) {
      log.fatal({ err: error }, "a bug: the process ends");
      return 70;
    }
    sendToSupervisor({ kind: "fatal", ...toErrorPayload(error) });
    return error.exitCode;
  } finally {
    clearInterval(metricsTimer);
    await sendMetrics(metrics);
  }
};

const sendMetrics = async (metrics: ProcessMetrics): Promise<void> =>
  sendToSupervisor({ kind: "metrics", metrics: await metrics.snapshot() });
