import type { Counter, RateLimitResult } from "./rate-limit.ts";

/** Requests that arrived in one tick, by client. */
export interface CountRequest {
  readonly kind: "count";
  readonly clients: readonly string[];
}

/** Two numbers per request: remaining requests (-1: rejected), and milliseconds to the reset. */
export interface CountReply {
  readonly kind: "counted";
  readonly counts: readonly number[];
}

/** Answers count requests in the process that counts for all workers. */
export const createCountServer =
  (count: (client: string) => RateLimitResult) =>
  ({ clients }: CountRequest): CountReply => ({
    kind: "counted",
    counts: clients.flatMap((client) => {
      const { admitted, remaining, resetMs } = count(client);
      return [admitted ? remaining : -1, resetMs];
    }),
  });

/**
 * Counts requests in another process, so that a client has one counter in all workers. The requests of one
 * event-loop tick share a message, because a message costs more than a complete response may.
 * @param send sends a request; replies arrive in the same sequence
 */
export const countClient = (send: (question: CountRequest) => void) => {
  let batch: PendingCount[] = [];
  const inFlight: PendingCount[][] = [];
  const flush = (): void => {
    send({ kind: "count", clients: batch.map(({ client }) => client) });
    inFlight.push(batch);
    batch = [];
  };
  const count: Counter = (client) =>
    new Promise((resolve) => {
      if (batch.length === 0) setImmediate(flush);
      batch.push({ client, resolve });
    });
  return {
    count,
    onReply({ counts }: CountReply): void {
      for (const [index, { resolve }] of (inFlight.shift() ?? []).entries()) {
        const remaining = counts[2 * index] ?? 0;
        const resetMs = counts[2 * index + 1] ?? 0;
        resolve({ admitted: remaining >= 0, remaining: Math.max(0, remaining), resetMs });
      }
    },
  };
};

interface PendingCount {
  readonly client: string;
  readonly resolve: (result: RateLimitResult) => void;
}
