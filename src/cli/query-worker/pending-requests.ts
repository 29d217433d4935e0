import { VitrineError } from "../../errors.ts";
import type { Query, QueryRequest } from "./protocol.ts";

/** Queries that have no reply yet. */
export interface PendingRequests {
  /** @returns the request to send, and its reply */
  add(query: Query): { readonly request: QueryRequest; readonly answer: Promise<unknown> };
  all(): readonly QueryRequest[];
  resolve(id: number, answer: unknown): void;
  reject(id: number, error: Error): void;
  rejectAll(error: Error): void;
  size(): number;
}

interface Pending {
  readonly request: QueryRequest;
  readonly timer: NodeJS.Timeout;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * @param timeoutMs longest wait of one query
 * @param onTimeout called when a query waited longer
 */
export const createPendingRequests = (
  timeoutMs: number,
  onTimeout: () => void,
): PendingRequests => {
  const pending = new Map<number, Pending>();
  let last = 0;
  const take = (id: number): Pending | undefined => {
    const one = pending.get(id);
    clearTimeout(one?.timer);
    pending.delete(id);
    return one;
  };
  return {
    add(query) {
      last += 1;
      const request: QueryRequest = { kind: "look", id: last, query };
      const answer = new Promise<unknown>((resolve, reject) => {
        const timer = setTimeout(onTimeout, timeoutMs);
        pending.set(request.id, { request, timer, resolve, reject });
      });
      return { request, answer };
    },
    all: () => [...pending.values()].map(({ request }) => request),
    resolve: (id, answer) => take(id)?.resolve(answer),
    reject: (id, error) => take(id)?.reject(error),
    rejectAll(error) {
      for (const id of [...pending.keys()]) take(id)?.reject(error);
    },
    size: () => pending.size,
  };
};

export const overloaded = (): VitrineError =>
  new VitrineError("unanswered", "too much is asked at once", "ask again in a moment");
