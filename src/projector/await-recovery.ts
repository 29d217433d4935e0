import { isDeepStrictEqual } from "node:util";
import { ignoreUnlessBug, VitrineError } from "../errors.ts";
import { sleep } from "../platform/async.ts";
import { readFlag } from "../read-model/store/damage-flag.ts";
import { readCheckpoint } from "../read-model/store/store.ts";
import type { ProjectorContext } from "./context.ts";
import { type Divergence, findDivergence } from "./continuity/continuity.ts";
import type { Fault } from "./faults.ts";
import type { Generation } from "./open-generation.ts";
import { outdatedDivergence, outdatedReason } from "./projection-version.ts";
import type { RunContext } from "./run-context.ts";
import type { ActiveState } from "./state.ts";

/** Time after which work is tried again that the storage prevented. */
const retryAfterMs = 5_000;

export const awaitRecovery = async (
  context: RunContext,
  { generation, fault }: Extract<ActiveState, { readonly name: "faulted" }>,
): Promise<void> => {
  switch (fault.kind) {
    case "storage":
      return sleep(retryAfterMs, context.signal);
    case "model_damaged":
      return waitForIntegrityCheck(context, generation);
    case "rebuild_refused":
      return waitForRebuildCondition(context, fault);
    case "diverged":
      return waitForLogChange(context, generation, fault.divergence);
    case "projection":
    case "log_damaged":
    case "unexpected":
      return waitForLogChange(context, generation, fault.cause);
  }
};

/**
 * Waits until the integrity guard has cleared the damage flag of a generation. The guard quarantines a damaged generation,
 * which aborts the signal.
 */
const waitForIntegrityCheck = async (
  { signal, pollIntervalMs }: ProjectorContext,
  { store }: Generation,
): Promise<void> => {
  await sleep(retryAfterMs, signal);
  while (!signal.aborted && readFlag(store.directory) !== undefined)
    await sleep(pollIntervalMs, signal);
};

/**
 * Waits until another rebuild may succeed: the log ends at another sequence, or has the same length but no longer holds the
 * records that the last rebuild read.
 */
const waitForRebuildCondition = (
  context: RunContext,
  { logEnd, read }: Extract<Fault, { readonly kind: "rebuild_refused" }>,
): Promise<void> =>
  waitFor(context, async () => {
    if (context.monitor.end() !== logEnd) return true;
    const divergence =
      read && (await findDivergence(read, context.eventLog).catch(ignoreUnlessBug));
    return divergence !== undefined;
  });

/** Waits until the log's identity or its divergence from the checkpoint changes. */
const waitForLogChange = async (
  context: RunContext,
  generation: Generation,
  baseline: Divergence | undefined,
): Promise<void> => {
  const { monitor } = context;
  // The identity of the log that caused the fault, because the log may have changed since.
  let identity = monitor.latestIdentity();
  await waitFor(context, async () => {
    const previous = identity;
    identity = (await monitor.identity().catch(ignoreUnlessBug)) ?? previous;
    // Another log may diverge in the same way and still be usable.
    if (previous && !isDeepStrictEqual(identity, previous)) return true;
    const current = await checkDivergence(context, generation, baseline);
    return current?.kind !== baseline?.kind || current?.isLogComplete !== baseline?.isLogComplete;
  });
};

/** Evaluates a condition at each tenth poll, until it holds or the signal aborts. */
const waitFor = async (
  { signal, pollIntervalMs }: ProjectorContext,
  isOver: () => Promise<boolean>,
): Promise<void> => {
  for (let poll = 1; !signal.aborted; poll += 1) {
    if (poll % 10 === 0 && (await isOver())) return;
    await sleep(pollIntervalMs, signal);
  }
};

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
  const outdated = outdatedReason(checkpoint);
  const check =
    outdated === undefined
      ? findDivergence(checkpoint, eventLog)
      : outdatedDivergence(outdated, eventLog);
  return check.catch((error) => {
    if (error instanceof VitrineError && error.code === "reopen") throw error;
    ignoreUnlessBug(error);
    return previous;
  });
};
