import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { projectionVersions } from "../../../projections/index.ts";
import { VitrineError } from "../../errors.ts";
import { probe } from "../../read-model/integrity/probe.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { describeTextDataChange } from "../../text/text-data.ts";
import type { ProjectorWorld } from "../context.ts";
import { checkLog } from "../continuity.ts";
import { type Generation, openGeneration } from "../open-generation.ts";
import { isOfOtherTextData } from "../projection-version.ts";
import { addRowsOfModel } from "./add-operator-rows.ts";
import { replay } from "./replay.ts";

/**
 * Makes a generation that a command built in `scratch/` the live one. It is brought to the end of the log
 * first, while the current one applies nothing, so that no answer is older than one given before the swap. The
 * swap is one rename; the current generation is closed and becomes the previous one.
 * Only for the one writer, between batches. Nothing is changed when it throws, and `current` is open still.
 * @param scratch path of the directory; whoever built it has closed it
 * @returns the generation to go on with, open
 * @throws `no_model` when it is no such generation; `unanswered` when the world ends; `divergence` when the log does not continue
 * it; `event_log`, `projection` as a replay does
 */
export const adopt = async (
  world: ProjectorWorld,
  current: Generation,
  scratch: string,
): Promise<Generation> => {
  const path = join(world.directory.path, "scratch", basename(scratch));
  if (!existsSync(join(path, "data.mdb"))) {
    throw new VitrineError("no_model", `${path} holds no generation`, "build it again");
  }
  const built = openGeneration(path);
  try {
    await bringUp(world, current, built);
  } finally {
    await built.store.close();
  }
  return makeLive(world, current, openGeneration(world.directory.admit(path)));
};

/**
 * Makes the previous generation the live one again, in the manner of `adopt`; the current one becomes the previous.
 * @returns the generation to go on with, open
 * @throws `no_model` when there is none; `model_damaged`; `outdated` when other versions of the projections or other text data made it: it would be rebuilt at
 * once;
 * `divergence` when the log no longer continues it; `event_log`, `projection` as a replay does
 */
export const rollback = async (world: ProjectorWorld, current: Generation): Promise<Generation> => {
  const previous = world.directory.previous();
  if (previous === undefined || !existsSync(join(previous, "data.mdb"))) {
    throw new VitrineError(
      "no_model",
      "there is no previous generation to go back to",
      "one is kept from the first rebuild on; vitrine rebuild makes a new one from the log",
    );
  }
  await mustBeSound(world, previous);
  const former = openGeneration(previous);
  try {
    await bringUp(world, current, former);
  } catch (error) {
    await former.store.close();
    throw error;
  }
  return makeLive(world, current, former);
};

/** Nobody has read it since it was left: damage would end this projector, and be laid to the generation that is live. */
const mustBeSound = async ({ signal }: ProjectorWorld, previous: string): Promise<void> => {
  const damage = await probe(previous, "whole", signal);
  // A look that was broken off has found nothing, whatever is there.
  if (signal.aborted) throw endedBefore();
  if (damage === undefined) return;
  throw new VitrineError(
    "model_damaged",
    `the previous generation ${basename(previous)} is damaged: ${damage}`,
    "vitrine rebuild makes a generation from the log",
  );
};

/** Readings of a log that goes on, each of what came in the one before it. */
const mostPasses = 10;

/**
 * Brings a generation to the end of the log. To where the current one stands is not enough: of a log that keeps the newest
 * event of each subject, what the current one applied may be gone, for one that was told since.
 */
const bringUp = async (
  world: ProjectorWorld,
  current: Generation,
  next: Generation,
): Promise<void> => {
  await mustContinue(world, next);
  const known = current.store.get(tables.meta, "checkpoint");
  const isGuide = known !== undefined && !(await checkLog(known, world.eventLog));
  if (isGuide) await replay(world, next, { sequence: known.sequence });
  await toTheEnd(world, next).catch((error: unknown) => {
    // A bug may be why one goes back: the current one, which came to it first, stands where this one stands now.
    if (!isGuide || !isBug(error)) throw error;
  });
  if (world.signal.aborted) throw endedBefore();
};

const toTheEnd = async (world: ProjectorWorld, next: Generation): Promise<void> => {
  for (let pass = 0; pass < mostPasses && (await replay(world, next)) > 0; pass += 1);
};

const isBug = (error: unknown): boolean =>
  error instanceof VitrineError && error.code === "projection";

const endedBefore = (): VitrineError =>
  new VitrineError("unanswered", "the projector ended before the swap", "ask again");

const mustContinue = async (world: ProjectorWorld, { name, store }: Generation): Promise<void> => {
  const checkpoint = store.get(tables.meta, "checkpoint");
  if (!checkpoint) throw new VitrineError("no_model", `generation ${name} is empty`);
  if (checkpoint.projections !== projectionVersions) {
    throw new VitrineError(
      "outdated",
      `generation ${name} was written by other versions of the projections (${differing(checkpoint.projections)})`,
      "start the version of Vitrine that wrote it; this one would rebuild it at once",
    );
  }
  if (isOfOtherTextData(checkpoint)) {
    throw new VitrineError(
      "outdated",
      `generation ${name} was made with other text data than the Node of this projector has: ${describeTextDataChange(checkpoint.textData)}`,
      "use the Node that made it; this one would rebuild it at once",
    );
  }
  const divergence = await checkLog(checkpoint, world.eventLog);
  if (!divergence) return;
  throw new VitrineError(
    "divergence",
    `the event log does not continue generation ${name}: ${divergence.reason}`,
    "vitrine rebuild makes a generation from the log as it is",
  );
};

const differing = (versions: string): string => {
  const ours = projectionVersions.split(" ");
  return versions
    .split(" ")
    .filter((version) => !ours.includes(version))
    .join(", ");
};

const makeLive = async (
  { directory, operator, log }: ProjectorWorld,
  current: Generation,
  next: Generation,
): Promise<Generation> => {
  try {
    addRowsOfModel(operator, next.store);
    directory.swap(next.store.directory);
  } catch (error) {
    await next.store.close();
    throw error;
  }
  await current.store.close();
  directory.sweep();
  log.info({ generation: next.name, previous: current.name }, "another generation is live");
  return next;
};
