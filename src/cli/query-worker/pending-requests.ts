import { VitrineError } from "../../errors.ts";
import type { Queries, QueryName, QueryRequest, QueryResult } from "./protocol.ts";

/** Queries that have no reply yet. */
export interface PendingRequests {
  /** @returns the request to send, and its result */
  add<K extends QueryName>(
    query: K,
    args: Queries[K]["args"],
  ): {
    readonly request: QueryRequest<K>;
    readonly result: Promise<Queries[K]["result"]>;
  };
  all(): readonly QueryRequest[];
  resolve<K extends QueryName>(reply: QueryResult<K>): void;
  reject(id: number, error: Error): void;
  rejectAll(error: Error): void;
  size(): number;
}

interface Pending {
  readonly request: QueryRequest;
  readonly timer: NodeJS.Timeout;
  reject(error: Error): void;
}

/** Resolves the queries of each name, by the id of the request. */
type Resolvers = { readonly [K in QueryName]: Map<number, (result: Queries[K]["result"]) => void> };

/**
 * @param timeoutMs longest wait of one query
 * @param onTimeout called when a query waited longer
 */
export const createPendingRequests = (
  timeoutMs: number,
  onTimeout: () => void,
): PendingRequests => {
  const pending = new Map<number, Pending>();
  const resolvers: Resolvers = {
    deadLetters: new Map(),
    deadLetter: new Map(),
    explain: new Map(),
    generations: new Map(),
  };
  let last = 0;
  const remove = (id: number): Pending | undefined => {
    const removed = pending.get(id);
    clearTimeout(removed?.timer);
    pending.delete(id);
    if (removed) resolvers[removed.request.query].delete(id);
    return removed;
  };
  return {
    add<K extends QueryName>(query: K, args: Queries[K]["args"]) {
      last += 1;
      const request: QueryRequest<K> = { kind: "query", id: last, query, args };
      const result = new Promise<Queries[K]["result"]>((resolve, reject) => {
        const timer = setTimeout(onTimeout, timeoutMs);
        pending.set(last, { request, timer, reject });
        resolvers[query].set(last, resolve);
      });
      return { request, result };
    },
    all: () => [...pending.values()].map(({ request }) => request),
    resolve<K extends QueryName>({ id, query, result }: QueryResult<K>) {
      const resolve = resolvers[query].get(id);
      remove(id);
      resolve?.(result);
    },
    reject: (id, error) => remove(id)?.reject(error),
    rejectAll(error) {
      for (const id of [...pending.keys()]) remove(id)?.reject(error);
    },
    size: () => pending.size,
  };
};

export const overloaded = (): VitrineError =>
  new VitrineError(
    "unanswered",
    "too many queries wait for an answer",
    "try again in a few seconds",
  );
