import { isBug, messageOf } from "../errors.ts";
import type { EventLog, LogIdentity, ReadOptions } from "../event-log/event-log.ts";
import { singleFlight } from "../platform/single-flight.ts";
import type { ProjectorWorld } from "./context.ts";
import { compareLog, type Divergence } from "./continuity.ts";
import { hasOrder } from "./control/request.ts";
import { keepIdentity, readingOf } from "./fingerprints.ts";
import { checkpointOf, type Generation } from "./open-generation.ts";
import { patiently } from "./retry.ts";

/** The log as it is looked at beside being read. */
export interface Watch {
  /** Ends the reading: the projector stops, an order waits, or the log diverged. */
  readonly signal: AbortSignal;
  /** Compares the log with the checkpoint now. */
  check(): Promise<void>;
  /** Looks at the end of the log, at most every so often. */
  look(): Promise<void>;
  /** Resolves when no comparison is under way: nothing is applied before it ended well. */
  settled(): Promise<void>;
  /** Throws what kept the log from being compared. */
  divergence(): Divergence | undefined;
  /** Resolves when nothing of it will touch the generation any more. */
  stop(): Promise<void>;
}

/** What is watched while the log is read: its end, for the lag, and its history, for the checkpoint's sake. */
export const startWatch = async (
  world: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
): Promise<Watch> => {
  const { eventLog, progress } = world;
  const ended = new AbortController();
  const isOrdered = () => hasOrder(world.directory.path);
  let found: Divergence | undefined;
  let failure: { readonly error: unknown } | undefined;
  let checking: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isCompared = false;

  const compare = async (): Promise<void> => {
    if (ended.signal.aborted) return;
    try {
      const checkpoint = checkpointOf(generation, identity);
      const compared = await patiently(world, () => compareLog(checkpoint, eventLog), isOrdered);
      if (ended.signal.aborted) return;
      if (compared && !compared.divergence) {
        keepIdentity(world, generation, checkpoint, compared.identity);
        isCompared = true;
        return;
      }
      // The wait may have ended before the comparison did: nothing is applied then, and it is made again.
      found = compared?.divergence;
    } catch (error) {
      // What cannot even be compared: a journal whose directory was replaced, a damaged model.
      failure = { error };
    }
    ended.abort();
  };
  const check = (): Promise<void> => {
    waiting += 1;
    checking = checking.then(compare).finally(() => {
      waiting -= 1;
    });
    return checking;
  };
  /** One that waits sees the log as it is then: while a broker is away they do not queue. */
  const checkOnce = (): void => {
    if (waiting < 2) void check();
  };
  const tail = lookAtTail(eventLog, () => ({
    ...readingOf(checkpointOf(generation, identity), eventLog),
    follow: false,
    signal: ended.signal,
  }));
  /** Polls the end of the log. @returns whether it answered, while the watch goes on */
  const poll = singleFlight(async (): Promise<boolean> => {
    const { logLast } = progress.status();
    try {
      const { last } = await eventLog.bounds();
      if (ended.signal.aborted) return false;
      const { checkpoint } = progress.status();
      progress.sawEnd(tail.isRead(checkpoint, last) ? checkpoint : last, logLast);
      return true;
    } catch (error) {
      // Another watch may have begun, or the log may have been closed, since this one was stopped.
      if (ended.signal.aborted) return false;
      world.log.debug({ err: error }, "the end of the log cannot be seen");
      if (!isBug(error)) progress.lostSight(messageOf(error));
      else {
        failure ??= { error };
        ended.abort();
      }
      return false;
    }
  });
  const look = async (): Promise<void> => {
    if (!(await poll())) return;
    // At the end of a log that may be another one nobody is.
    if (!isCompared) return;
    if (isDue(world, generation)) {
      // It was the same some time ago, and what goes live stays so: the log that was just seen is compared first.
      if (waiting > 0) return;
      await check();
      if (ended.signal.aborted) return;
    }
    settleState(world, generation);
  };
  const looking = setInterval(() => {
    if (isOrdered()) ended.abort();
    void look();
  }, world.lookEvery);
  const comparing = setInterval(checkOnce, world.checkEvery);
  const forget = eventLog.onReconnect(checkOnce);
  const end = (): void => ended.abort();
  world.signal.addEventListener("abort", end, { once: true });
  if (world.signal.aborted) end();
  progress.begin(generation.name, checkpointOf(generation, identity));
  progress.enter("replaying");
  await look();
  return {
    signal: ended.signal,
    check,
    look: () => (progress.status().lagEvents === 0 ? look() : Promise.resolve()),
    settled: () => checking,
    divergence() {
      if (failure) throw failure.error;
      return found;
    },
    async stop() {
      ended.abort();
      clearInterval(looking);
      clearInterval(comparing);
      forget();
      world.signal.removeEventListener("abort", end);
      await checking;
    },
  };
};

/**
 * Tells whether a log is known to hold nothing after the checkpoint, though it ends later: its newest events may have
 * been deleted before they were read. It is asked when nothing has moved between two looks, and nobody waits for it.
 */
const lookAtTail = (log: EventLog, options: () => Omit<ReadOptions, "after">) => {
  let before = "";
  let emptyUpTo = 0;
  let isAsked = false;
  const ask = async (checkpoint: number, last: number): Promise<void> => {
    isAsked = true;
    const isEmpty = holdsNothing(log, last, { ...options(), after: checkpoint });
    // Who cannot tell has not said so: what is wrong with the log is for the comparison to find.
    if (await isEmpty.catch(() => false)) emptyUpTo = last;
    isAsked = false;
  };
  return {
    isRead(checkpoint: number, last: number): boolean {
      if (last <= checkpoint) return false;
      const now = `${checkpoint} ${last}`;
      if (now === before && !isAsked && last > emptyUpTo) void ask(checkpoint, last);
      before = now;
      return last <= emptyUpTo;
    },
  };
};

/** Whether nothing stands after a sequence, up to the last one that a log has given. */
export const holdsNothing = async (
  log: EventLog,
  last: number,
  options: ReadOptions,
): Promise<boolean> => {
  if (await log.at(last)) return false;
  for await (const _ of log.read(options)) return false;
  return options.signal?.aborted !== true;
};

/** A generation goes live when it first reaches the end of a log that holds something. */
const settleState = (world: ProjectorWorld, generation: Generation): void => {
  const { state, reason, lagEvents, checkpoint } = world.progress.status();
  if (state === "faulted" && !reason?.startsWith(notLive)) return;
  if (lagEvents > 0) {
    if (state !== "replaying" && state !== "live") world.progress.enter("replaying");
    return;
  }
  if (isDue(world, generation)) {
    if (!goLive(world, generation)) return;
    world.log.info({ generation: generation.name, checkpoint }, "the generation is live");
  }
  world.progress.enter("live");
};

/** Whether a generation that is not live has reached the end of what is seen of the log. */
const isDue = ({ directory, progress }: ProjectorWorld, { store }: Generation): boolean => {
  const { lagEvents, checkpoint } = progress.status();
  return lagEvents === 0 && checkpoint > 0 && directory.live() !== store.directory;
};

const notLive = "the generation cannot go live: ";

/** @returns false where the links of the directory cannot be written: the next look tries again */
const goLive = ({ directory, progress, log }: ProjectorWorld, { store }: Generation): boolean => {
  try {
    directory.swap(store.directory);
    return true;
  } catch (error) {
    const reason = `${notLive}${messageOf(error)}; make room on the disk of ${store.directory}`;
    if (progress.status().reason !== reason) log.error({ err: error, reason }, "trying again");
    progress.enter("faulted", reason);
    return false;
  }
};
