import { basename } from "node:path";
import { createFixedWindow } from "../../http/rate-limit/fixed-window.ts";
import { createCountServer } from "../../http/rate-limit/ipc.ts";
import type { Logger } from "../../log.ts";
import type { OpsDeps } from "../../ops/app.ts";
import {
  createProjectorMonitor,
  dataAge,
  frozenDataAge,
} from "../../ops/health/projector-monitor.ts";
import { unreadyReasons } from "../../ops/health/readiness.ts";
import { createGauges } from "../../ops/metrics/gauges.ts";
import {
  createMetricsAggregator,
  createProcessMetrics,
} from "../../ops/metrics/process-metrics.ts";
import { corruptionSignals } from "../../platform/child-probe.ts";
import type { ProjectorStatus } from "../../projector/status.ts";
import { readBuildProgress } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { readDirectoryUsage } from "../../read-model/generations/disk-usage.ts";
import { flagForCheck } from "../../read-model/store/damage-flag.ts";
import { markJournalSuspect } from "../event-log.ts";
import { queryViaWorker } from "../query-worker/query.ts";
import type { ServeConfig } from "../shared-options.ts";
import type { SynonymRule } from "../synonyms-file.ts";
import { type OnMessage, startProcess } from "./fork.ts";
import { createHttpWorkerMonitor } from "./http-workers.ts";
import type { Role, StartMessage } from "./ipc.ts";
import { outOfMemory, type SupervisedProcess, supervise } from "./restart.ts";

/** Supervises one projector process and the HTTP processes; restarts each after an exit. */
export interface Supervisor {
  readonly ops: OpsDeps;
  /** Resolves when every HTTP process listens; rejects when one cannot. */
  readonly listening: Promise<void>;
  /** Drains all processes; kills those that still run after `timeoutMs`. */
  stop(patience: number): Promise<void>;
  kill(): void;
}

export interface SupervisorDeps {
  /** Settings with the actual ports instead of 0. */
  readonly config: ServeConfig;
  readonly synonyms: readonly SynonymRule[];
  /** The caller has claimed and locked it. */
  readonly directory: DataDirectory;
  readonly log: Logger;
  /** Path of the running program. */
  readonly program: string;
}

export const startSupervisor = (deps: SupervisorDeps): Supervisor => {
  const { config, synonyms, directory, log } = deps;
  const projectorMonitor = createProjectorMonitor(() => performance.now());
  const frozenAt = directory.frozenAt();
  const gauges = createGauges(() => ({
    projector: projectorMonitor.current(),
    http: http.state(),
    reasons: reasons(),
    usage: readDirectoryUsage(directory),
    quarantined: directory.quarantined(),
    building: readBuildProgress(directory.path),
  }));
  const ownMetrics = createProcessMetrics("supervisor");
  const metrics = createMetricsAggregator();
  const http = createHttpWorkerMonitor(config.workers, () => performance.now());
  const reasons = () =>
    unreadyReasons({
      modelLoaded: directory.live() !== undefined,
      http: http.state(),
      projector: projectorMonitor.current(),
      quarantined: directory.quarantined(),
      maxLag: config.maxLag,
    });
  const countServer = createCountServer(
    createFixedWindow(config.rateLimit, () => performance.now()),
  );

  const start = <R extends Role>(role: R, startMessage: StartMessage<R>): SupervisedProcess => {
    const { name } = startMessage;
    let fatalMessage: string | undefined;
    const onMessage: OnMessage = (message, reply) => {
      if (message.kind === "count") return reply(countServer(message));
      if (message.kind === "status") projectorMonitor.onStatus(message.status);
      else if (message.kind === "metrics") metrics.update(name, message.metrics);
      else if (message.kind === "refused") {
        fatalMessage = message.message;
        log.error(
          { process: name, reason: message.message, hint: message.hint },
          "a process cannot go on",
        );
      }
      if (role !== "http") return;
      http.onMessage(name, message);
      // An HTTP process sends a message every second, so it receives the age as often.
      const now = Date.now();
      const seconds = frozenAt
        ? frozenDataAge(frozenAt.time, now)
        : dataAge(projectorMonitor.current(), now);
      if (seconds !== undefined) reply({ kind: "age", seconds });
    };
    const onEnd = (exitReason: string): void => {
      const read =
        role === "projector"
          ? findContinuedGeneration(directory, projectorMonitor.current().status)
          : directory.live();
      if (mayBeCorruption(exitReason) && read) flagForCheck(read, `${name} was ${exitReason}`);
      if (mayBeCorruption(exitReason) && role === "projector")
        markJournalSuspect(config, `${name} was ${exitReason}`);
      if (role === "projector")
        projectorMonitor.onExit(fatalMessage ?? `its process ended (${exitReason})`);
      fatalMessage = undefined;
      metrics.remove(name);
      gauges.restarted(name);
      http.onExit(name);
    };
    gauges.started(name);
    const fork = () => {
      if (role === "http") http.started(name);
      return startProcess(deps.program, role, startMessage, onMessage);
    };
    return supervise(name, fork, onEnd, log);
  };
  const names = Array.from({ length: config.workers }, (_, at) => `http-${at + 1}`);
  const servers = new Map(
    names.map((name) => [name, start("http", { name, config, synonyms })] as const),
  );
  const supervised = [start("projector", { name: "projector", config }), ...servers.values()];
  const hangCheck = setInterval(() => {
    for (const name of http.unresponsive()) {
      const live = directory.live();
      if (live) flagForCheck(live, `${name} did not speak for a while`);
      log.error({ process: name }, "a process hangs; it is killed and started again");
      servers.get(name)?.restart();
    }
  }, 1_000);
  const queries = queryViaWorker((hear) =>
    startProcess(deps.program, "look", { name: "look", config }, hear),
  );
  return {
    listening: http.listening,
    ops: {
      dataDir: directory.path,
      projector: projectorMonitor.current,
      reasons,
      quarantined: directory.quarantined,
      building: () => readBuildProgress(directory.path),
      maxLag: config.maxLag,
      questions: queries.questions,
      log,
      metrics: async () => metrics.render(await ownMetrics.snapshot(), await gauges.snapshot()),
    },
    stop: async (patience) => {
      clearInterval(hangCheck);
      queries.close();
      await Promise.all(supervised.map((process) => process.stop(patience)));
    },
    kill: () => {
      clearInterval(hangCheck);
      queries.close();
      for (const process of supervised) process.kill();
    },
  };
};

/**
 * Finds the generation that a projector continued when it died. A rebuild writes another one, which is then the cause.
 */
const findContinuedGeneration = (
  directory: DataDirectory,
  status: ProjectorStatus | undefined,
): string | undefined => {
  const current = directory.resumable();
  const reported = status?.generation ?? undefined;
  return current && (reported === undefined || reported === basename(current))
    ? current
    : undefined;
};

/** True when a damaged file may have killed the process. */
const mayBeCorruption = (exitReason: string): boolean =>
  !exitReason.endsWith(outOfMemory) &&
  corruptionSignals.some((signal) => exitReason.includes(signal));
