import { once } from "node:events";
import { asRefusal, VitrineError } from "../../errors.ts";
import { createLogger, type Logger } from "../../log.ts";
import { createMetrics, type Metrics } from "../../ops/metrics/process-metrics.ts";
import type { ProjectorStatus } from "../../projector/status.ts";
import { openDataDirectory } from "../../read-model/generations/data-directory.ts";
import { onSignals } from "../terminal/signals.ts";
import { type Begin, type Role, refusalOf, tell } from "./ipc.ts";

const metricsIntervalMs = 1_000;

/**
 * Runs a child process in its role until shutdown is requested.
 * @returns exit code
 */
export const runChild = async <R extends Role>(role: R): Promise<number> => {
  // The supervisor holds the lock: without it, an orphan must not write and need not answer.
  process.once("disconnect", () => process.exit(0));
  const shutdown = onSignals(() => undefined);
  const startMessage = await receiveStart<R>(shutdown.signal);
  if (!startMessage) return 0;
  const log = createLogger(startMessage.config.logLevel, startMessage.name);
  process.title = `vitrine ${startMessage.name}`;
  const metrics = createMetrics(startMessage.name);
  const metricsTimer = setInterval(() => void sendMetrics(metrics), metricsIntervalMs);
  try {
    const context = {
      begin: startMessage,
      log,
      metrics,
      signal: shutdown.signal,
      shutdownRequested: shutdown.asked,
    };
    await roles[role](context);
    return 0;
  } catch (thrown) {
    const error = asRefusal(thrown);
    if (!(error instanceof VitrineError)) {
      log.fatal({ err: error }, "a bug: the process ends");
      return 70;
    }
    tell(refusalOf(error));
    return error.exitCode;
  } finally {
    clearInterval(metricsTimer);
    await sendMetrics(metrics);
  }
};

/** Requests the start message. @returns undefined when shutdown comes first */
const receiveStart = async <R extends Role>(signal: AbortSignal): Promise<Begin<R> | undefined> => {
  const answer = once(process, "message", { signal });
  tell({ kind: "hello" });
  return answer.then(
    ([startMessage]) => startMessage,
    () => undefined,
  );
};

interface RoleContext<R extends Role> {
  readonly begin: Begin<R>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
  readonly shutdownRequested: Promise<void>;
}

/** Runs each role. A process imports only the code of its role, so that it restarts faster. */
const roles: { readonly [R in Role]: (context: RoleContext<R>) => Promise<void> } = {
  async projector({ begin: { config }, log, metrics, signal }) {
    const { project } = await import("./roles/projector.ts");
    const directory = openDataDirectory(config.dataDir);
    const onStatus = (status: ProjectorStatus) => tell({ kind: "status", status });
    await project({ config, directory, log, metrics, onStatus, signal });
  },
  async http({ begin: { config, synonyms }, log, metrics, shutdownRequested }) {
    const { answer } = await import("./roles/http.ts");
    await answer({ config, synonyms, log, metrics, asked: shutdownRequested });
  },
  async look({ begin: { config }, log, shutdownRequested }) {
    const { lookOn } = await import("../query-worker/worker.ts");
    await lookOn({ config, log, shutdownRequested });
  },
};

const sendMetrics = async (metrics: Metrics): Promise<void> =>
  tell({ kind: "metrics", metrics: await metrics.snapshot() });
