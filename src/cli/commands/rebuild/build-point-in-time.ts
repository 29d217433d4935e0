import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../../errors.ts";
import type { EventLog, LogBounds } from "../../../event-log/event-log.ts";
import { entriesOf } from "../../../platform/durable-fs.ts";
import { lockDirectory } from "../../../projector/integrity/lock.ts";
import { openGeneration } from "../../../projector/open-generation.ts";
import { openReplay } from "../../../projector/rebuild/build-candidate.ts";
import { type Limit, type ReplayWorld, replay } from "../../../projector/rebuild/replay.ts";
import { inScratch, type Workplace } from "../../../projector/rebuild/scratch.ts";
import { createRendering } from "../../../projector/rendering/index.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../read-model/generations/data-directory.ts";
import type { Until } from "../../../read-model/generations/directory-marker.ts";
import { makeOperatorState } from "../../../read-model/operator/create.ts";
import { operatorDirectory } from "../../../read-model/operator/directory.ts";
import { rowsOfModel } from "../../../read-model/operator/model-rows.ts";
import type { OperatorRow } from "../../../read-model/operator/rows.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { type readIn, replayProgress } from "../../terminal/replay-progress.ts";
import { tokenSecretFile } from "../../tokens/secret.ts";
import { laterRevocations } from "./later-revocations.ts";

/** Input of a point-in-time build. */
export interface Filling {
  readonly eventLog: EventLog;
  readonly bounds: LogBounds;
  readonly limit: Limit;
  /** Rows of the operator state of the shop's data directory. */
  readonly operatorRows: readonly OperatorRow[];
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/** Point in time of the directory, and what was read to build it. */
export type Filled = { readonly until: Until; readonly read: Parameters<typeof readIn>[0] };

/**
 * Builds a frozen data directory from the log up to a limit.
 * A failed build leaves nothing; the leftovers of a killed one are swept.
 * @throws VitrineError `data_dir` when the directory has other content; `usage` when no event is within the limit; and
 * as a replay does
 */
export const makeStill = async (into: string, filling: Filling): Promise<Filled> => {
  const isNew = !existsSync(into);
  const directory = openDataDirectory(into);
  mustBeFree(directory);
  const release = await lockDirectory(into, () => undefined);
  try {
    directory.sweep();
    rmSync(operatorDirectory(into), { recursive: true, force: true });
    return await inScratch(directory, "rebuild", filling.signal, (place) =>
      replayInto(directory, place, filling),
    );
  } finally {
    await release().catch(() => undefined);
    if (!directory.live()) empty(into, isNew);
  }
};

/**
 * Asserts that the directory is unused. Leftovers of a killed build are allowed: it is marked frozen, and no generation
 * is live.
 */
const mustBeFree = (directory: DataDirectory): void => {
  const isLeftOver = directory.until() !== undefined && directory.live() === undefined;
  const isUnused = isLeftOver || directory.generations().length === 0;
  const files = ["journal", "quarantine", tokenSecretFile, ...(isLeftOver ? [] : ["operator"])];
  const kept = files.find((name) => existsSync(join(directory.path, name)));
  if (isUnused && kept === undefined) return;
  throw new VitrineError(
    "data_dir",
    `${directory.path} holds ${isUnused ? heldAs(kept) : "a model"} already`,
    "name a new or empty directory with --into",
  );
};

const heldAs = (file: string | undefined): string =>
  file === "operator" ? "an operator state" : `a ${file}`;

const empty = (into: string, isNew: boolean): void => {
  if (isNew) rmSync(into, { recursive: true, force: true });
  else for (const name of entriesOf(into)) rmSync(join(into, name), { recursive: true });
};

const replayInto = async (
  directory: DataDirectory,
  place: Workplace,
  { eventLog, bounds, limit, operatorRows, json }: Filling,
): Promise<Filled> => {
  const within = { ...bounds, last: Math.min(bounds.last, limit.sequence ?? bounds.last) };
  const bar = replayProgress("replaying", within, !json);
  const rendering = createRendering();
  const world = openReplay({ eventLog, rendering, place, onProgress: bar.at }, within);
  const { until, rows } = await replayUntil(world, place.path, limit).finally(bar.end);
  place.signal.throwIfAborted();
  directory.standStill(until);
  await makeOperatorState(directory.path, [...operatorRows, ...rows]);
  directory.swap(directory.admit(place.path));
  return { until, read: bar.read() };
};

interface Replayed {
  readonly until: Until;
  /** Rows of revoked tokens, including revocations after that event. */
  readonly rows: readonly OperatorRow[];
}

const replayUntil = async (world: ReplayWorld, path: string, limit: Limit): Promise<Replayed> => {
  const { store, ...generation } = openGeneration(path);
  try {
    await replay(world, { ...generation, store }, limit);
    const checkpoint = store.get(tables.meta, "checkpoint");
    if (checkpoint) {
      const later = await laterRevocations(world, { ...generation, store }, checkpoint);
      return { until: untilOf(checkpoint), rows: [...rowsOfModel(store), ...later] };
    }
  } finally {
    await store.close();
  }
  world.signal.throwIfAborted();
  throw new VitrineError(
    "usage",
    `${world.eventLog.address} had taken no event by then`,
    "name a later time",
  );
};

const untilOf = ({ sequence, logTime, identity }: Checkpoint): Until => ({
  sequence,
  time: new Date(logTime).toISOString(),
  log: identity,
});
