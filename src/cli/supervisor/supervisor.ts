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

export const deploy = (world: DeploymentWorld): Deployment => {
  const { config, synonyms, directory, log } = world;
  const seen = watchProjector(() => performance.now());
  const until = directory.until();
  const gauges = createGauges(() => ({
    projector: seen.see(),
    http: http.state(),
    reasons: reasons(),
    standing: standingOf(directory),
    quarantined: directory.quarantined(),
    building: readBuilding(directory.path),
  }));
  const own = createMetrics("supervisor");
  const gathered = gatherMetrics();
  const http = watchHttp(config.workers, () => performance.now());
  const reasons = () =>
    reasonsAgainst({
      modelLoaded: directory.live() !== undefined,
      http: http.state(),
      projector: seen.see(),
      quarantined: directory.quarantined(),
      maxLag: config.maxLag,
    });
  const counted = answerCounts(countRequests(config.rateLimit, () => performance.now()));

  const start = <R extends Role>(role: R, begin: Begin<R>): KeptRunning => {
    const { name } = begin;
    let refusal: string | undefined;
    const hear: Hear = (told, answer) => {
      if (told.kind === "count") return answer(counted(told));
      if (told.kind === "status") seen.told(told.status);
      else if (told.kind === "metrics") gathered.told(name, told.metrics);
      else if (told.kind === "refused") {
        refusal = told.message;
        log.error(
          { process: name, reason: told.message, hint: told.hint },
          "a process cannot go on",
        );
      }
      if (role !== "http") return;
      http.told(name, told);
      // An HTTP process sends a message every second, so it receives the age as often.
      const now = Date.now();
      const seconds = until ? ageOfStill(until.time, now) : ageOf(seen.see(), now);
      if (seconds !== undefined) answer({ kind: "age", seconds });
    };
    const onEnd = (how: string): void => {
      const read =
        role === "projector" ? projected(directory, seen.see().status) : directory.live();
      if (isDeadly(how) && read) suspect(read, `${name} was ${how}`);
      if (isDeadly(how) && role === "projector") suspectJournal(config, `${name} was ${how}`);
      if (role === "projector") seen.lost(refusal ?? `its process ended (${how})`);
      refusal = undefined;
      gathered.lost(name);
      gauges.restarted(name);
      http.lost(name);
    };
    gauges.started(name);
    const fork = () => {
      if (role === "http") http.begun(name);
      return startProcess(world.program, role, begin, hear);
    };
    return keepRunning(name, fork, onEnd, log);
  };
  const names = Array.from({ length: config.workers }, (_, at) => `http-${at + 1}`);
  const servers = new Map(
    names.map((name) => [name, start("http", { name, config, synonyms })] as const),
  );
  const kept = [start("projector", { name: "projector", config }), ...servers.values()];
  const looking = setInterval(() => {
    for (const name of http.hanging()) {
      const live = directory.live();
      if (live) suspect(live, `${name} did not speak for a while`);
      log.error({ process: name }, "a process hangs; it is killed and started again");
      servers.get(name)?.replace();
    }
  }, 1_000);
  const look = askByProcess((hear) =>
    startProcess(world.program, "look", { name: "look", config }, hear),
  );
  return {
    listening: http.listening,
    ops: {
      dataDir: directory.path,
      projector: seen.see,
      reasons,
      quarantined: directory.quarantined,
      building: () => readBuilding(directory.path),
      maxLag: config.maxLag,
      questions: look.questions,
      log,
      metrics: async () => gathered.text(await own.snapshot(), await gauges.snapshot()),
    },
    stop: async (patience) => {
      clearInterval(looking);
      look.close();
      await Promise.all(kept.map((process) => process.stop(patience)));
    },
    kill: () => {
      clearInterval(looking);
      look.close();
      for (const process of kept) process.kill();
    },
  };
};

/**
 * Finds the generation that a projector continued when it died. A rebuild writes another one, which is then the cause.
 */
const projected = (
  directory: DataDirectory,
  status: ProjectorStatus | undefined,
): string | undefined => {
  const current = directory.current();
  const told = status?.generation ?? undefined;
  return current && (told === undefined || told === basename(current)) ? current : undefined;
};

/** True when a damaged file may have killed the process. */
const isDeadly = (how: string): boolean =>
  !how.endsWith(inWant) && signalsOfDamage.some((signal) => how.includes(signal));
