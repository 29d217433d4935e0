import type { ChangeSet } from "../schema/rows.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import type { Position } from "./feed/position.ts";
import type { ReadSetCheck } from "./reader.ts";

/** Number of change sets stored. A reader that is more commits behind discards what it cached. */
export const changeLogLength = 64;

/** Data that a snapshot's reads depended on. Every read set includes the shop data, without a member for it. */
export interface ReadSet {
  /** Ids of the products read; may contain duplicates. */
  readonly products: number[];
  /** True when the set of products, their addresses, categories or number were read. */
  list: boolean;
  anyProduct: boolean;
  /** True when the result depends on data that every commit changes. */
  everything: boolean;
  /** Instant from which the result is another without a commit, milliseconds since 1970; infinite when there is none. */
  validUntil: number;
}

export const emptyReadSet = (): ReadSet => ({
  products: [],
  list: false,
  anyProduct: false,
  everything: false,
  validUntil: Number.POSITIVE_INFINITY,
});

type ChangeTracker = ReturnType<typeof openChangeTracker>;

/** Maximum number of products whose last change is tracked; about 2 MB. */
const maxTrackedProducts = 20_000;

/**
 * Tracks the changes of a generation in one process. Commits are counted from 1. For every snapshot, call `head` before the other
 * methods.
 */
export const openChangeTracker = (stored: ReadTables) => {
  let head = 0;
  /** Commit before which no changes are tracked. */
  let floor = 0;
  /** Latest commit that changed the list of products, any other data than products, and any product. */
  const last = { listed: 0, otherData: 0, anyProduct: 0 };
  const products = new Map<number, number>();
  const forget = (at: number): void => {
    floor = at;
    products.clear();
    last.otherData = at;
  };
  const record = (at: number, { products: ids, listChanged, shopChanged }: ChangeSet): void => {
    if (shopChanged) last.otherData = at;
    if (listChanged) last.listed = at;
    if (ids === null) forget(at);
    else if (ids.length > 0) last.anyProduct = at;
    for (const id of ids ?? []) products.set(id, at);
    if (products.size > maxTrackedProducts) forget(at);
  };
  const catchUp = (to: number): void => {
    let reached = head;
    for (const [at, changeSet] of stored.entries(tables.changeLog, { start: head + 1 })) {
      if (at > reached + 1) forget(at);
      record(at, changeSet);
      reached = at;
    }
    if (reached !== to) forget(to);
    head = to;
  };
  return {
    /** Reads the number of the latest commit, 0 before the first, and the change sets up to it. */
    head(): number {
      const current = stored.get(tables.commitNumber, "commitNumber") ?? 0;
      if (current !== head) catchUp(current);
      return current;
    },
    /** Returns true when nothing in a read set, read at commit `since`, has changed up to the head. */
    unchanged({ products: ids, list, anyProduct, everything }: ReadSet, since: number): boolean {
      if (since === head) return true;
      if (everything || since < floor || last.otherData > since) return false;
      if ((list && last.listed > since) || (anyProduct && last.anyProduct > since)) return false;
      return ids.every((id) => (products.get(id) ?? 0) <= since);
    },
    /** Returns the commit at which data other than products last changed. */
    shopChanged: (): number => last.otherData,
    /**
     * Returns the commit at which a product was last added, removed or moved. It may be too old after a gap or an overflow,
     * and then `shopChanged` is the later one.
     */
    listChanged: (): number => last.listed,
  };
};

/**
 * Creates a check that compares a read set with the changes since it was last current.
 * @param head commit at which the read set was recorded
 */
export const createReadSetCheck = (
  changes: ChangeTracker,
  readSet: ReadSet,
  head: number,
  { refreshHead, positionAt, now }: ReadSetSources,
): ReadSetCheck => {
  let since = head;
  // A plain member: an accessor takes 6 µs a request.
  const check = {
    position: positionAt(head),
    isCurrent(): boolean {
      if (now() >= readSet.validUntil) return false;
      const current = refreshHead();
      if (!changes.unchanged(readSet, since)) return false;
      since = current;
      check.position = positionAt(current);
      return true;
    },
  };
  return check;
};

interface ReadSetSources {
  /** Moves to the latest commit. */
  readonly refreshHead: () => number;
  /** Returns the position of the current commit. */
  readonly positionAt: (head: number) => Position | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Memoises a value until a commit changes data other than products. */
export const memoUntilShopChange = <T>(changes: ChangeTracker, compute: () => T) =>
  memoUntil(() => changes.shopChanged(), compute);

/** Memoises a value until a commit changes data other than products, or adds, removes or moves a product. */
export const memoUntilListChange = <T>(changes: ChangeTracker, compute: () => T) =>
  memoUntil(() => Math.max(changes.shopChanged(), changes.listChanged()), compute);

/** @param lastChange returns the commit of the last change that invalidates the value */
const memoUntil = <T>(lastChange: () => number, compute: () => T) => {
  let memo: { readonly value: T; readonly at: number } | undefined;
  return (head: number): T => {
    if (!memo || memo.at < lastChange()) memo = { value: compute(), at: head };
    return memo.value;
  };
};
