import { messageOf } from "../errors.ts";
import type { CloudEvent } from "../events/envelope.ts";
import type { Logger } from "../log.ts";
import { sleep } from "../platform/async.ts";
import type { Inbox } from "./inbox/inbox.ts";
import { type Batch, translateBatch } from "./translate-batch.ts";
import type { Translator } from "./translators.ts";

/** Bounds of a batch: what is translated again after a crash, and held in memory. */
const maxBatch = { deliveries: 100, bytes: 8 * 1024 * 1024 };

/** Interval at which the loop looks for deliveries that another process released, in milliseconds. */
const pollMs = 1_000;
const retryDelays = { firstMs: 250, maxMs: 5_000 };
const trimIntervalMs = 60_000;

export interface LoopDeps {
  /** Name of the connection. */
  readonly name: string;
  /** `source` of the events. */
  readonly source: string;
  readonly translator: Pick<Translator, "translate">;
  readonly inbox: Inbox;
  /** Resolves when the log has the events. */
  readonly appendEvents: (events: readonly CloudEvent[]) => Promise<void>;
  /** Runs work while no other process translates for this connection. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onBatch: (batch: Batch) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Translates the deliveries of one connection in the sequence of their arrival. */
export interface TranslateLoop {
  /** Starts the next batch at once. */
  wake(): void;
  /** Resolves at the signal, or after a bug of the translator. */
  readonly ended: Promise<void>;
  /** The bug that stopped the loop; undefined while it runs. */
  bug(): string | undefined;
  /** For how long the oldest batch could not be published and committed, in milliseconds. */
  failingMs(): number;
}

export const startTranslateLoop = (deps: LoopDeps): TranslateLoop => {
  let bug: string | undefined;
  let triedSince: number | undefined;
  const alarm = createAlarm(deps.signal);
  const trim = createTrimmer(deps.inbox);
  const step = async (): Promise<void> => {
    if (!isWaiting(deps)) {
      trim();
      return alarm.wait(pollMs);
    }
    triedSince ??= performance.now();
    const batch = await deps.exclusive(() => runBatch(deps));
    triedSince = undefined;
    bug = batch.bug && reportBug(deps, batch.bug);
    trim();
  };
  const isEnded = () => deps.signal.aborted || bug !== undefined;
  const failingMs = () => (triedSince === undefined ? 0 : performance.now() - triedSince);
  return { wake: alarm.ring, ended: repeat(step, isEnded, deps), bug: () => bug, failingMs };
};

/** Repeats a step; after a failure with growing delays. */
const repeat = async (
  step: () => Promise<void>,
  isEnded: () => boolean,
  { name, log, signal }: LoopDeps,
): Promise<void> => {
  let delayMs = retryDelays.firstMs;
  while (!isEnded()) {
    try {
      await step();
      delayMs = retryDelays.firstMs;
    } catch (error) {
      const details = { connection: name, reason: messageOf(error), retryInMs: delayMs };
      log.warn(details, "a batch was not published and committed; trying again");
      await sleep(delayMs, signal);
      delayMs = Math.min(2 * delayMs, retryDelays.maxMs);
    }
  }
};

const isWaiting = ({ inbox }: LoopDeps): boolean => {
  const { last, position } = inbox.meta();
  return last > position;
};

/** Publishes before it commits, so that a crash in between makes the same events with the same ids again. */
const runBatch = async (deps: LoopDeps): Promise<Batch> => {
  const { name, source, translator, inbox, appendEvents, onBatch } = deps;
  const { inbox: inboxName, position } = inbox.meta();
  const deliveries = inbox.readWaiting(maxBatch.deliveries, maxBatch.bytes);
  const { openState } = inbox;
  const at = new Date().toISOString();
  const context = { translator, source, openState, idPrefix: `${name}/${inboxName}`, at };
  const batch = translateBatch(deliveries, position, context);
  if (batch.events.length > 0) {
    inbox.notePublishing(batch.translated.position);
    await appendEvents(batch.events);
  }
  if (batch.translated.position > position) inbox.commit(batch.translated);
  onBatch(batch);
  return batch;
};

const reportBug = (
  { name, log }: LoopDeps,
  { arrival, error }: NonNullable<Batch["bug"]>,
): string => {
  log.error(
    { connection: name, delivery: arrival, err: error },
    "a translator failed: the connection stops, its inbox is kept",
  );
  return `the translator failed at delivery ${arrival}: ${messageOf(error)}`;
};

/** Trims an inbox now and then, because that reads its oldest rows. */
const createTrimmer = (inbox: Inbox): (() => void) => {
  let dueAt = 0;
  return () => {
    if (performance.now() < dueAt) return;
    const hasMore = inbox.trim(new Date().toISOString());
    dueAt = performance.now() + (hasMore ? 0 : trimIntervalMs);
  };
};

/** Waits for a ring or a time; a ring before the wait counts. */
const createAlarm = (signal: AbortSignal) => {
  let hasRung = false;
  let end = (): void => undefined;
  return {
    ring(): void {
      hasRung = true;
      end();
    },
    async wait(ms: number): Promise<void> {
      const ended = new AbortController();
      end = () => ended.abort();
      if (!hasRung) await sleep(ms, AbortSignal.any([signal, ended.signal]));
      hasRung = false;
    },
  };
};
