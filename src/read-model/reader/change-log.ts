import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";

/** What one batch changed of what surfaces show: enough to tell whether an answer is still the one that would be given. */
export interface Recent {
  /** Products of which anything shown may have changed; null: more than are worth listing. */
  readonly products: readonly number[] | null;
  /** Whether products came, went or moved: to another address or category. */
  readonly listed: boolean;
  /** Whether anything but products changed: shop, categories, pages, carriers, robots.txt, tokens. */
  readonly rest: boolean;
}

/** Batches that are remembered. A reader that looks less often than this many commits begins anew. */
export const recentKept = 64;

/** What was asked of a moment, and so what its answers depend on; the rest always counts. */
export interface Asked {
  /** Some perhaps more than once. */
  readonly products: number[];
  /** Which products there are, where they are found, how many. */
  list: boolean;
  /** Any product at all. */
  any: boolean;
  /** What every commit changes. */
  everything: boolean;
}

export const nothingAsked = (): Asked => ({
  products: [],
  list: false,
  any: false,
  everything: false,
});

/** The changes of a generation as one process learns of them, commit by commit. */
export interface Changes {
  /** Which commit is the newest, counted from 1; undefined in a model that does not tell. Looks at the store once a moment. */
  head(): number | undefined;
  /** Whether nothing that was asked at `since` has changed up to the head. */
  unchanged(asked: Asked, since: number): boolean;
  /** The head at which anything but products last changed. */
  rest(): number;
  /** The head at which products last came, went or moved, as far as is known: everything else is, or is in `rest`. */
  listed(): number;
}

/** Products whose last change is remembered; about 2 MB. */
const mostKnown = 20_000;

/** Follows the changes of a generation. `head` has to be asked of every moment before the other two. */
export const followChanges = (stored: Tables): Changes => {
  let head = 0;
  /** Before it, nothing is known. */
  let floor = 0;
  const last = { listed: 0, rest: 0, any: 0 };
  const products = new Map<number, number>();
  const forget = (at: number): void => {
    floor = at;
    products.clear();
    last.rest = at;
  };
  const learn = (at: number, { products: ids, listed, rest }: Recent): void => {
    if (rest) last.rest = at;
    if (listed) last.listed = at;
    if (ids === null) forget(at);
    else if (ids.length > 0) last.any = at;
    for (const id of ids ?? []) products.set(id, at);
    if (products.size > mostKnown) forget(at);
  };
  const catchUp = (to: number): void => {
    let reached = head;
    for (const [at, recent] of stored.entries(tables.recent, { start: head + 1 })) {
      if (at > reached + 1) forget(at);
      learn(at, recent);
      reached = at;
    }
    if (reached !== to) forget(to);
    head = to;
  };
  return {
    head() {
      const now = stored.get(tables.head, "head");
      if (now !== undefined && now !== head) catchUp(now);
      return now;
    },
    unchanged({ products: ids, list, any, everything }, since) {
      if (since === head) return true;
      if (everything || since < floor || last.rest > since) return false;
      if ((list && last.listed > since) || (any && last.any > since)) return false;
      for (const id of ids) if ((products.get(id) ?? 0) > since) return false;
      return true;
    },
    rest: () => last.rest,
    listed: () => last.listed,
  };
};
