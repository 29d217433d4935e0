import type { ChangeFeed, ReadSet } from "./change-log.ts";
import type { ReadSetCheck } from "./reader.ts";

/**
 * Creates a check that compares a read set with the changes since it was last current.
 * @param refreshHead moves to the latest commit and returns its number
 * @param head commit at which the read set was recorded
 */
export const createReadSetCheck = (
  refreshHead: () => number | undefined,
  changes: ChangeFeed,
  readSet: ReadSet,
  head: number,
): ReadSetCheck => {
  let since = head;
  return {
    isCurrent() {
      const current = refreshHead();
      if (current === undefined || !changes.unchanged(readSet, since)) return false;
      since = current;
      return true;
    },
  };
};

/** Memoises a value until a commit changes data other than products. */
export const memoUntilShopChange = <T>(changes: ChangeFeed, compute: () => T) =>
  memoUntil(() => changes.shopChanged(), compute);

/** Memoises a value until a commit changes data other than products, or adds, removes or moves a product. */
export const memoUntilListChange = <T>(changes: ChangeFeed, compute: () => T) =>
  memoUntil(() => Math.max(changes.shopChanged(), changes.listChanged()), compute);

/** @param lastChange returns the commit of the last change that invalidates the value */
const memoUntil = <T>(lastChange: () => number, compute: () => T) => {
  let memo: { readonly value: T; readonly at: number } | undefined;
  return (head: number | undefined): T => {
    if (head === undefined) return compute();
    if (!memo || memo.at < lastChange()) memo = { value: compute(), at: head };
    return memo.value;
  };
};
