import { LRUCache } from "lru-cache";
import type { Footprint, Reader } from "../../read-model/reader/reader.ts";
import type { Frame } from "./response-cache.ts";

/** A caller of the tools whose token was good, and what says that it still is. */
export interface AuthorizedCaller {
  /** Status and headers of its calls. */
  readonly frame: Frame;
  readonly reader: Reader;
  readonly footprint: Footprint;
}

/** Callers of the tools that were let in lately, by a digest of their requests: see `senderOf`. */
export interface AuthorizedCallers {
  /** @returns undefined when the caller has to be checked again */
  current(key: string, reader: Reader): Frame | undefined;
  add(key: string, caller: AuthorizedCaller): void;
}

/** Each takes about a kilobyte, whatever its calls are answered. */
const maxCallers = 5_000;

export const createAuthorizedCallers = (): AuthorizedCallers => {
  const callers = new LRUCache<string, AuthorizedCaller>({ max: maxCallers });
  return {
    current(key, reader) {
      const caller = callers.get(key);
      if (!caller) return undefined;
      if (caller.reader === reader && caller.footprint.isCurrent()) return caller.frame;
      callers.delete(key);
      return undefined;
    },
    add: (key, caller) => void callers.set(key, caller),
  };
};
