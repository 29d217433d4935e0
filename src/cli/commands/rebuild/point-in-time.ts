import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { VitrineError } from "../../../errors.ts";
import type { EventLog, LogBounds } from "../../../event-log/event-log.ts";
import { type ReplayLimit, requireCompleteLog } from "../../../projector/rebuild/replay.ts";
import { collectOperatorRows } from "../../../read-model/operator/collect-rows.ts";
import { hasOperatorState } from "../../../read-model/operator/directory.ts";
import type { OperatorRow } from "../../../read-model/operator/rows.ts";
import type { Report } from "../../define-command.ts";
import { withEventLog } from "../../event-log.ts";
import { openExistingDirectory } from "../../model-directory.ts";
import { withOperatorReader } from "../../operator-state.ts";
import type { LogConfig } from "../../shared-options.ts";
import { print, printError } from "../../terminal/output.ts";
import { formatThroughput } from "../../terminal/progress-bar.ts";
import { lowerPriority } from "./build-generation.ts";
import { buildPointInTime } from "./build-point-in-time.ts";

interface PointInTimeFlags {
  /** Log sequence of the last event included. */
  readonly untilSeq: number | undefined;
  /** Latest log time included, in milliseconds since 1970. */
  readonly untilTime: number | undefined;
  /** Directory to create. */
  readonly into: string | undefined;
  readonly json: boolean;
}

/**
 * Builds a frozen data directory with the shop's state as of an event or a log time.
 * `vitrine serve` answers from it and applies no more events. The live generation is not read. Revocations of later
 * events and of earlier logs are included.
 * @throws VitrineError `usage` when the log holds no such event; `event_log` when it is empty; `divergence` when it was
 * trimmed; `data_dir` when the directory cannot be used
 */
export const rebuildPointInTime = (
  config: LogConfig,
  { untilSeq, untilTime: time, into: typed, json }: PointInTimeFlags,
  signal: AbortSignal,
): Promise<Report> =>
  withEventLog(config, async (eventLog) => {
    const limit: ReplayLimit = {
      ...(untilSeq === undefined ? {} : { sequence: untilSeq }),
      ...(time === undefined ? {} : { time }),
    };
    const bounds = await requireCompleteLog({ eventLog });
    assertSequenceExists(eventLog, bounds, limit);
    const into = resolve(typed ?? `${resolve(config.dataDir)}-until-${formatLimit(limit)}`);
    lowerPriority();
    const operatorRows = await readShopOperatorRows(config.dataDir);
    const input = { eventLog, bounds, limit, operatorRows, json, signal };
    const { until, read } = await buildPointInTime(into, input);
    return {
      json: { dataDir: into, until, ...read },
      show() {
        print(
          `${into} holds the state of the shop at event ${until.sequence}, which the log took ${until.time} (${formatThroughput(read)})`,
        );
        print(`vitrine serve --data-dir ${into} answers from it`);
      },
    };
  });

const formatLimit = ({ sequence, time }: ReplayLimit): string =>
  sequence === undefined
    ? new Date(time ?? 0).toISOString().replaceAll(":", "-")
    : String(sequence);

const assertSequenceExists = (
  { address }: EventLog,
  { last }: LogBounds,
  { sequence }: ReplayLimit,
): void => {
  if (last > 0 && (sequence ?? 1) <= last) return;
  if (last === 0) {
    throw new VitrineError("event_log", `${address} is empty`, "publish events first");
  }
  throw new VitrineError(
    "usage",
    `${address} ends at event ${last}: there is no event ${sequence} yet`,
    "vitrine tail --last 1 shows the newest event",
  );
};

/**
 * Reads the operator rows of a shop's data directory, and writes nothing there.
 * An earlier version kept them in the generations; they are then read from these.
 * @throws `operator_state_damaged`; `not_writable` when a generation cannot be read
 */
const readShopOperatorRows = async (dataDir: string): Promise<readonly OperatorRow[]> => {
  if (hasOperatorState(dataDir)) return withOperatorReader(dataDir, (operator) => operator.rows());
  const directory = openExistingDirectory(dataDir);
  if (!directory) return [];
  const scratch = mkdtempSync(join(tmpdir(), "vitrine-"));
  try {
    return await collectOperatorRows(directory, scratch, printError);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
