import { pastEveryId, tables } from "../../schema/tables.ts";
import type { Tables } from "../../store/store.ts";
import { firstRun } from "./block-boundary.ts";
import type { Ids } from "./doc-ids.ts";
import { type Matches, matchesOf, type Packed, pack } from "./packed-list.ts";
import { appendRun, decodeRun, meanRun } from "./posting-codec.ts";
import { decodeHead, formsOf } from "./posting-list-header.ts";
import { type Postings, payloadsAt, postingsUpTo } from "./postings.ts";

/** What tells one state of a list from another. */
export interface Standing {
  readonly count: number;
  readonly fingerprint: number;
}

/** Lists as they were last read. One that is the same still, by count and fingerprint, is not read again. */
export interface KeptLists {
  get(list: string, standing: Standing): Packed | undefined;
  put(list: string, standing: Standing, postings: Packed): void;
}

/** Bytes of postings that one process keeps. */
const mostKept = 30 * 2 ** 20;
/** A list that would take more than this share pushes out too many others. */
const largestKept = mostKept / 4;

/** The lists that were used last, so many that memory stays the same however large the catalogue. */
export const keepLists = (): KeptLists => {
  const kept = new Map<string, { readonly standing: Standing; readonly postings: Packed }>();
  let size = 0;
  const drop = (list: string): void => {
    const found = kept.get(list);
    if (found) size -= found.postings.bytes;
    kept.delete(list);
  };
  return {
    get(list, { count, fingerprint }) {
      const found = kept.get(list);
      if (!found) return undefined;
      kept.delete(list);
      if (found.standing.count !== count || found.standing.fingerprint !== fingerprint) {
        size -= found.postings.bytes;
        return undefined;
      }
      kept.set(list, found);
      return found.postings;
    },
    put(list, standing, postings) {
      if (postings.bytes > largestKept) return;
      drop(list);
      size += postings.bytes;
      kept.set(list, { standing, postings });
      for (const oldest of kept.keys()) {
        if (size <= mostKept) break;
        drop(oldest);
      }
    },
  };
};

/** A list of one moment. */
export interface List extends Standing {
  /** Products that have each spelling of the word. */
  forms(): ReadonlyMap<string, number>;
  /** All of it. */
  all(): Postings;
  /** The payload of each of these ids; 0 for one that is not in the list. */
  at(ids: Ids): Uint16Array;
  /** Which of these ids are in the list. */
  match(ids: Ids): Matches;
  /** All of it, packed. */
  packed(): Packed;
}

/** So many ids are looked for run by run, one in so many runs; more of them, and reading the whole list costs less. */
const fewOf = 1 / 16;

/** Undefined for a list without products. */
export const openList = (stored: Tables, kept: KeptLists, list: string): List | undefined => {
  const record = stored.get(tables.lists, list);
  if (!record) return undefined;
  // Records are lent until the next look-up.
  const rest = decodeHead(Buffer.from(record));
  const { count, fingerprint, isWhole } = rest;
  const standing = { count, fingerprint };
  let known = isWhole ? undefined : kept.get(list, standing);
  const read = (): Postings => readAll(stored, list, rest);
  const packed = (): Packed => {
    if (known) return known;
    known = pack(read());
    if (!isWhole) kept.put(list, standing, known);
    return known;
  };
  /** Where that costs less than to have the list packed. */
  const unpackedAt = (ids: Ids): Uint16Array | undefined => {
    if (isWhole) return payloadsAt(read(), ids);
    const isFew = !known && ids.length <= (count / meanRun) * fewOf;
    return isFew ? probe(stored, list, rest, ids) : undefined;
  };
  return {
    ...standing,
    forms: () => formsOf(rest, list),
    packed,
    all: () => (isWhole ? read() : packed().all()),
    at: (ids) => unpackedAt(ids) ?? packed().at(ids),
    match(ids) {
      const payloads = unpackedAt(ids);
      return payloads ? matchesOf(payloads) : packed().match(ids);
    },
  };
};

/** What of a head tells where its postings are. */
interface Whereabouts {
  readonly count: number;
  readonly lastRun: number;
  readonly lastId: number;
  readonly isWhole: boolean;
  readonly tail: Buffer;
}

const readAll = (stored: Tables, list: string, head: Whereabouts): Postings => {
  const postings = postingsUpTo(head.count, head.lastId);
  let at = 0;
  if (!head.isWhole) {
    const range = { start: [list], end: [list, pastEveryId] };
    for (const [, run] of stored.entries(tables.runs, range)) at = appendRun(run, postings, at);
  }
  appendRun(head.tail, postings, at);
  return postings;
};

/** Reads only the runs that may hold an id that is asked for. */
const probe = (stored: Tables, list: string, head: Whereabouts, ids: Ids): Uint16Array => {
  const found = new Uint16Array(ids.length);
  let run = { ids: [] as number[], payloads: [] as number[] };
  let key = -1;
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] as number;
    if (key === -1 || id > (run.ids.at(-1) ?? -1)) {
      const next = id >= head.lastRun ? head.lastRun : runKey(stored, list, id);
      if (next !== key) run = readRun(stored, list, head, next) ?? run;
      key = next;
    }
    const at = run.ids.indexOf(id);
    if (at !== -1) found[index] = run.payloads[at] as number;
  }
  return found;
};

const readRun = (stored: Tables, list: string, { lastRun, tail }: Whereabouts, key: number) => {
  const record = key === lastRun ? tail : stored.get(tables.runs, [list, key]);
  return record && decodeRun(record);
};

const runKey = (stored: Tables, list: string, id: number): number => {
  const range = { start: [list, id], end: [list], reverse: true, limit: 1 };
  for (const [, key] of stored.keys(tables.runs, range)) return key;
  return firstRun;
};
