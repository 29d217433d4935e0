import { VitrineError } from "../../errors.ts";
import type { Asked, LookUp } from "./protocol.ts";

/** Queries that have no reply yet. */
export interface Waiting {
  /** @returns the request to send, and its reply */
  add(query: LookUp): { readonly asked: Asked; readonly answer: Promise<unknown> };
  all(): readonly Asked[];
  resolve(id: number, answer: unknown): void;
  reject(id: number, error: Error): void;
  rejectAll(error: Error): void;
  size(): number;
}

interface Pending {
  readonly request: Asked;
  readonly timer: NodeJS.Timeout;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * @param timeoutMs longest wait of one query
 * @param onTimeout called when a query waited longer
 */
export const keepWaiting = (timeoutMs: number, onTimeout: () => void): Waiting => {
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
      const request: Asked = { kind: "look", id: last, lookUp: query };
      const answer = new Promise<unknown>((resolve, reject) => {
        const timer = setTimeout(onTimeout, timeoutMs);
        pending.set(request.id, { request, timer, resolve, reject });
      });
      return { asked: request, answer };
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

export const tooMuch = (): VitrineError =>
  new VitrineError("unanswered", "too much is asked at once", "ask again in a moment");
