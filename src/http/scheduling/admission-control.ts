import { clientOf } from "../connection/client-address.ts";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { arrivalOf } from "../fast-path/carried-over.ts";
import { takeTurns } from "./fair-queue.ts";

/** Milliseconds of work in one turn of the event loop, behind which whatever else came with it waits for turns of its own. */
const maxTickWorkMs = 20;

/**
 * Behind a piece of work that was long, whoever has come meanwhile is let in before the next one: Node takes one
 * connection a turn, and reads it in the next. Until nobody came in so many turns, or they took so many milliseconds.
 */
const acceptPhase = { minWorkMs: 10, idleTicks: 2, maxMs: 5 };

/** Milliseconds that a request waits for its turn at most. */
export const longestWait = 10_000;

/** Who may begin to work on a request. */
export interface WorkQueue {
  /** Milliseconds that a request waits at most: who asked for so much at once is told to come again, and lets others on. */
  readonly patience: number;
  /** Whether somebody waits, or this turn has worked for long: what takes more than a moment should wait then. */
  isBusy(): boolean;
  /** Resolves when work for a client may begin; undefined where it may at once. */
  turn(client: string): Promise<void> | undefined;
  /** Resolves when the turn of a client has come, as every other one's that waits will. */
  next(client: string): Promise<void>;
  /** Lets something be done in its turn. @param work tells whether all of it was done when it returns */
  add(client: string, work: () => boolean): void;
}

/**
 * Node reads all connections that have something to say in one turn of its event loop, and answers each at once: of a
 * hundred searches that come together the last would wait for all others, and so would timers, heartbeats and whoever
 * comes meanwhile, for as long as they take together. So no more than `longest` is worked in the turn that reads, and
 * what is left is begun one by one, with clients taking turns: whoever asks for much waits for himself. What is not done
 * at once has a turn of its own, as nobody knows how long it takes.
 */
export const openWorkQueue = (maxWaitMs = longestWait): WorkQueue => {
  const queue = takeTurns<() => boolean>();
  let tickStartedAt: number | undefined;
  let isScheduled = false;
  let idleTicks = 0;
  let lastWorkMs = 0;
  let workStartedAt: number | undefined;
  let acceptStartedAt = 0;
  const isOverloaded = (): boolean => {
    const now = performance.now();
    idleTicks = 0;
    if (tickStartedAt === undefined) {
      tickStartedAt = now;
      setImmediate(() => {
        tickStartedAt = undefined;
      });
    }
    return queue.count() > 0 || now - tickStartedAt > maxTickWorkMs;
  };
  /** What is begun may ask for another turn at once: there is one `begin` a turn all the same. */
  const scheduleRun = (): void => {
    if (!isScheduled) setImmediate(run);
    isScheduled = true;
  };
  const run = (): void => {
    isScheduled = false;
    const now = performance.now();
    if (workStartedAt !== undefined) {
      // What waited for its turn worked when the turn of the queue had ended.
      [lastWorkMs, acceptStartedAt, workStartedAt] = [now - workStartedAt, now, undefined];
      idleTicks = 0;
    }
    idleTicks += 1;
    const mayRun =
      lastWorkMs < acceptPhase.minWorkMs ||
      idleTicks > acceptPhase.idleTicks ||
      now - acceptStartedAt > acceptPhase.maxMs;
    if (mayRun) {
      workStartedAt = now;
      while (queue.take()?.() && performance.now() - now < maxTickWorkMs);
    }
    if (queue.count() > 0) scheduleRun();
  };
  const add: WorkQueue["add"] = (client, work) => {
    if (queue.count() === 0) {
      const now = performance.now();
      [lastWorkMs, acceptStartedAt, workStartedAt] = [now - (tickStartedAt ?? now), now, undefined];
      scheduleRun();
    }
    queue.add(client, work);
  };
  const next = (client: string): Promise<void> =>
    new Promise((resolve) => {
      add(client, () => {
        // What waits for this runs when the turn of the queue has ended, and before anything else.
        resolve();
        return false;
      });
    });
  return {
    patience: maxWaitMs,
    isBusy: isOverloaded,
    turn: (client) => (isOverloaded() ? next(client) : undefined),
    next,
    add,
  };
};

/**
 * Lets requests wait for their turns. Of one with a body it stands behind what reads that, as it comes when the client
 * likes.
 * @param again what was done before and may be another thing by then: which generation answers, whether a token is good
 */
export const waitForTurn =
  (queue: WorkQueue, trustedProxies: number) =>
  (recheck?: Step): Step =>
  async (ctx, next) => {
    const waitedMs = arrivalOf(ctx.req)?.waited;
    if (waitedMs !== undefined) return waitedMs > queue.patience ? refuseLate(ctx) : next();
    const slot = queue.turn(clientOf(ctx.req, trustedProxies));
    if (!slot) return next();
    const enqueuedAt = performance.now();
    await slot;
    // Nobody may be left to answer.
    if (ctx.req.socket.destroyed) return;
    if (performance.now() - enqueuedAt > queue.patience) return refuseLate(ctx);
    return recheck ? recheck(ctx, next) : next();
  };

/** Seconds. */
const retryAfterSeconds = 5;

export const refuseLate = (ctx: Context): void => {
  const message = `Too much was asked for at once: wait ${retryAfterSeconds} seconds.`;
  refuse(ctx, "rate_limited", message, { retryAfter: retryAfterSeconds });
};
