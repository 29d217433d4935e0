import { availableParallelism } from "node:os";
import type { Logger } from "../../log.ts";
import { createProjectorMonitor } from "../../ops/health/projector-monitor.ts";
import { createProcessMetrics } from "../../ops/metrics/process-metrics.ts";
import { sleep } from "../../platform/async.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import type { ServeConfig } from "../shared-options.ts";
import type { SynonymRule } from "../synonyms-file.ts";
import { createHttpWorkerMonitor, type HttpWorkerMonitor } from "./http-workers.ts";
import { createOpsDeps } from "./ops-deps.ts";
import { createHttpHandlers, createProjectorHandlers, flagLive } from "./role-handlers.ts";
import { type RoleHandlers, superviseRole } from "./supervise-role.ts";

export interface SupervisorDeps {
  /** Settings with the actual ports instead of 0. */
  readonly config: ServeConfig;
  /** Parsed once, for the first HTTP processes and for those that replace them. */
  readonly synonyms: readonly SynonymRule[];
  /** File descriptor of the socket that systemd passed; undefined when there is none. */
  readonly socket: number | undefined;
  /** The caller has claimed and locked it. */
  readonly directory: DataDirectory;
  readonly log: Logger;
}

/** Milliseconds. A damaged model is probed by the HTTP process first, which may take long. */
const maxWaitForHttpMs = 5_000;

/** Lets the projector start after the HTTP processes where these take all cores: agents get the first answer in half the time. */
const waitsForHttp = (
  { config, directory }: SupervisorDeps,
  http: HttpWorkerMonitor,
): Pick<RoleHandlers<"projector">, "turn"> =>
  directory.live() === undefined || availableParallelism() > config.workers
    ? {}
    : {
        turn: (signal) =>
          Promise.race([http.listening, sleep(maxWaitForHttpMs, signal)]).catch(() => undefined),
      };

export type Supervisor = ReturnType<typeof startSupervisor>;

/** Supervises one projector process and the HTTP processes; restarts each after an exit. */
export const startSupervisor = (deps: SupervisorDeps) => {
  const { config, synonyms, socket, directory, log } = deps;
  const projectorMonitor = createProjectorMonitor(() => performance.now());
  const http = createHttpWorkerMonitor(config.workers, () => performance.now());
  const { ops, gauges, metrics, closeQueries } = createOpsDeps({
    ...{ config, directory, projectorMonitor, http: http.state, log },
    ownMetrics: createProcessMetrics("supervisor"),
  });
  const roleDeps = { log, metrics, gauges };
  const handleHttp = createHttpHandlers(deps, projectorMonitor, http);
  const names = Array.from({ length: config.workers }, (_, at) => `http-${at + 1}`);
  const servers = new Map(
    names.map((name) => [
      name,
      superviseRole(roleDeps, "http", { name, config, synonyms, socket }, handleHttp(name)),
    ]),
  );
  const projector = superviseRole(
    roleDeps,
    "projector",
    { name: "projector", config },
    { ...createProjectorHandlers(deps, projectorMonitor), ...waitsForHttp(deps, http) },
  );
  const supervised = [projector, ...servers.values()];
  const hangCheck = setInterval(() => {
    for (const name of http.unresponsive()) {
      flagLive(directory, `${name} sent no message for a while`);
      log.error({ process: name }, "a process hangs; it is killed and started again");
      servers.get(name)?.restart();
    }
  }, 1_000);
  const stopChecks = (): void => {
    clearInterval(hangCheck);
    closeQueries();
  };
  return {
    /** Resolves when every HTTP process listens; rejects when one cannot. */
    listening: http.listening,
    ops,
    /** Drains all processes; kills those that still run after `timeoutMs`. */
    async stop(timeoutMs: number): Promise<void> {
      stopChecks();
      await Promise.all(supervised.map((process) => process.stop(timeoutMs)));
    },
    kill(): void {
      stopChecks();
      for (const process of supervised) process.kill();
    },
  };
};
