import { VitrineError } from "../../errors.ts";
import type { Asked, LookUp } from "./protocol.ts";

/** Queries that have no reply yet. */
export interface Waiting {
  /** @returns the request to send, and its reply */
  add(lookUp: LookUp): { readonly asked: Asked; readonly answer: Promise<unknown> };
  all(): readonly Asked[];
  resolve(id: number, answer: unknown): void;
  reject(id: number, error: Error): void;
  rejectAll(error: Error): void;
  size(): number;
}

interface One {
  readonly asked: Asked;
  readonly late: NodeJS.Timeout;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * @param timeoutMs longest wait of one query
 * @param onTimeout called when a query waited longer
 */
export const keepWaiting = (patience: number, onLate: () => void): Waiting => {
  const ones = new Map<number, One>();
  let last = 0;
  const take = (id: number): One | undefined => {
    const one = ones.get(id);
    clearTimeout(one?.late);
    ones.delete(id);
    return one;
  };
  return {
    add(lookUp) {
      last += 1;
      const asked: Asked = { kind: "look", id: last, lookUp };
      const answer = new Promise<unknown>((resolve, reject) => {
        const late = setTimeout(onLate, patience);
        ones.set(asked.id, { asked, late, resolve, reject });
      });
      return { asked, answer };
    },
    all: () => [...ones.values()].map(({ asked }) => asked),
    resolve: (id, answer) => take(id)?.resolve(answer),
    reject: (id, error) => take(id)?.reject(error),
    rejectAll(error) {
      for (const id of [...ones.keys()]) take(id)?.reject(error);
    },
    size: () => ones.size,
  };
};

export const tooMuch = (): VitrineError =>
  new VitrineError("unanswered", "too much is asked at once", "ask again in a moment");
