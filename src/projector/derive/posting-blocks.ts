import { tables } from "../../read-model/schema/tables.ts";
import { firstRun } from "../../read-model/search/postings/block-boundary.ts";
import {
  decodeRun,
  encodeRun,
  fingerprintOf,
  type Payload,
  type Run,
  startsPostings,
} from "../../read-model/search/postings/posting-codec.ts";
import type { Head } from "../../read-model/search/postings/posting-list-header.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { type RunKind, type RunRows, rewriteRuns } from "./block-rewrite.ts";

/** One product's place in a list: as it was, and as it is; 0 for not in it. */
export interface Posting {
  readonly id: number;
  readonly before: Payload;
  readonly after: Payload;
}

/** Brings ascending postings into the runs where they belong, and tells the head that follows. */
export const rewritePostings = (
  stored: WritableTables,
  list: string,
  head: Head,
  postings: readonly Posting[],
): Omit<Head, "spelled"> => {
  let { count, fingerprint } = head;
  for (const { id, before, after } of postings) {
    count += Number(after !== 0) - Number(before !== 0);
    if (before !== 0) fingerprint = (fingerprint - fingerprintOf(id, before)) >>> 0;
    if (after !== 0) fingerprint = (fingerprint + fingerprintOf(id, after)) >>> 0;
  }
  const rows = rowsOf(stored, list, head);
  rewriteRuns(rows, postingRuns, postings);
  return { count, fingerprint, ...rows.settle() };
};

/** The runs of a list: those of rows of their own, and the last one, which stands in the head. */
const rowsOf = (
  stored: WritableTables,
  list: string,
  { lastRun, tail, isWhole }: Head,
): RunRows<number, Run> & { settle(): Pick<Head, "lastRun" | "lastId" | "tail" | "isWhole"> } => {
  /** Runs from the last one on, by their keys; others begin there, and it may end. */
  const held = new Map<number, Run>(tail.length > 0 ? [[lastRun, decodeRun(tail)]] : []);
  /** Nothing of it has a row, so that none is looked for: most lists are so, and to look takes longer than to write. */
  let isAlone = isWhole;
  const below = (key: number): number => {
    if (isAlone) return firstRun;
    const range = { start: [list, key - 1], end: [list], reverse: true, limit: 1 };
    for (const [, found] of stored.keys(tables.runs, range)) return found;
    return firstRun;
  };
  const take = (key: number): Run => {
    if (isAlone) return noRun();
    const run = readRun(stored, list, key);
    stored.remove(tables.runs, [list, key]);
    return run;
  };
  const hasRowBefore = (key: number): boolean => {
    if (isAlone) return false;
    for (const _ of stored.keys(tables.runs, { start: [list], end: [list, key], limit: 1 })) {
      return true;
    }
    return false;
  };
  const write = (key: number, run: Run): void => {
    stored.put(tables.runs, [list, key], encodeRun(run));
    isAlone = false;
  };
  return {
    first: firstRun,
    floor: (key) => (key >= lastRun ? lastRun : below(key + 1)),
    below,
    load(key) {
      if (key >= lastRun) return held.get(key) ?? noRun();
      return isAlone ? noRun() : readRun(stored, list, key);
    },
    save(key, run) {
      if (key >= lastRun) held.set(key, run);
      else write(key, run);
    },
    remove(key) {
      if (key >= lastRun) held.delete(key);
      else if (!isAlone) stored.remove(tables.runs, [list, key]);
    },
    settle() {
      const keys = [...held.keys()].sort((a, b) => a - b);
      const key = keys.pop() ?? below(lastRun);
      const run = held.get(key) ?? take(key);
      for (const one of keys) write(one, held.get(one) as Run);
      return {
        lastRun: key,
        lastId: run.ids.at(-1) ?? 0,
        tail: encodeRun(run),
        isWhole: !hasRowBefore(key),
      };
    },
  };
};

const noRun = (): Run => ({ ids: [], payloads: [] });

const readRun = (stored: WritableTables, list: string, key: number): Run => {
  const record = stored.get(tables.runs, [list, key]);
  return record ? decodeRun(record) : noRun();
};

const postingRuns: RunKind<number, Run, Posting> = {
  keyOf: ({ id }) => id,
  isRemoval: ({ after }) => after === 0,
  merge: (run, postings) => {
    const { ids, payloads } = run;
    const grows = postings.length === 0 || (postings[0]?.id ?? 0) > (ids.at(-1) ?? 0);
    const merged: Run = grows ? run : { ids: [], payloads: [] };
    let at = grows ? ids.length : 0;
    const keep = (): void => {
      merged.ids.push(ids[at] as number);
      merged.payloads.push(payloads[at] as number);
      at += 1;
    };
    for (const { id, after } of postings) {
      if (!grows) {
        while (at < ids.length && (ids[at] as number) < id) keep();
        if (ids[at] === id) at += 1;
      }
      if (after === 0) continue;
      merged.ids.push(id);
      merged.payloads.push(after);
    }
    if (!grows) while (at < ids.length) keep();
    return merged;
  },
  join: (one, other) => ({
    ids: [...one.ids, ...other.ids],
    payloads: [...one.payloads, ...other.payloads],
  }),
  cut: ({ ids, payloads }, from) => {
    const parts: (readonly [number, Run])[] = [];
    let begin = 0;
    for (let at = 1; at <= ids.length; at += 1) {
      if (at < ids.length && !startsPostings(ids[at] as number)) continue;
      const id = ids[begin] as number;
      const part = { ids: ids.slice(begin, at), payloads: payloads.slice(begin, at) };
      parts.push([startsPostings(id) ? id : from, part]);
      begin = at;
    }
    return parts;
  },
  startsWith: ({ ids }, key) => ids[0] === key,
  endOf: ({ ids }) => ids.at(-1),
};
