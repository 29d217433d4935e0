import { setTimeout as delay } from "node:timers/promises";
import { ignoreUnlessBug, messageOf, VitrineError } from "../errors.ts";
import { readFlag } from "../read-model/store/damage-flag.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { readCheckpoint } from "../read-model/store/read-checkpoint.ts";
import type { ProjectorContext } from "./context.ts";
import { type Divergence, findDivergence } from "./continuity.ts";
import { hasPendingRequest } from "./control/request.ts";
import { isEmptyAfter } from "./log-monitor.ts";
import type { Generation } from "./open-generation.ts";
import { isOutdated, outdatedDivergence } from "./projection-version.ts";
import type { ActiveState } from "./state.ts";

/** Time after which a fault of the storage is tried again. */
const retryAfterMs = 5_000;

/** Waits until the condition of a fault holds. It resolves early when a control request is pending or the signal aborts. */
export const awaitRecovery = (
  context: ProjectorContext,
  { generation, fault }: Extract<ActiveState, { readonly name: "faulted" }>,
): Promise<void> => {
  switch (fault.kind) {
    case "storage":
      return waitForRequest(context, retryAfterMs);
    case "model_damaged":
      return waitForIntegrityCheck(context, generation, retryAfterMs);
    case "rebuild_refused":
      return untilRebuildMaySucceed(context, fault.logEnd, fault.read);
    case "diverged":
      return untilLogChanges(context, generation, fault.divergence);
    case "projection":
    case "log_damaged":
    case "unexpected":
      return untilLogChanges(context, generation, fault.cause);
  }
};

/** Waits until a control request is pending, the signal aborts or a timeout passes. */
const waitForRequest = async (context: ProjectorContext, timeoutMs: number): Promise<void> => {
  const end = performance.now() + timeoutMs;
  while (
    !context.signal.aborted &&
    !hasPendingRequest(context.directory.path) &&
    performance.now() < end
  ) {
    await sleepPollInterval(context);
  }
};

/**
 * Waits until the integrity guard has cleared the damage flag of a generation, and at least `minimumMs`. It resolves early
 * when a control request is pending or the signal aborts. The guard quarantines a damaged generation, which aborts the signal.
 */
const waitForIntegrityCheck = async (
  context: ProjectorContext,
  { store }: Generation,
  minimumMs: number,
): Promise<void> => {
  await waitForRequest(context, minimumMs);
  while (readFlag(store.directory) !== undefined) {
    if (context.signal.aborted || hasPendingRequest(context.directory.path)) return;
    await sleepPollInterval(context);
  }
};

/** Sleeps for one poll interval, or until the signal aborts. */
export const sleepPollInterval = ({ signal, pollIntervalMs }: ProjectorContext): Promise<void> =>
  delay(pollIntervalMs, undefined, { signal }).catch(() => undefined);

/**
 * Checks whether the log continues a generation.
 * @param previous the result of the last check, which is returned again while the log is unavailable
 * @returns undefined when the log continues the generation
 * @throws `reopen` when only another process can read the log
 */
const checkDivergence = async (
  { eventLog }: ProjectorContext,
  generation: Generation,
  previous: Divergence | undefined,
): Promise<Divergence | undefined> => {
  const checkpoint = readCheckpoint(generation.store);
  if (!checkpoint) return previous;
  const check = isOutdated(generation)
    ? outdatedDivergence(generation, eventLog)
    : findDivergence(checkpoint, eventLog);
  return check.catch((error) => {
    if (error instanceof VitrineError && error.code === "reopen") throw error;
    ignoreUnlessBug(error);
    return previous;
  });
};

/** Reads the name and creation time of the log. @returns undefined while the log is unavailable */
const readLogName = ({ eventLog }: ProjectorContext): Promise<string | undefined> =>
  eventLog.identity().then(({ name, created }) => `${name} ${created}`, ignoreUnlessBug);

/** Waits until the log's identity or its divergence from the checkpoint changes, or a control request is pending. */
const untilLogChanges = async (
  context: ProjectorContext,
  generation: Generation,
  baseline: Divergence | undefined,
): Promise<void> => {
  const checkpoint = readCheckpoint(generation.store) ?? { sequence: 0 };
  let logName = await readLogName(context);
  await pollEnd(context, checkpoint);
  const isUnchanged = async (): Promise<boolean> => {
    await pollEnd(context, checkpoint);
    const [previous, name] = [logName, await readLogName(context)];
    logName = name ?? previous;
    // Another log may diverge in the same way and still be usable.
    if (previous !== undefined && logName !== previous) return false;
    const current = await checkDivergence(context, generation, baseline);
    return current?.kind === baseline?.kind && current?.isLogComplete === baseline?.isLogComplete;
  };
  await pollUntil(context, async () => !(await isUnchanged()));
};

/** Evaluates a condition at each tenth poll, until it holds, a control request is pending or the signal aborts. */
const pollUntil = async (
  context: ProjectorContext,
  isOver: () => Promise<boolean>,
): Promise<void> => {
  for (
    let poll = 1;
    !context.signal.aborted && !hasPendingRequest(context.directory.path);
    poll += 1
  ) {
    if (poll % 10 === 0 && (await isOver())) return;
    await sleepPollInterval(context);
  }
};

/**
 * Waits until another rebuild may succeed, or a control request is pending. A rebuild may succeed when the log ends at
 * another sequence, or has the same length but no longer holds the records that the last rebuild read.
 */
const untilRebuildMaySucceed = async (
  context: ProjectorContext,
  previousEnd: number | undefined,
  read: Checkpoint | undefined,
): Promise<void> => {
  await pollUntil(context, async () => {
    if ((await logEnd(context)) !== previousEnd) return true;
    const divergence =
      read && (await findDivergence(read, context.eventLog).catch(ignoreUnlessBug));
    return divergence !== undefined;
  });
};

/** Polls the end of the log, so that the status reports the lag while the projector applies nothing. */
const pollEnd = async (
  { eventLog, progress, signal }: ProjectorContext,
  { sequence }: Pick<Checkpoint, "sequence">,
): Promise<void> => {
  try {
    const { last } = await eventLog.bounds();
    const isEmpty = isEmptyAfter(eventLog, last, { after: sequence, follow: false, signal });
    // Records after the checkpoint that were all deleted are no lag. A failed read proves no deletion.
    progress.logEndSeen((await isEmpty.catch(ignoreUnlessBug)) ? sequence : last);
  } catch (error) {
    ignoreUnlessBug(error);
    progress.logUnavailable(messageOf(error));
  }
};

/** Reads the last sequence of the log. @returns undefined while the log is unavailable */
export const logEnd = (context: ProjectorContext): Promise<number | undefined> =>
  context.eventLog.bounds().then(({ last }) => last, ignoreUnlessBug);
