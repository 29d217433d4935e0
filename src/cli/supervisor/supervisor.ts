import { basename } from "node:path";
import { countRequests } from "../../http/rate-limit/fixed-window.ts";
import { answerCounts } from "../../http/rate-limit/ipc.ts";
import type { Logger } from "../../log.ts";
import type { OpsWorld } from "../../ops/app.ts";
import { ageOf, ageOfStill, watchProjector } from "../../ops/health/projector-monitor.ts";
import { reasonsAgainst } from "../../ops/health/readiness.ts";
import { createGauges } from "../../ops/metrics/gauges.ts";
import { createMetrics, gatherMetrics } from "../../ops/metrics/process-metrics.ts";
import { signalsOfDamage } from "../../platform/child-probe.ts";
import type { ProjectorStatus } from "../../projector/status.ts";
import { readBuilding } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { standingOf } from "../../read-model/generations/disk-usage.ts";
import { suspect } from "../../read-model/integrity/flag.ts";
import { suspectJournal } from "../event-log.ts";
import { askByProcess } from "../query-worker/query.ts";
import type { ServeConfig } from "../shared-options.ts";
import type { SynonymRule } from "../synonyms-file.ts";
import { type Hear, startProcess } from "./fork.ts";
import { watchHttp } from "./http-workers.ts";
import type { Begin, Role } from "./ipc.ts";
import { inWant, type KeptRunning, keepRunning } from "./restart.ts";

/** Supervises one projector process and the HTTP processes; restarts each after an exit. */
export interface Deployment {
  readonly ops: OpsWorld;
  /** Resolves when every HTTP process listens; rejects when one cannot. */
  readonly listening: Promise<void>;
  /** Drains all processes; kills those that still run after `timeoutMs`. */
  stop(patience: number): Promise<void>;
  kill(): void;
}

export interface DeploymentWorld {
  /** Settings with the actual ports instead of 0. */
  readonly config: ServeConfig;
  readonly synonyms: readonly SynonymRule[];
  /** The caller has claimed and locked it. */
  readonly directory: DataDirectory;
  readonly log: Logger;
  /** Path of the running program. */
  readonly program: string;
}

export const deploy = (deps: DeploymentWorld): Deployment => {
  const { config, synonyms, directory, log } = deps;
  const projectorMonitor = watchProjector(() => performance.now());
  const frozenAt = directory.until();
  const gauges = createGauges(() => ({
    projector: projectorMonitor.see(),
    http: http.state(),
    reasons: reasons(),
    standing: standingOf(directory),
    quarantined: directory.quarantined(),
    building: readBuilding(directory.path),
  }));
  const ownMetrics = createMetrics("supervisor");
  const metrics = gatherMetrics();
  const http = watchHttp(config.workers, () => performance.now());
  const reasons = () =>
    reasonsAgainst({
      modelLoaded: directory.live() !== undefined,
      http: http.state(),
      projector: projectorMonitor.see(),
      quarantined: directory.quarantined(),
      maxLag: config.maxLag,
    });
  const countServer = answerCounts(countRequests(config.rateLimit, () => performance.now()));

  const start = <R extends Role>(role: R, startMessage: Begin<R>): KeptRunning => {
    const { name } = startMessage;
    let fatalMessage: string | undefined;
    const onMessage: Hear = (message, reply) => {
      if (message.kind === "count") return reply(countServer(message));
      if (message.kind === "status") projectorMonitor.told(message.status);
      else if (message.kind === "metrics") metrics.told(name, message.metrics);
      else if (message.kind === "refused") {
        fatalMessage = message.message;
        log.error(
          { process: name, reason: message.message, hint: message.hint },
          "a process cannot go on",
        );
      }
      if (role !== "http") return;
      http.told(name, message);
      // An HTTP process sends a message every second, so it receives the age as often.
      const now = Date.now();
      const seconds = frozenAt
        ? ageOfStill(frozenAt.time, now)
        : ageOf(projectorMonitor.see(), now);
      if (seconds !== undefined) reply({ kind: "age", seconds });
    };
    const onEnd = (exitReason: string): void => {
      const read =
        role === "projector"
          ? findContinuedGeneration(directory, projectorMonitor.see().status)
          : directory.live();
      if (mayBeCorruption(exitReason) && read) suspect(read, `${name} was ${exitReason}`);
      if (mayBeCorruption(exitReason) && role === "projector")
        suspectJournal(config, `${name} was ${exitReason}`);
      if (role === "projector")
        projectorMonitor.lost(fatalMessage ?? `its process ended (${exitReason})`);
      fatalMessage = undefined;
      metrics.lost(name);
      gauges.restarted(name);
      http.lost(name);
    };
    gauges.started(name);
    const fork = () => {
      if (role === "http") http.begun(name);
      return startProcess(deps.program, role, startMessage, onMessage);
    };
    return keepRunning(name, fork, onEnd, log);
  };
  const names = Array.from({ length: config.workers }, (_, at) => `http-${at + 1}`);
  const servers = new Map(
    names.map((name) => [name, start("http", { name, config, synonyms })] as const),
  );
  const supervised = [start("projector", { name: "projector", config }), ...servers.values()];
  const hangCheck = setInterval(() => {
    for (const name of http.hanging()) {
      const live = directory.live();
      if (live) suspect(live, `${name} did not speak for a while`);
      log.error({ process: name }, "a process hangs; it is killed and started again");
      servers.get(name)?.replace();
    }
  }, 1_000);
  const queries = askByProcess((hear) =>
    startProcess(deps.program, "look", { name: "look", config }, hear),
  );
  return {
    listening: http.listening,
    ops: {
      dataDir: directory.path,
      projector: projectorMonitor.see,
      reasons,
      quarantined: directory.quarantined,
      building: () => readBuilding(directory.path),
      maxLag: config.maxLag,
      questions: queries.questions,
      log,
      metrics: async () => metrics.text(await ownMetrics.snapshot(), await gauges.snapshot()),
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
  const current = directory.current();
  const reported = status?.generation ?? undefined;
  return current && (reported === undefined || reported === basename(current))
    ? current
    : undefined;
};

/** True when a damaged file may have killed the process. */
const mayBeCorruption = (exitReason: string): boolean =>
  !exitReason.endsWith(inWant) && signalsOfDamage.some((signal) => exitReason.includes(signal));
