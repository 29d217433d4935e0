import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { CompleteRequest, GraphqlRequest } from "./parse-request.ts";

/** Limits documents and characters of their texts. A client sends the text of an evicted document again. */
const cacheLimits = { max: 1_000, maxSize: 1024 * 1024 };

/** Why a persisted query cannot be executed. Clients react to the message of the first two, and send the text. */
export type PersistedQueryProblem = "PersistedQueryNotFound" | "PersistedQueryNotSupported";

/**
 * Caches the texts of persisted queries by their hash (the protocol of Apollo's automatic persisted queries). Each process has a
 * cache of its own: what another process has seen is a miss here, after which the client sends the text.
 */
export const createPersistedQueries = () => {
  const texts = new LRUCache<string, string>({
    ...cacheLimits,
    sizeCalculation: (text) => text.length + 1,
  });
  return {
    /** Completes a request by the text of its persisted query. */
    complete(
      request: GraphqlRequest,
    ): CompleteRequest | PersistedQueryProblem | { readonly badRequest: string } {
      const { persistedQuery } = request;
      if (persistedQuery && persistedQuery.version !== 1) return "PersistedQueryNotSupported";
      if (request.query === undefined) {
        const query = texts.get(request.persistedQuery.sha256Hash);
        if (query === undefined) return "PersistedQueryNotFound";
        return { ...request, query, persistedQuery: undefined };
      }
      const expected = persistedQuery?.sha256Hash;
      if (expected === undefined || texts.get(expected) === request.query) return request;
      return hash("sha256", request.query, "hex") === expected ? request : wrongHash;
    },
    /** Keeps a text whose document is valid, so that rejected ones cannot evict those in use. */
    keep: (sha256Hash: string, query: string): void => void texts.set(sha256Hash, query),
  };
};

const wrongHash = {
  badRequest: "`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`.",
};
