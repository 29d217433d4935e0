import type { Count, Counted } from "./fixed-window.ts";

/** Requests that arrived together, by their clients. */
export interface CountQuestion {
  readonly kind: "count";
  readonly clients: readonly string[];
}

/** One number pair a request: what is left, -1 for a request too many, and milliseconds to the reset. */
export interface CountAnswer {
  readonly kind: "counted";
  readonly counts: readonly number[];
}

/** The end of the process that counts for all. */
export const answerCounts =
  (count: (client: string) => Counted) =>
  ({ clients }: CountQuestion): CountAnswer => ({
    kind: "counted",
    counts: clients.flatMap((client) => {
      const { admitted, remaining, resetIn } = count(client);
      return [admitted ? remaining : -1, resetIn];
    }),
  });

/** The end of a process that asks. */
export interface SharedCount {
  readonly count: Count;
  /** Takes the answers, in the order of the questions. */
  readonly hear: (answer: CountAnswer) => void;
}

/**
 * Lets another process count, so that a client has one count whichever process it meets. A message costs more than
 * a request's whole answer may, so those that arrive in one turn of the event loop share one: the busier, the cheaper.
 * @param ask sends a question; answers come in order
 */
export const shareCount = (send: (question: CountQuestion) => void): SharedCount => {
  let batch: PendingCount[] = [];
  const inFlight: PendingCount[][] = [];
  const flush = (): void => {
    send({ kind: "count", clients: batch.map(({ client }) => client) });
    inFlight.push(batch);
    batch = [];
  };
  return {
    count: (client) =>
      new Promise((resolve) => {
        if (batch.length === 0) setImmediate(flush);
        batch.push({ client, resolve });
      }),
    hear({ counts }) {
      for (const [index, { resolve }] of (inFlight.shift() ?? []).entries()) {
        const remaining = counts[2 * index] ?? 0;
        const resetIn = counts[2 * index + 1] ?? 0;
        resolve({ admitted: remaining >= 0, remaining: Math.max(0, remaining), resetIn });
      }
    },
  };
};

interface PendingCount {
  readonly client: string;
  readonly resolve: (result: Counted) => void;
}
