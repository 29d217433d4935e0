import { errorReply } from "../error-reply.ts";
import type { Exchange, Handler, Layer } from "../exchange.ts";
import { noReply, type Reply } from "../reply.ts";

/** Maximum work per event-loop tick in milliseconds. Further requests of the tick are queued. */
const maxTickWorkMs = 20;

/**
 * Phase after a long task, in which the queue first lets Node read new requests. It is needed because Node
 * accepts a connection in one tick and reads from it in the next. It ends after some ticks without a new
 * request, or after a maximum time.
 */
const acceptPhase = { minWorkMs: 10, idleTicks: 2, maxMs: 5 };

/** Maximum wait of a request in milliseconds. */
export const defaultMaxWaitMs = 10_000;

export type WorkQueue = ReturnType<typeof createWorkQueue>;

/**
 * Creates the queue that keeps the process responsive under load. Node reads all readable connections in one
 * tick and handles each at once: of a hundred concurrent searches, the last would wait for all others, and so
 * would timers, heartbeats and new clients. Therefore at most `maxTickWorkMs` of work is done in the tick
 * that reads the requests. The rest is queued, with round-robin between clients, so that a client with many
 * requests delays mainly itself. Work that is not complete on return gets a tick of its own, because its
 * duration is unknown.
 */
export const createWorkQueue = (maxWaitMs = defaultMaxWaitMs) => {
  const queue = createFairQueue<() => boolean>();
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
  /** Schedules one `run` per tick, even when started work enqueues more at once. */
  const scheduleRun = (): void => {
    if (!isScheduled) setImmediate(run);
    isScheduled = true;
  };
  const run = (): void => {
    isScheduled = false;
    const now = performance.now();
    if (workStartedAt !== undefined) {
      // The work that the last slot resolved ran after `run` had returned.
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
  const enqueue = (client: string, work: () => boolean): void => {
    if (queue.count() === 0) {
      const now = performance.now();
      [lastWorkMs, acceptStartedAt, workStartedAt] = [now - (tickStartedAt ?? now), now, undefined];
      scheduleRun();
    }
    queue.add(client, work);
  };
  const acquireNext = (client: string): Promise<void> =>
    new Promise((resolve) => {
      enqueue(client, () => {
        // The continuation of the promise runs after `run` has returned, before any other event.
        resolve();
        return false;
      });
    });
  return {
    /**
     * Maximum wait of a request in milliseconds. After it the request is answered 429, so that its client does
     * not delay others.
     */
    maxWaitMs,
    /**
     * Tests whether expensive work must be queued: others wait, or this tick has worked for too long. It also
     * marks the tick as active and starts its clock.
     */
    isOverloaded,
    /** Queues a client, and resolves when its slot comes. */
    acquireNext,
    /**
     * Queues work for a client.
     * @param work returns whether it was complete on return
     */
    enqueue,
  };
};

/** Creates a round-robin queue: one item per client in turn, the oldest of each client first. */
export const createFairQueue = <T>() => {
  const byClient = new Map<string, T[]>();
  let count = 0;
  return {
    count: () => count,
    add(client: string, item: T): void {
      const items = byClient.get(client);
      if (items) items.push(item);
      else byClient.set(client, [item]);
      count += 1;
    },
    take(): T | undefined {
      for (const [client, items] of byClient) {
        const item = items.shift();
        byClient.delete(client);
        if (items.length > 0) byClient.set(client, items);
        count -= 1;
        return item;
      }
      return undefined;
    },
  };
};

/**
 * Queues requests while the event loop is overloaded. On routes with a body it comes after the body was read,
 * because the client decides when that arrives. Layers that select a generation come after it.
 */
export const admissionControl =
  (queue: WorkQueue): Layer =>
  <Needs>(next: Handler<Needs>): Handler<Needs> =>
  (exchange) => {
    if (!queue.isOverloaded()) return next(exchange);
    const enqueuedAt = performance.now();
    const answer: Handler<Needs> = (waiting) => {
      if (waiting.request.socket.destroyed) return noReply;
      return performance.now() - enqueuedAt > queue.maxWaitMs ? shedLoad(waiting) : next(waiting);
    };
    return new Promise((resolve, reject) => {
      queue.enqueue(exchange.client, () => {
        exchange.leaveTick();
        try {
          const reply = answer(exchange);
          resolve(reply);
          return !(reply instanceof Promise);
        } catch (thrown) {
          reject(thrown);
          return true;
        }
      });
    });
  };

const retryAfter = 5;

export const shedLoad = (exchange: Exchange): Reply =>
  errorReply(exchange, "rate_limited", `The service is overloaded: wait ${retryAfter} seconds.`, {
    retryAfter,
  });
