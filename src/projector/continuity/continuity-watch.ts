import type { LogIdentity } from "../../event-log/event-log.ts";
import type { ProjectorContext } from "../context.ts";
import { type Generation, readCheckpointOrInitial } from "../open-generation.ts";
import { retryWhileUnavailable } from "../retry-while-unavailable.ts";
import { compareWithLog, type Divergence } from "./continuity.ts";
import { updateIdentity } from "./fingerprints.ts";

export type ContinuityWatch = ReturnType<typeof watchContinuity>;

/** Compares the log with the checkpoint while the projector follows it: after each reconnect, and at an interval. */
export const watchContinuity = (
  context: ProjectorContext,
  generation: Generation,
  identity: LogIdentity,
) => {
  const { eventLog } = context;
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  let divergence: Divergence | undefined;
  let failure: { readonly error: unknown } | undefined;
  let comparisons: Promise<void> = Promise.resolve();
  let pending = 0;
  let isVerified = false;

  const compare = async (): Promise<void> => {
    if (signal.aborted) return;
    try {
      const checkpoint = readCheckpointOrInitial(generation, identity);
      const compared = await retryWhileUnavailable({ ...context, signal }, () =>
        compareWithLog(checkpoint, eventLog),
      );
      if (!compared || signal.aborted) return;
      if (!compared.divergence) {
        updateIdentity(context, generation, checkpoint, compared.identity);
        isVerified = true;
        return;
      }
      divergence = compared.divergence;
    } catch (error) {
      // The comparison is impossible, for example after the journal's directory was replaced or the model was damaged.
      failure = { error };
    }
    ended.abort();
  };
  /** Queues at most one comparison behind the running one: it reads the log after every caller that waits for it. */
  const verify = (): Promise<void> => {
    if (pending >= 2) return comparisons;
    pending += 1;
    comparisons = comparisons.then(compare).finally(() => {
      pending -= 1;
    });
    return comparisons;
  };
  const timer = setInterval(() => void verify(), context.continuityIntervalMs);
  const unsubscribe = eventLog.onReconnect(() => void verify());
  return {
    /** Aborts when the signal of the context aborts, the log diverged, or a comparison failed. */
    signal,
    /** Compares after the running comparison. Never rejects. */
    verify,
    /** Resolves when no comparison is running. Nothing is applied before its result. */
    whenIdle: (): Promise<void> => comparisons,
    /** Returns true after the first comparison that found no divergence. */
    isVerified: (): boolean => isVerified,
    /** @throws the error that prevented a comparison */
    divergence(): Divergence | undefined {
      if (failure) throw failure.error;
      return divergence;
    },
    /** After it resolves, the watch does not access the generation. */
    async stop(): Promise<void> {
      ended.abort();
      clearInterval(timer);
      unsubscribe();
      await comparisons;
    },
  };
};
