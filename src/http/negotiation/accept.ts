import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

/** Number of Accept headers whose choice is remembered, because clients send few different ones. */
const maxHeaders = 100;

/**
 * Creates a function that selects the media type a client prefers (RFC 9110 §12.5.1), and the first of equally good
 * ones. It uses negotiator 1.1.0, because 0.6.3 in Koa's `accepts` takes half a second for 14 KB of quotes.
 * @returns a function of the Accept header; its result is undefined when the client accepts none
 */
export const typeNegotiator = <T extends string>(
  types: readonly T[],
): ((accept: string) => T | undefined) => {
  const choices = new LRUCache<string, { readonly type: T | undefined }>({
    max: maxHeaders,
    memoMethod: (accept) => ({ type: selectType(accept, types) }),
  });
  return (accept) => choices.memo(accept).type;
};

const selectType = <T extends string>(header: string, types: readonly T[]): T | undefined => {
  // An empty header counts as absent.
  if (header === "") return types[0];
  const accept = header.replace(mediaTypeParameters, "");
  const best = new Negotiator({ headers: { accept } }).mediaType([...types]);
  return types.find((type) => type === best);
};

/**
 * Matches parameters other than the weight. `application/json; charset=utf-8` means JSON, because there is no
 * charset to choose.
 */
const mediaTypeParameters = /;(?!\s*q\s*=)[^;,]*/gi;
