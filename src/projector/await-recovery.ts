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

/** Waits until a control request is pending, the signal aborts or a timeout passes. */
export const endedOrOrdered = async (context: ProjectorWorld, timeoutMs: number): Promise<void> => {
  const end = performance.now() + timeoutMs;
  while (!context.signal.aborted && !hasOrder(context.directory.path) && performance.now() < end) {
    await nextLook(context);
  }
};

/**
 * Waits until the integrity guard has cleared the damage flag of a generation, and at least `minimumMs`. It resolves early
 * when a control request is pending or the signal aborts. The guard quarantines a damaged generation, which aborts the signal.
 */
export const readThrough = async (
  context: ProjectorWorld,
  { store }: Generation,
  minimumMs: number,
): Promise<void> => {
  await endedOrOrdered(context, minimumMs);
  while (suspicionOf(store.directory) !== undefined) {
    if (context.signal.aborted || hasOrder(context.directory.path)) return;
    await nextLook(context);
  }
};

/** Sleeps for one poll interval, or until the signal aborts. */
export const nextLook = ({ signal, lookEvery }: ProjectorWorld): Promise<void> =>
  delay(lookEvery, undefined, { signal }).catch(() => undefined);

/**
 * Checks whether the log continues a generation.
 * @param previous the result of the last check, which is returned again while the log is unavailable
 * @returns undefined when the log continues the generation
 * @throws `reopen` when only another process can read the log
 */
const checkDivergence = async (
  { eventLog }: ProjectorWorld,
  generation: Generation,
  previous: Divergence | undefined,
): Promise<Divergence | undefined> => {
  const checkpoint = generation.store.get(tables.meta, "checkpoint");
  if (!checkpoint) return previous;
  const check = isOutdated(generation)
    ? mustBeMadeAnew(generation, eventLog)
    : checkLog(checkpoint, eventLog);
  return check.catch((error) => {
    if (error instanceof VitrineError && error.code === "reopen") throw error;
    ignoreUnlessBug(error);
    return previous;
  });
};

/** Reads the name and creation time of the log. @returns undefined while the log is unavailable */
const readLogName = ({ eventLog }: ProjectorWorld): Promise<string | undefined> =>
  eventLog.identity().then(({ name, created }) => `${name} ${created}`, ignoreUnlessBug);

/** Waits until the log's identity or its divergence from the checkpoint changes, or a control request is pending. */
export const otherwise = async (
  context: ProjectorWorld,
  generation: Generation,
  baseline: Divergence | undefined,
): Promise<void> => {
  const checkpoint = generation.store.get(tables.meta, "checkpoint") ?? { sequence: 0 };
  let logName = await readLogName(context);
  const isUnchanged = async (): Promise<boolean> => {
    await lookAtEnd(context, checkpoint);
    const [previous, name] = [logName, await readLogName(context)];
    logName = name ?? previous;
    // Another log may diverge in the same way and still be usable.
    if (previous !== undefined && logName !== previous) return false;
    const current = await checkDivergence(context, generation, baseline);
    return current?.kind === baseline?.kind && current?.whole === baseline?.whole;
  };
  await pollUntil(context, async () => !(await isUnchanged()));
};

/** Evaluates a condition at each tenth poll, until it holds, a control request is pending or the signal aborts. */
const pollUntil = async (
  context: ProjectorWorld,
  isOver: () => Promise<boolean>,
): Promise<void> => {
  for (let poll = 1; !context.signal.aborted && !hasOrder(context.directory.path); poll += 1) {
    if (poll % 10 === 0 && (await isOver())) return;
    await nextLook(context);
  }
};

/**
 * Waits until another rebuild may succeed, or a control request is pending. A rebuild may succeed when the log ends at
 * another sequence, or has the same length but no longer holds the records that the last rebuild read.
 */
export const changed = async (
  context: ProjectorWorld,
  previousEnd: number | undefined,
  read: Checkpoint | undefined,
): Promise<void> => {
  await pollUntil(context, async () => {
    if ((await endOf(context)) !== previousEnd) return true;
    const divergence = read && (await checkLog(read, context.eventLog).catch(ignoreUnlessBug));
    return divergence !== undefined;
  });
};

/** Polls the end of the log, so that the status reports the lag while the projector applies nothing. */
export const lookAtEnd = async (
  { eventLog, progress, signal }: ProjectorWorld,
  { sequence }: Pick<Checkpoint, "sequence">,
): Promise<void> => {
  try {
    const { last } = await eventLog.bounds();
    const isEmpty = holdsNothing(eventLog, last, { after: sequence, follow: false, signal });
    // Records after the checkpoint that were all deleted are no lag. A failed read proves no deletion.
    progress.sawEnd((await isEmpty.catch(ignoreUnlessBug)) ? sequence : last);
  } catch (error) {
    ignoreUnlessBug(error);
    progress.lostSight(messageOf(error));
  }
};

/** Reads the last sequence of the log. @returns undefined while the log is unavailable */
export const endOf = (context: ProjectorWorld): Promise<number | undefined> =>
  context.eventLog.bounds().then(({ last }) => last, ignoreUnlessBug);
