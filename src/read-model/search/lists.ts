import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";
import { appendRun, decodeHead, decodeRun, type Head, meanRun } from "./posting.ts";
import { type Postings, payloadsAt } from "./postings.ts";
import { firstRun } from "./runs.ts";

/** Lists as they were last read. One that is the same still, by count and fingerprint, is not read again. */
export interface KeptLists {
  get(list: string, head: Head): Postings | undefined;
  put(list: string, head: Head, postings: Postings): void;
}

/** Postings kept by one process, of ten bytes each. */
const mostKept = 3_000_000;
/** A list that would take more than this share pushes out too many others. */
const largestKept = mostKept / 4;

/** The lists that were used last, so many that memory stays the same however large the catalogue. */
export const keepLists = (): KeptLists => {
  const kept = new Map<string, { readonly head: Head; readonly postings: Postings }>();
  let size = 0;
  const drop = (list: string): void => {
    size -= kept.get(list)?.postings.ids.length ?? 0;
    kept.delete(list);
  };
  return {
    get(list, head) {
      const found = kept.get(list);
      if (!found) return undefined;
      drop(list);
      if (found.head.count !== head.count || found.head.fingerprint !== head.fingerprint) {
        return undefined;
      }
      size += head.count;
      kept.set(list, found);
      return found.postings;
    },
    put(list, head, postings) {
      if (head.count > largestKept) return;
      drop(list);
      size += head.count;
      kept.set(list, { head, postings });
      for (const oldest of kept.keys()) {
        if (size <= mostKept) break;
        drop(oldest);
      }
    },
  };
};

/** A list of one moment. */
export interface List {
  readonly head: Head;
  /** All of it. */
  all(): Postings;
  /** The payload of each of these ascending ids; 0 for one that is not in the list. */
  at(ids: Float64Array): Uint16Array;
}

/** So many ids are looked for run by run, one in so many runs; more of them, and reading the whole list costs less. */
const fewOf = 1 / 4;

/** Undefined for a list without products. */
export const openList = (stored: Tables, kept: KeptLists, list: string): List | undefined => {
  const record = stored.get(tables.lists, list);
  if (!record) return undefined;
  const head = decodeHead(record, list);
  const known = head.whole ? undefined : kept.get(list, head);
  const all = (): Postings => {
    if (head.whole) return wholeOf(head.whole);
    if (known) return known;
    const postings = readAll(stored, list, head.count);
    kept.put(list, head, postings);
    return postings;
  };
  return {
    head,
    all,
    at: (ids) =>
      head.whole || known || ids.length > (head.count / meanRun) * fewOf
        ? payloadsAt(all(), ids)
        : probe(stored, list, head, ids),
  };
};

const wholeOf = ({ ids, payloads }: NonNullable<Head["whole"]>): Postings => ({
  ids: new Float64Array(ids),
  payloads: new Uint16Array(payloads),
});

const readAll = (stored: Tables, list: string, count: number): Postings => {
  const ids = new Float64Array(count);
  const payloads = new Uint16Array(count);
  let at = 0;
  const range = { start: [list], end: [list, Number.MAX_SAFE_INTEGER] };
  for (const [, run] of stored.entries(tables.runs, range)) at = appendRun(run, ids, payloads, at);
  return { ids, payloads };
};

/** Reads only the runs that may hold an id that is asked for. */
const probe = (stored: Tables, list: string, head: Head, ids: Float64Array): Uint16Array => {
  const found = new Uint16Array(ids.length);
  let run = { ids: [] as number[], payloads: [] as number[] };
  let key = -1;
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] as number;
    if (key === -1 || id > (run.ids.at(-1) ?? -1)) {
      const next = id >= head.lastRun ? head.lastRun : runKey(stored, list, id);
      const record = next === key ? undefined : stored.get(tables.runs, [list, next]);
      if (record) run = decodeRun(record);
      key = next;
    }
    const at = run.ids.indexOf(id);
    if (at !== -1) found[index] = run.payloads[at] as number;
  }
  return found;
};

const runKey = (stored: Tables, list: string, id: number): number => {
  const range = { start: [list, id], end: [list], reverse: true, limit: 1 };
  for (const [, key] of stored.keys(tables.runs, range)) return key;
  return firstRun;
};
