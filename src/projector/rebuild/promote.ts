import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { projectionVersions } from "../../../projections/index.ts";
import { VitrineError } from "../../errors.ts";
import { probeGeneration } from "../../read-model/integrity/probe.ts";
import { readCheckpoint } from "../../read-model/store/store.ts";
import { describeTextDataChange } from "../../text/text-data.ts";
import { isProjectionError } from "../batch/commit-up-to-fault.ts";
import type { ProjectorContext } from "../context.ts";
import { findDivergence } from "../continuity/continuity.ts";
import { type Generation, openGeneration } from "../open-generation.ts";
import { hasOtherTextData } from "../projection-version.ts";
import { addOperatorRows, replay } from "./replay.ts";

/**
 * Promotes a generation that a command built in `scratch/`. The candidate is replayed to the end of the log first, while the
 * current generation applies nothing, so that no answer is older than one given before the swap. The swap is one rename. The
 * current generation is closed and becomes the previous one.
 *
 * Only the projector may call it, between batches. When it throws, nothing is changed and `current` is still open.
 * @param scratch path of the candidate, which its builder has closed
 * @returns the open generation that the projector continues with
 * @throws `no_model` when `scratch` holds no generation; `unanswered` when the projector stops first; `divergence` when the log does
 * not continue the candidate; `event_log`, `projection` as `replay` does
 */
export const promote = async (
  context: ProjectorContext,
  current: Generation,
  scratch: string,
): Promise<Generation> => {
  const path = join(context.directory.path, "scratch", basename(scratch));
  if (!existsSync(join(path, "data.mdb"))) {
    throw new VitrineError("no_model", `${path} holds no generation`, "build it again");
  }
  const candidate = openGeneration(path);
  try {
    await catchUp(context, current, candidate);
  } finally {
    await candidate.store.close();
  }
  return swapIn(context, current, openGeneration(context.directory.adoptScratch(path)));
};

/**
 * Makes the previous generation the live one again, after a replay to the end of the log. The current generation becomes the
 * previous one.
 * @returns the open generation that the projector continues with
 * @throws `no_model` when there is no previous generation; `model_damaged` when it is damaged; `outdated` when other versions of
 * the projections or other text data made it, because the projector would rebuild it immediately; `divergence` when the log no
 * longer continues it; `event_log`, `projection` as `replay` does
 */
export const rollback = async (
  context: ProjectorContext,
  current: Generation,
): Promise<Generation> => {
  const previous = context.directory.previous();
  if (previous === undefined || !existsSync(join(previous, "data.mdb"))) {
    throw new VitrineError(
      "no_model",
      "there is no previous generation to go back to",
      "one is kept from the first rebuild on; vitrine rebuild makes a new one from the log",
    );
  }
  await assertIntact(context, previous);
  const next = openGeneration(previous);
  try {
    await catchUp(context, current, next);
  } catch (error) {
    await next.store.close();
    throw error;
  }
  return swapIn(context, current, next);
};

/**
 * Reads the previous generation fully, because no process has read it since it was replaced. Damage would crash this projector,
 * and the integrity guard would attribute the crash to the live generation.
 */
const assertIntact = async ({ signal }: ProjectorContext, previous: string): Promise<void> => {
  const damage = await probeGeneration(previous, "whole", signal);
  // An aborted probe finds no damage, even in a damaged file.
  if (signal.aborted) throw stoppedBeforeSwap();
  if (damage === undefined) return;
  throw new VitrineError(
    "model_damaged",
    `the previous generation ${basename(previous)} is damaged: ${damage}`,
    "vitrine rebuild makes a generation from the log",
  );
};

/** Maximum number of replays of a growing log. Each reads the events that arrived during the one before. */
const maxPasses = 10;

/**
 * Replays a generation to the end of the log. A replay to the checkpoint of the current generation is not enough, because a log
 * that keeps the latest event of each subject may have replaced an event before that checkpoint by a later one.
 */
const catchUp = async (
  context: ProjectorContext,
  current: Generation,
  next: Generation,
): Promise<void> => {
  await assertContinues(context, next);
  const checkpoint = readCheckpoint(current.store);
  const continuesCurrent =
    checkpoint !== undefined && !(await findDivergence(checkpoint, context.eventLog));
  if (continuesCurrent) await replay(context, next, { sequence: checkpoint.sequence });
  await catchUpToEnd(context, next).catch((error: unknown) => {
    // A failing projection may be the reason for a rollback. The current generation stopped at the same event.
    if (!continuesCurrent || !isProjectionError(error)) throw error;
  });
  if (context.signal.aborted) throw stoppedBeforeSwap();
};

const catchUpToEnd = async (context: ProjectorContext, next: Generation): Promise<void> => {
  for (let pass = 0; pass < maxPasses && (await replay(context, next)) > 0; pass += 1);
};

const stoppedBeforeSwap = (): VitrineError =>
  new VitrineError("unanswered", "the projector ended before the swap", "ask again");

const assertContinues = async (
  context: ProjectorContext,
  { name, store }: Generation,
): Promise<void> => {
  const checkpoint = readCheckpoint(store);
  if (!checkpoint) throw new VitrineError("no_model", `generation ${name} is empty`);
  if (checkpoint.projections !== projectionVersions) {
    throw new VitrineError(
      "outdated",
      `generation ${name} was written by other versions of the projections (${formatOtherVersions(checkpoint.projections)})`,
      "start the version of Vitrine that wrote it; this one would rebuild it at once",
    );
  }
  if (hasOtherTextData(checkpoint)) {
    throw new VitrineError(
      "outdated",
      `generation ${name} was made with other text data than the Node of this projector has: ${describeTextDataChange(checkpoint.textData)}`,
      "use the Node that made it; this one would rebuild it at once",
    );
  }
  const divergence = await findDivergence(checkpoint, context.eventLog);
  if (!divergence) return;
  throw new VitrineError(
    "divergence",
    `the event log does not continue generation ${name}: ${divergence.reason}`,
    "vitrine rebuild makes a generation from the log as it is",
  );
};

const formatOtherVersions = (versions: string): string => {
  const currentVersions = projectionVersions.split(" ");
  return versions
    .split(" ")
    .filter((version) => !currentVersions.includes(version))
    .join(", ");
};

const swapIn = async (
  { directory, operator, logger }: ProjectorContext,
  current: Generation,
  next: Generation,
): Promise<Generation> => {
  try {
    addOperatorRows(operator, next.store);
    directory.swap(next.store.directory);
  } catch (error) {
    await next.store.close();
    throw error;
  }
  await current.store.close();
  directory.sweep();
  logger.info({ generation: next.name, previous: current.name }, "another generation is live");
  return next;
};
