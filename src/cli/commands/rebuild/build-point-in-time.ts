import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../../errors.ts";
import type { EventLog, LogBounds } from "../../../event-log/event-log.ts";
import { toNatsSubject } from "../../../events/envelope.ts";
import { listEntries } from "../../../platform/durable-fs.ts";
import { type Generation, openGeneration } from "../../../projector/open-generation.ts";
import { createReplayContext } from "../../../projector/rebuild/build-candidate.ts";
import {
  type ReplayContext,
  type ReplayLimit,
  readUpTo,
  replay,
} from "../../../projector/rebuild/replay.ts";
import { type ScratchContext, withScratch } from "../../../projector/rebuild/scratch.ts";
import { createHtmlRenderer } from "../../../projector/rendering/index.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../read-model/generations/data-directory.ts";
import type { FrozenAt } from "../../../read-model/generations/directory-marker.ts";
import { createOperatorState } from "../../../read-model/operator/create.ts";
import { operatorDirectory } from "../../../read-model/operator/directory.ts";
import { readModelRows, toRevocationRow } from "../../../read-model/operator/model-rows.ts";
import type { OperatorRow, RevocationRow } from "../../../read-model/operator/rows.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import type { AgentRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { readCheckpoint } from "../../../read-model/store/store.ts";
import { withDataDirectoryLock } from "../../data-directory-lock.ts";
import { type formatThroughput, replayProgress } from "../../terminal/progress-bar.ts";
import { tokenSecretFile } from "../../tokens/secret.ts";
import { foldTokenEvent } from "../../tokens/token-state.ts";

interface PointInTimeOptions {
  readonly eventLog: EventLog;
  readonly bounds: LogBounds;
  readonly limit: ReplayLimit;
  /** Rows of the operator state of the shop's data directory. */
  readonly operatorRows: readonly OperatorRow[];
  readonly json: boolean;
  readonly signal: AbortSignal;
}

type PointInTimeResult = {
  readonly until: FrozenAt;
  readonly read: Parameters<typeof formatThroughput>[0];
};

/**
 * Builds a frozen data directory from the log up to a limit.
 * A failed build leaves nothing; the leftovers of a killed one are swept.
 * @throws VitrineError `data_dir` when the directory has other content; `usage` when no event is within the limit; and
 * as a replay does
 */
export const buildPointInTime = async (
  into: string,
  options: PointInTimeOptions,
): Promise<PointInTimeResult> => {
  const isNew = !existsSync(into);
  const directory = openDataDirectory(into);
  assertUnused(directory);
  let isLocked = false;
  return withDataDirectoryLock({ path: into }, () => {
    isLocked = true;
    directory.sweep();
    rmSync(operatorDirectory(into), { recursive: true, force: true });
    return withScratch(directory, "rebuild", options.signal, (scratch) =>
      replayInto(directory, scratch, options),
    );
  }).finally(() => {
    // Without the lock, another command builds in the directory.
    if (isLocked && !directory.live()) removeContents(into, isNew);
  });
};

/**
 * Asserts that the directory is unused. Leftovers of a killed build are allowed: it is marked frozen, and no generation
 * is live.
 */
const assertUnused = (directory: DataDirectory): void => {
  const isUnfinished = directory.frozenAt() !== undefined && directory.live() === undefined;
  const isUnused = isUnfinished || directory.generations().length === 0;
  const files = ["journal", "quarantine", tokenSecretFile, ...(isUnfinished ? [] : ["operator"])];
  const occupant = files.find((name) => existsSync(join(directory.path, name)));
  if (isUnused && occupant === undefined) return;
  throw new VitrineError(
    "data_dir",
    `${directory.path} holds ${isUnused ? describeContent(occupant) : "a model"} already`,
    "name a new or empty directory with --into",
  );
};

const describeContent = (file: string | undefined): string =>
  file === "operator" ? "an operator state" : `a ${file}`;

const removeContents = (into: string, isNew: boolean): void => {
  if (isNew) rmSync(into, { recursive: true, force: true });
  else for (const name of listEntries(into)) rmSync(join(into, name), { recursive: true });
};

const replayInto = async (
  directory: DataDirectory,
  scratch: ScratchContext,
  { eventLog, bounds, limit, operatorRows, json }: PointInTimeOptions,
): Promise<PointInTimeResult> => {
  const within = { ...bounds, last: Math.min(bounds.last, limit.sequence ?? bounds.last) };
  const bar = replayProgress("replaying", within, !json);
  const rendering = createHtmlRenderer();
  const context = createReplayContext(
    { eventLog, rendering, scratch, onProgress: bar.update },
    within,
  );
  const { until, rows } = await replayUntil(context, scratch.path, limit).finally(bar.end);
  scratch.signal.throwIfAborted();
  directory.freeze(until);
  await createOperatorState(directory.path, [...operatorRows, ...rows]);
  directory.swap(directory.adoptScratch(scratch.path));
  return { until, read: bar.read() };
};

interface ReplayedUntil {
  readonly until: FrozenAt;
  /** Rows of revoked tokens, including revocations after that event. */
  readonly rows: readonly OperatorRow[];
}

const replayUntil = async (
  context: ReplayContext,
  path: string,
  limit: ReplayLimit,
): Promise<ReplayedUntil> => {
  const { store, ...generation } = openGeneration(path);
  try {
    await replay(context, { ...generation, store }, limit);
    const checkpoint = readCheckpoint(store);
    if (checkpoint) {
      const later = await readLaterRevocations(context, { ...generation, store }, checkpoint);
      return { until: toPointInTime(checkpoint), rows: [...readModelRows(store), ...later] };
    }
  } finally {
    await store.close();
  }
  context.signal.throwIfAborted();
  throw new VitrineError(
    "usage",
    `${context.eventLog.address} had no event at that time`,
    "name a later time",
  );
};

const toPointInTime = ({ sequence, logTime, identity }: Checkpoint): FrozenAt => ({
  sequence,
  time: new Date(logTime).toISOString(),
  log: identity,
});

/**
 * Reads the tokens that events after a checkpoint revoked.
 * A revoked token stays revoked (Specification §5 rule 6), even in a directory of a time when it was valid.
 * @param checkpoint end of the generation
 * @throws `event_log`, `divergence` as the log does
 */
const readLaterRevocations = async (
  context: ReplayContext,
  { store }: Generation,
  checkpoint: Checkpoint,
): Promise<readonly RevocationRow[]> => {
  const later = new Map<string, AgentRow>();
  const currentRow = (label: string) => later.get(label) ?? store.get(tables.agents, label);
  const from = { ...checkpoint, after: checkpoint.sequence };
  for await (const records of readUpTo(context, from, {})) {
    for (const record of records.filter(({ subject }) => subject.startsWith(agentSubjectPrefix))) {
      const folded = foldTokenEvent(record, currentRow);
      if (folded) later.set(folded.label, folded.row);
    }
  }
  return [...later].flatMap(([label, { content }]) =>
    content ? [toRevocationRow(label, content)] : [],
  );
};

const agentSubjectPrefix = toNatsSubject("agent/");
