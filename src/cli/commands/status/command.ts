import type { Flags } from "../../../config.ts";
import type { OpsStatus } from "../../../ops/health/status.ts";
import { type Building, readBuilding } from "../../../read-model/generations/build-progress.ts";
import { frozenReason, type Until } from "../../../read-model/generations/directory-marker.ts";
import type { CommandLine } from "../../define-command.ts";
import { askOps } from "../../ops-client.ts";
import { type ControlConfig, controlSettings } from "../../shared-options.ts";
import { printJson } from "../../terminal/output.ts";
import { exitCodeOf, onSignals } from "../../terminal/signals.ts";
import { type LogFacts, type LogWatch, watchLog } from "./log-info.ts";
import { lookAtDirectory, type ModelFacts, type ModelWatch, watchModel } from "./model-info.ts";
import { showStatus } from "./view.ts";
import { watchStatus } from "./watch.ts";

export const describeStatus = (line: CommandLine): void => {
  line
    .command({
      usage: "status",
      tells: "tell state, checkpoint, lag, generations, counts and sizes",
      settings: controlSettings,
      examples: ["vitrine status --json", "vitrine status --watch"],
    })
    .option("--watch", "tell it again every second, until Ctrl-C", false)
    .option("--json", "print one JSON object; with --watch one a line", false)
    .action(async ({ json, watch, ...flags }: Flags & StatusOptions) =>
      line.done(await status(line.config(flags, controlSettings), { json, watch })),
    );
};

export interface StatusOptions {
  readonly json: boolean;
  readonly watch: boolean;
}

/** What `vitrine status --json` prints. */
export interface Status {
  /**
   * A running projector's own state, else what the files tell: `empty` (no model yet), `live`, `behind`,
   * `diverged` (the log no longer continues the model), `unknown` (the log cannot be reached).
   */
  readonly state: OpsStatus["state"] | "empty" | "behind" | "diverged" | "unknown";
  readonly reason: string | null;
  /** ISO 8601: since when a running projector is in this state; null when none runs. */
  readonly since: string | null;
  readonly dataDir: string;
  /** What the service that runs on this data directory says; null when none answers on the ops port. */
  readonly service: ServiceFacts | null;
  /** Events and seconds; null when it cannot be known. */
  readonly lag: { readonly events: number | null; readonly seconds: number | null };
  readonly model: ModelFacts | null;
  readonly log: LogFacts;
  /** What a command builds beside the live generation; null while none does. */
  readonly building: Building | null;
}

export interface ServiceFacts {
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly eventsPerSecond: number;
  /** Seconds until the end of the log at this rate; null while it cannot be told. */
  readonly etaSeconds: number | null;
}

/**
 * Tells how things stand, whether the service runs or not, and changes nothing.
 * @returns exit code: 5 when nothing more is applied, 4 when the event log cannot be reached
 */
export const status = async (
  config: ControlConfig,
  { json, watch }: StatusOptions,
): Promise<number> => {
  const [model, log] = [watchModel(), watchLog(config)];
  const ending = watch ? onSignals((signal) => process.exit(exitCodeOf(signal))) : undefined;
  try {
    const look = () => lookAround(config, model, log, Date.now());
    if (ending) return await watchStatus(look, json, ending.signal);
    const told = await look();
    if (json) printJson(told);
    else showStatus(told, Date.now());
    return exitCodeFor(told);
  } finally {
    ending?.forget();
    await log.close();
  }
};

const exitCodeFor = ({ state, log }: Status): number => {
  if (state === "diverged" || state === "faulted") return 5;
  return log.reachable ? 0 : 4;
};

const lookAround = async (
  config: ControlConfig,
  readModel: ModelWatch,
  eventLog: LogWatch,
  now: number,
): Promise<Status> => {
  const directory = lookAtDirectory(config.dataDir);
  const model = directory && (await readModel(directory));
  const [ops, log] = await Promise.all([
    directory && askOps(config),
    eventLog.facts(model?.checkpoint, now),
  ]);
  return {
    ...stateOf(ops, model, log, directory?.until()),
    dataDir: directory?.path ?? config.dataDir,
    service: ops ? serviceFacts(ops) : null,
    lag: { events: log.lagEvents ?? null, seconds: lagSeconds(ops, log) },
    model: model ?? null,
    log,
    building: (directory && readBuilding(directory.path)) ?? null,
  };
};

const stateOf = (
  ops: OpsStatus | undefined,
  model: ModelFacts | undefined,
  log: LogFacts,
  until: Until | undefined,
): Pick<Status, "state" | "reason" | "since"> => {
  if (ops) return { state: ops.state, reason: ops.reason, since: ops.since };
  const unattended = (state: Status["state"], reason: string | null) => ({
    state,
    reason,
    since: null,
  });
  if (until && model) return unattended("live", frozenReason(until));
  if (until)
    return unattended("empty", "vitrine rebuild was cut off while it made it: run it again");
  if (!log.reachable) return unattended("unknown", log.error ?? null);
  if (!model) return unattended("empty", "no read model yet: start vitrine serve");
  if (log.divergence) return unattended("diverged", log.divergence);
  return unattended(log.lagEvents === 0 ? "live" : "behind", null);
};

const serviceFacts = ({ ready, reasons, status: told }: OpsStatus): ServiceFacts => ({
  ready,
  reasons,
  eventsPerSecond: told?.eventsPerSecond ?? 0,
  etaSeconds: told?.etaSeconds ?? null,
});

/** As the log shows it now; what the service last knew when the log cannot be asked. */
const lagSeconds = (ops: OpsStatus | undefined, log: LogFacts): number | null =>
  log.lagSeconds ?? ops?.lagSeconds ?? null;
