import { setTimeout as delay } from "node:timers/promises";
import { ignoreUnlessBug, messageOf, VitrineError } from "../errors.ts";
import { suspicionOf } from "../read-model/integrity/flag.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { tables } from "../read-model/schema/tables.ts";
import type { ProjectorWorld } from "./context.ts";
import { checkLog, type Divergence } from "./continuity.ts";
import { hasOrder } from "./control/request.ts";
import { holdsNothing } from "./log-monitor.ts";
import type { Generation } from "./open-generation.ts";
import { isOutdated, mustBeMadeAnew } from "./projection-version.ts";

/** What a projector waits for while it applies nothing, and what it looks at meanwhile. */

/** Resolves at the end, on an order, or when it has taken so long. @param longest milliseconds */
export const endedOrOrdered = async (world: ProjectorWorld, longest: number): Promise<void> => {
  const end = performance.now() + longest;
  while (!world.signal.aborted && !hasOrder(world.directory.path) && performance.now() < end) {
    await nextLook(world);
  }
};

/**
 * Resolves when a generation that is suspected of damage was read through and found whole, not before so many milliseconds;
 * or at the end, or on an order. One that is found damaged is set aside, which ends the projector's work on it.
 */
export const readThrough = async (
  world: ProjectorWorld,
  { store }: Generation,
  shortest: number,
): Promise<void> => {
  await endedOrOrdered(world, shortest);
  while (suspicionOf(store.directory) !== undefined) {
    if (world.signal.aborted || hasOrder(world.directory.path)) return;
    await nextLook(world);
  }
};

/** So long is waited between two looks. */
export const nextLook = ({ signal, lookEvery }: ProjectorWorld): Promise<void> =>
  delay(lookEvery, undefined, { signal }).catch(() => undefined);

/**
 * What a log is to a generation; undefined where it continues it.
 * @param known what it was when it was looked at last, which is taken for so while it cannot be seen
 * @throws `reopen` when only another process can see it
 */
const lookAtLog = async (
  { eventLog }: ProjectorWorld,
  generation: Generation,
  known: Divergence | undefined,
): Promise<Divergence | undefined> => {
  const checkpoint = generation.store.get(tables.meta, "checkpoint");
  if (!checkpoint) return known;
  const look = isOutdated(generation)
    ? mustBeMadeAnew(generation, eventLog)
    : checkLog(checkpoint, eventLog);
  return look.catch((error) => {
    if (error instanceof VitrineError && error.code === "reopen") throw error;
    ignoreUnlessBug(error);
    return known;
  });
};

/** What tells a log from another of its name; undefined while it cannot be asked. */
const nameOf = ({ eventLog }: ProjectorWorld): Promise<string | undefined> =>
  eventLog.identity().then(({ name, created }) => `${name} ${created}`, ignoreUnlessBug);

/**
 * Resolves when the log no longer is what it was when nothing could be applied any more: it got its history back, or a
 * whole one. Or on an order.
 */
export const otherwise = async (
  world: ProjectorWorld,
  generation: Generation,
  known: Divergence | undefined,
): Promise<void> => {
  const standing = generation.store.get(tables.meta, "checkpoint") ?? { sequence: 0 };
  let log = await nameOf(world);
  const isStillSo = async (): Promise<boolean> => {
    await lookAtEnd(world, standing);
    const [before, name] = [log, await nameOf(world)];
    log = name ?? before;
    // Another log diverges as the one before did, and may do for all that.
    if (before !== undefined && log !== before) return false;
    const now = await lookAtLog(world, generation, known);
    return now?.kind === known?.kind && now?.whole === known?.whole;
  };
  await tenthLooks(world, async () => !(await isStillSo()));
};

/** Asks at each tenth look whether the wait is over. It is on an order, and at the end. */
const tenthLooks = async (world: ProjectorWorld, isOver: () => Promise<boolean>): Promise<void> => {
  for (let look = 1; !world.signal.aborted && !hasOrder(world.directory.path); look += 1) {
    if (look % 10 === 0 && (await isOver())) return;
    await nextLook(world);
  }
};

/**
 * Resolves when another try may end otherwise, or on an order: the log ends elsewhere than before, or no longer is what
 * the last try read, though it is as long.
 */
export const changed = async (
  world: ProjectorWorld,
  before: number | undefined,
  read: Checkpoint | undefined,
): Promise<void> => {
  await tenthLooks(world, async () => {
    if ((await endOf(world)) !== before) return true;
    const found = read && (await checkLog(read, world.eventLog).catch(ignoreUnlessBug));
    return found !== undefined;
  });
};

/** Nothing is applied, and how far the model falls behind is told all the same. */
export const lookAtEnd = async (
  { eventLog, progress, signal }: ProjectorWorld,
  { sequence }: Pick<Checkpoint, "sequence">,
): Promise<void> => {
  try {
    const { last } = await eventLog.bounds();
    const isEmpty = holdsNothing(eventLog, last, { after: sequence, follow: false, signal });
    // Where nothing stands any more nobody is behind. Who cannot tell has not said so.
    progress.sawEnd((await isEmpty.catch(ignoreUnlessBug)) ? sequence : last);
  } catch (error) {
    ignoreUnlessBug(error);
    progress.lostSight(messageOf(error));
  }
};

/** Where the log ends; undefined while it cannot be asked. */
export const endOf = (world: ProjectorWorld): Promise<number | undefined> =>
  world.eventLog.bounds().then(({ last }) => last, ignoreUnlessBug);
