import { LRUCache } from "lru-cache";
import type { Reader, ReadSetCheck } from "../../read-model/reader/reader.ts";
import type { ResponseHead } from "./response-head.ts";

/** Caller whose token was valid, with the check that it still is. */
export interface AuthorizedCaller {
  /** Status and headers of responses to this caller's tool calls. */
  readonly head: ResponseHead;
  readonly reader: Reader;
  readonly readSet: ReadSetCheck;
}

/** Cache of recently authorized callers of the tools, by the key of `computeCallerKey`. */
export interface AuthorizedCallers {
  /** @returns undefined when the caller's token must be verified again */
  current(key: string, reader: Reader): ResponseHead | undefined;
  add(key: string, caller: AuthorizedCaller): void;
}

/** An entry takes about 1 KB, independent of its responses. */
const maxCallers = 5_000;

export const createAuthorizedCallers = (): AuthorizedCallers => {
  const callers = new LRUCache<string, AuthorizedCaller>({ max: maxCallers });
  return {
    current(key, reader) {
      const caller = callers.get(key);
      if (!caller) return undefined;
      if (caller.reader === reader && caller.readSet.isCurrent()) return caller.head;
      callers.delete(key);
      return undefined;
    },
    add: (key, caller) => void callers.set(key, caller),
  };
};
