import { isBug, messageOf } from "../errors.ts";
import type { EventLog, LogIdentity, ReadOptions } from "../event-log/event-log.ts";
import { singleFlight } from "../platform/single-flight.ts";
import type { ProjectorContext } from "./context.ts";
import { compareWithLog, type Divergence } from "./continuity.ts";
import { hasPendingRequest } from "./control/request.ts";
import { continuityOptions, updateIdentity } from "./fingerprints.ts";
import { type Generation, readCheckpointOrInitial } from "./open-generation.ts";
import { retryWhileUnavailable } from "./retry.ts";

/** Monitors the log while the projector reads it. */
export interface LogMonitor {
  /** Aborts when the projector stops, a control request is pending or the log diverged. */
  readonly signal: AbortSignal;
  /** Compares the log with the checkpoint now. */
  verifyContinuity(): Promise<void>;
  /** Polls the end of the log, when the projector has applied all events that it has seen. */
  pollEnd(): Promise<void>;
  /** Resolves when no comparison is running. Nothing is applied before its result. */
  whenIdle(): Promise<void>;
  /** @throws the error that prevented a comparison */
  divergence(): Divergence | undefined;
  /** Stops the monitor. After it resolves, the monitor does not access the generation. */
  stop(): Promise<void>;
}

/** Starts to monitor the end of the log, for the lag, and its history, for continuity with the checkpoint. */
export const startLogMonitor = async (
  context: ProjectorContext,
  generation: Generation,
  identity: LogIdentity,
): Promise<LogMonitor> => {
  const { eventLog, progress } = context;
  const ended = new AbortController();
  const hasRequest = () => hasPendingRequest(context.directory.path);
  let divergence: Divergence | undefined;
  let failure: { readonly error: unknown } | undefined;
  let checks: Promise<void> = Promise.resolve();
  let pendingChecks = 0;
  let isVerified = false;

  const compare = async (): Promise<void> => {
    if (ended.signal.aborted) return;
    try {
      const checkpoint = readCheckpointOrInitial(generation, identity);
      const compared = await retryWhileUnavailable(
        context,
        () => compareWithLog(checkpoint, eventLog),
        hasRequest,
      );
      if (ended.signal.aborted) return;
      if (compared && !compared.divergence) {
        updateIdentity(context, generation, checkpoint, compared.identity);
        isVerified = true;
        return;
      }
      // A control request may end the wait before the comparison. Nothing is applied then, and the follower compares again.
      divergence = compared?.divergence;
    } catch (error) {
      // The comparison is impossible, for example after the journal's directory was replaced or the model was damaged.
      failure = { error };
    }
    ended.abort();
  };
  const verifyContinuity = (): Promise<void> => {
    pendingChecks += 1;
    checks = checks.then(compare).finally(() => {
      pendingChecks -= 1;
    });
    return checks;
  };
  /** Queues at most one check behind the running one, because that check reads the log as it is then. */
  const checkOnce = (): void => {
    if (pendingChecks < 2) void verifyContinuity();
  };
  const tail = trackTail(eventLog, () => ({
    ...continuityOptions(readCheckpointOrInitial(generation, identity), eventLog),
    follow: false,
    signal: ended.signal,
  }));
  /** Polls the end of the log. @returns whether the log answered and the monitor is still running */
  const poll = singleFlight(async (): Promise<boolean> => {
    const { logLast } = progress.status();
    try {
      const { last } = await eventLog.bounds();
      if (ended.signal.aborted) return false;
      const { checkpoint } = progress.status();
      progress.logEndSeen(tail.isRead(checkpoint, last) ? checkpoint : last, logLast);
      return true;
    } catch (error) {
      // After `stop`, another monitor may be running, or the log may be closed.
      if (ended.signal.aborted) return false;
      context.logger.debug({ err: error }, "the end of the log cannot be seen");
      if (!isBug(error)) progress.logUnavailable(messageOf(error));
      else {
        failure ??= { error };
        ended.abort();
      }
      return false;
    }
  });
  const pollEnd = async (): Promise<void> => {
    if (!(await poll())) return;
    // Do not report `live` before continuity was verified once.
    if (!isVerified) return;
    if (isReadyForPromotion(context, generation)) {
      // Verify continuity again before promotion: promotion cannot be undone by a later check.
      if (pendingChecks > 0) return;
      await verifyContinuity();
      if (ended.signal.aborted) return;
    }
    updateState(context, generation);
  };
  const pollTimer = setInterval(() => {
    if (hasRequest()) ended.abort();
    void pollEnd();
  }, context.pollIntervalMs);
  const checkTimer = setInterval(checkOnce, context.continuityIntervalMs);
  const unsubscribe = eventLog.onReconnect(checkOnce);
  const end = (): void => ended.abort();
  context.signal.addEventListener("abort", end, { once: true });
  if (context.signal.aborted) end();
  progress.setGeneration(generation.name, readCheckpointOrInitial(generation, identity));
  progress.setState("replaying");
  await pollEnd();
  return {
    signal: ended.signal,
    verifyContinuity,
    pollEnd: () => (progress.status().lagEvents === 0 ? pollEnd() : Promise.resolve()),
    whenIdle: () => checks,
    divergence() {
      if (failure) throw failure.error;
      return divergence;
    },
    async stop() {
      ended.abort();
      clearInterval(pollTimer);
      clearInterval(checkTimer);
      unsubscribe();
      context.signal.removeEventListener("abort", end);
      await checks;
    },
  };
};

