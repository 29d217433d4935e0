import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { CompleteRequest, GraphqlRequest } from "./parse-request.ts";

/** Limits documents and characters of their texts. A client sends the text of an evicted document again. */
const cacheLimits = { max: 1_000, maxSize: 1024 * 1024 };

/** Why a persisted query cannot be executed. Clients react to the message of the first two, and send the text. */
export type PersistedQueryProblem = "PersistedQueryNotFound" | "PersistedQueryNotSupported";

/** Completes a request by the text of its persisted query. */
export type CompleteQuery = (
  request: GraphqlRequest,
) => CompleteRequest | PersistedQueryProblem | { readonly badRequest: string };

/**
 * Caches the texts of persisted queries by their hash (the protocol of Apollo's automatic persisted queries). Each process has a
 * cache of its own: what another process has seen is a miss here, after which the client sends the text.
 */
export const createPersistedQueries = (): CompleteQuery => {
  const texts = new LRUCache<string, string>({
    ...cacheLimits,
    sizeCalculation: (text) => text.length + 1,
  });
  return (request) => {
    const { persistedQuery } = request;
    if (persistedQuery && persistedQuery.version !== 1) return "PersistedQueryNotSupported";
    if (request.query === undefined) {
      const query = texts.get(request.persistedQuery.sha256Hash);
      return query === undefined ? "PersistedQueryNotFound" : { ...request, query };
    }
    const expected = persistedQuery?.sha256Hash;
    if (expected === undefined || texts.get(expected) === request.query) return request;
    if (hash("sha256", request.query, "hex") !== expected) return wrongHash;
    texts.set(expected, request.query);
    return request;
  };
};

const wrongHash = {
  badRequest: "`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`.",
};
