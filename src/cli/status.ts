import type { Config, Flags } from "../config.ts";
import type { OpsStatus } from "../ops/server.ts";
import { askOps } from "./ask-ops.ts";
import type { CommandLine } from "./command-line.ts";
import { type LogFacts, readLogFacts } from "./log-facts.ts";
import { lookAtDirectory, type ModelFacts, readModelFacts } from "./model-facts.ts";
import { printJson } from "./output.ts";
import { logSettings, opsSettings } from "./setting-groups.ts";
import { showStatus } from "./show-status.ts";

const statusSettings = [...opsSettings, ...logSettings] as const;

export const describeStatus = (line: CommandLine): void => {
  line
    .command({
      usage: "status",
      tells: "tell checkpoint, lag, counts and sizes",
      settings: statusSettings,
      examples: ["vitrine status --json"],
    })
    .option("--json", "print one JSON object", false)
    .action(async ({ json, ...flags }: Flags & { json: boolean }) =>
      line.done(await status(line.config(flags, statusSettings), { json, now: Date.now() })),
    );
};

/** What `vitrine status --json` prints. */
export interface Status {
  /**
   * A running projector's own state, else what the files tell: `empty` (no model yet), `live`, `behind`,
   * `diverged` (the log no longer continues the model), `unknown` (the log cannot be reached).
   */
  readonly state: OpsStatus["state"] | "empty" | "behind" | "diverged" | "unknown";
  readonly reason: string | null;
  readonly dataDir: string;
  /** What the service that runs on this data directory says; null when none answers on the ops port. */
  readonly service: { readonly ready: boolean; readonly reasons: readonly string[] } | null;
  /** Events and seconds; null when it cannot be known. */
  readonly lag: { readonly events: number | null; readonly seconds: number | null };
  readonly model: ModelFacts | null;
  readonly log: LogFacts;
}

/**
 * Tells how things stand, whether the service runs or not, and changes nothing.
 * @returns exit code: 5 when nothing more is applied, 4 when the event log cannot be reached
 */
export const status = async (
  config: Config,
  { json, now }: { readonly json: boolean; readonly now: number },
): Promise<number> => {
  const directory = lookAtDirectory(config.dataDir);
  const model = directory && (await readModelFacts(directory));
  const [service, log] = await Promise.all([
    directory && askOps(config),
    readLogFacts(config, model?.checkpoint, now),
  ]);
  const told: Status = {
    ...stateOf(service, model, log),
    dataDir: directory?.path ?? config.dataDir,
    service: service ? { ready: service.ready, reasons: service.reasons } : null,
    lag: { events: log.lagEvents ?? null, seconds: lagSeconds(service, log) },
    model: model ?? null,
    log,
  };
  if (json) printJson(told);
  else showStatus(told);
  if (told.state === "diverged" || told.state === "faulted") return 5;
  return log.reachable ? 0 : 4;
};

const stateOf = (
  service: OpsStatus | undefined,
  model: ModelFacts | undefined,
  log: LogFacts,
): Pick<Status, "state" | "reason"> => {
  if (service) return { state: service.state, reason: service.reason };
  if (!log.reachable) return { state: "unknown", reason: log.error ?? null };
  if (!model) return { state: "empty", reason: "no read model yet: start vitrine serve" };
  if (log.divergence) return { state: "diverged", reason: log.divergence };
  return { state: log.lagEvents === 0 ? "live" : "behind", reason: null };
};

/** As the log shows it now; what the service last knew when the log cannot be asked. */
const lagSeconds = (service: OpsStatus | undefined, log: LogFacts): number | null =>
  log.lagSeconds ?? service?.lagSeconds ?? null;
