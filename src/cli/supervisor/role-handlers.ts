import { basename } from "node:path";
import { createCountServer } from "../../http/rate-limit/ipc.ts";
import { createFixedWindow } from "../../http/rate-limit/rate-limit.ts";
import {
  dataAge,
  frozenDataAge,
  type ProjectorMonitor,
} from "../../ops/health/projector-monitor.ts";
import { formatExit, isCorruptionExit } from "../../platform/exit-reason.ts";
import type { ProjectorStatus } from "../../projector/status/status.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { type FlagKind, flagForCheck } from "../../read-model/store/damage-flag.ts";
import { markJournalSuspect } from "../event-log.ts";
import type { ServeConfig } from "../shared-options.ts";
import type { HttpWorkerMonitor } from "./http-workers.ts";
import type { RoleHandlers } from "./supervise-role.ts";

interface HandlerDeps {
  readonly config: ServeConfig;
  readonly directory: DataDirectory;
}

/** Creates the handlers of each HTTP process, which share the counter of the rate limit. */
export const createHttpHandlers = (
  { config, directory }: HandlerDeps,
  projectorMonitor: ProjectorMonitor,
  http: HttpWorkerMonitor,
) => {
  const frozenAt = directory.frozenAt();
  const count = createCountServer(createFixedWindow(config.rateLimit, () => performance.now()));
  const readAge = (now: number): number | undefined =>
    frozenAt ? frozenDataAge(frozenAt.time, now) : dataAge(projectorMonitor.current(), now);
  return (name: string): RoleHandlers<"http"> => ({
    onStart: () => http.started(name),
    onMessage(message, reply) {
      if (message.kind === "count") return reply(count(message));
      http.onMessage(name, message);
      // An HTTP process sends a message every second, so it receives the age as often.
      const seconds = readAge(Date.now());
      if (seconds !== undefined) reply({ kind: "age", seconds });
    },
    onExit(reason) {
      if (isCorruptionExit(reason))
        flagLive(directory, `${name} was ${formatExit(reason)}`, "reader-crash");
      http.onExit(name);
    },
  });
};

export const flagLive = (directory: DataDirectory, reason: string, kind?: FlagKind): void => {
  const live = directory.live();
  if (live) flagForCheck(live, reason, kind);
};

export const createProjectorHandlers = (
  { config, directory }: HandlerDeps,
  monitor: ProjectorMonitor,
): RoleHandlers<"projector"> => ({
  onMessage(message) {
    if (message.kind === "status") monitor.onStatus(message.status);
  },
  onExit(reason, fatal) {
    if (isCorruptionExit(reason)) {
      const why = `projector was ${formatExit(reason)}`;
      const generation = findContinuedGeneration(directory, monitor.current().status);
      if (generation) flagForCheck(generation, why, "writer-crash");
      markJournalSuspect(config, why);
    }
    monitor.onExit(fatal ?? `its process ended (${formatExit(reason)})`);
  },
});

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