/**
 * Detects that the log holds no record after the checkpoint although it ends later, because the latest records may be deleted
 * before they are read. It reads the log in the background, when nothing moved between two polls.
 */
const trackTail = (eventLog: EventLog, options: () => Omit<ReadOptions, "after">) => {
  let previous = "";
  let emptyUpTo = 0;
  let isReading = false;
  const readTail = async (checkpoint: number, last: number): Promise<void> => {
    isReading = true;
    const isEmpty = isEmptyAfter(eventLog, last, { ...options(), after: checkpoint });
    // Ignore read errors here; the continuity check reports them.
    if (await isEmpty.catch(() => false)) emptyUpTo = last;
    isReading = false;
  };
  return {
    isRead(checkpoint: number, last: number): boolean {
      if (last <= checkpoint) return false;
      const current = `${checkpoint} ${last}`;
      if (current === previous && !isReading && last > emptyUpTo) void readTail(checkpoint, last);
      previous = current;
      return last <= emptyUpTo;
    },
  };
};

/** Checks that the log holds no record after `options.after`, up to its last assigned sequence. */
export const isEmptyAfter = async (
  eventLog: EventLog,
  last: number,
  options: ReadOptions,
): Promise<boolean> => {
  if (await eventLog.get(last)) return false;
  for await (const _ of eventLog.read(options)) return false;
  return options.signal?.aborted !== true;
};

/** Updates the projector state. A generation is promoted when it first reaches the end of a log with events. */
const updateState = (context: ProjectorContext, generation: Generation): void => {
  const { state, reason, lagEvents, checkpoint } = context.progress.status();
  if (state === "faulted" && !reason?.startsWith(promotionFailed)) return;
  if (lagEvents > 0) {
    if (state !== "replaying" && state !== "live") context.progress.setState("replaying");
    return;
  }
  if (isReadyForPromotion(context, generation)) {
    if (!promoteGeneration(context, generation)) return;
    context.logger.info({ generation: generation.name, checkpoint }, "the generation is live");
  }
  context.progress.setState("live");
};

/** Checks whether a generation that is not live has applied all events seen in the log. */
const isReadyForPromotion = (
  { directory, progress }: ProjectorContext,
  { store }: Generation,
): boolean => {
  const { lagEvents, checkpoint } = progress.status();
  return lagEvents === 0 && checkpoint > 0 && directory.live() !== store.directory;
};

const promotionFailed = "the generation cannot go live: ";

/** @returns false when the links of the directory cannot be written; the next poll tries again */
const promoteGeneration = (
  { directory, progress, logger }: ProjectorContext,
  { store }: Generation,
): boolean => {
  try {
    directory.swap(store.directory);
    return true;
  } catch (error) {
    const reason = `${promotionFailed}${messageOf(error)}; make room on the disk of ${store.directory}`;
    if (progress.status().reason !== reason) logger.error({ err: error, reason }, "trying again");
    progress.setState("faulted", reason);
    return false;
  }
};
