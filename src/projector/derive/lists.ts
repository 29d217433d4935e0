import {
  decodeHead,
  decodeRun,
  emptyHead,
  encodeHead,
  encodeRun,
  extendRun,
  fingerprintOf,
  type Head,
  meanRun,
  mostInHead,
  type Payload,
  type Run,
  type RunEnd,
} from "../../read-model/search/posting.ts";
import { firstRun, startsRun } from "../../read-model/search/runs.ts";
import type { WritableTables } from "../../read-model/store.ts";
import { tables } from "../../read-model/tables.ts";
import { type RunKind, type RunRows, rewriteRuns } from "./runs.ts";

/** One product's place in a list: as it was, and as it is; 0 for not in it. */
interface Posting {
  readonly id: number;
  readonly before: Payload;
  readonly after: Payload;
}

/** What a batch changes in one list. */
interface ListChange {
  readonly postings: Posting[];
  /** By how many products each spelling grew. */
  readonly forms: Map<string, number>;
}

/** Lists of products by word, category, brand or stock: collected over a batch, then each run written once. */
export interface ListChanges {
  /** At most once for each list and product. Payloads are 0 where the product is not in the list. */
  tell(list: string, id: number, before: Payload, after: Payload): void;
  /** One product more, or less, spells the word of this list so. */
  spell(list: string, written: string, difference: 1 | -1): void;
  /**
   * Writes what was told, and forgets it.
   * @param onForm told of each spelling that came up or that no product has any more
   */
  flush(onForm?: (list: string, written: string, exists: boolean) => void): void;
}

/** @param nameOf the name a list is stored under, by the one it is told by */
export const openLists = (
  stored: WritableTables,
  nameOf: (list: string) => string,
): ListChanges => {
  const changes = new Map<string, ListChange>();
  const changeOf = (list: string): ListChange => {
    let change = changes.get(list);
    if (!change) {
      change = { postings: [], forms: new Map() };
      changes.set(list, change);
    }
    return change;
  };
  return {
    tell(list, id, before, after) {
      if (before !== after) changeOf(list).postings.push({ id, before, after });
    },
    spell(list, written, difference) {
      const { forms } = changeOf(list);
      forms.set(written, (forms.get(written) ?? 0) + difference);
    },
    flush(onForm = () => undefined) {
      // In the order of keys, so that the store's pages are visited once each.
      for (const list of [...changes.keys()].sort()) {
        const change = changes.get(list) as ListChange;
        sortById(change.postings);
        applyChange(stored, nameOf(list), change, (written, exists) =>
          onForm(list, written, exists),
        );
      }
      changes.clear();
    },
  };
};

/** Events mostly come in the order of ids already. */
const sortById = (postings: Posting[]): void => {
  for (let at = 1; at < postings.length; at += 1) {
    if ((postings[at] as Posting).id < (postings[at - 1] as Posting).id) {
      postings.sort((a, b) => a.id - b.id);
      return;
    }
  }
};

const applyChange = (
  stored: WritableTables,
  list: string,
  { postings, forms: spelled }: ListChange,
  onForm: (written: string, exists: boolean) => void,
): void => {
  const record = stored.get(tables.lists, list);
  const head = record ? decodeHead(record, list) : emptyHead();
  let { count, fingerprint } = head;
  for (const { id, before, after } of postings) {
    count += Number(after !== 0) - Number(before !== 0);
    if (before !== 0) fingerprint -= fingerprintOf(id, before);
    if (after !== 0) fingerprint += fingerprintOf(id, after);
  }
  const forms = spelled.size === 0 ? head.forms : formsOf(head.forms, spelled, onForm);
  const stands = moveRuns(stored, list, head, postings, count);
  if (count === 0) stored.remove(tables.lists, list);
  else stored.put(tables.lists, list, encodeHead({ count, fingerprint, forms, ...stands }, list));
};

/** In the order of the spellings, so that equal sets are equal bytes. */
const formsOf = (
  known: ReadonlyMap<string, number>,
  spelled: ReadonlyMap<string, number>,
  onForm: (written: string, exists: boolean) => void,
): ReadonlyMap<string, number> => {
  const forms = new Map(known);
  let isNew = false;
  for (const [written, difference] of spelled) {
    const before = known.get(written) ?? 0;
    const after = before + difference;
    if (after > 0) forms.set(written, after);
    else forms.delete(written);
    if (before > 0 === after > 0) continue;
    isNew ||= after > 0;
    onForm(written, after > 0);
  }
  return isNew ? new Map([...forms].sort(([a], [b]) => (a < b ? -1 : 1))) : forms;
};

type Stands = Pick<Head, "whole" | "lastRun" | "lastId">;

/** Brings the postings where they belong: into the head while they are few, else into runs. */
const moveRuns = (
  stored: WritableTables,
  list: string,
  head: Head,
  postings: readonly Posting[],
  count: number,
): Stands => {
  if (head.whole) {
    const run = postingRuns.merge(head.whole, postings);
    const lastId = run.ids.at(-1) ?? 0;
    if (count <= mostInHead) return { whole: run, lastRun: firstRun, lastId };
    let lastRun = firstRun;
    for (const [key, part] of postingRuns.cut(run, firstRun)) {
      stored.put(tables.runs, [list, key], encodeRun(part));
      lastRun = key;
    }
    return { whole: undefined, lastRun, lastId };
  }
  if (count <= mostInHead) {
    const whole = postingRuns.merge(takeAll(stored, list), postings);
    return { whole, lastRun: firstRun, lastId: whole.ids.at(-1) ?? 0 };
  }
  if ((postings[0]?.id ?? 0) > head.lastId) return appendRuns(stored, list, head, postings);
  const rows = rowsOf(stored, list, head.lastRun);
  rewriteRuns(rows, postingRuns, postings);
  const lastRun = rows.last();
  return { whole: undefined, lastRun, lastId: rows.load(lastRun).ids.at(-1) ?? 0 };
};

/** A list grows at its end while a catalogue is loaded: what stands there already is copied, not read. */
const appendRuns = (
  stored: WritableTables,
  list: string,
  { lastRun, lastId }: Head,
  postings: readonly Posting[],
): Stands => {
  let key = lastRun;
  let run: RunEnd = { bytes: stored.get(tables.runs, [list, key]) ?? noBytes, lastId };
  let from = 0;
  for (let at = 0; at <= postings.length; at += 1) {
    const next = postings[at];
    if (next && !startsRun(next.id, meanRun)) continue;
    if (at > from) stored.put(tables.runs, [list, key], extendRun(run, postings.slice(from, at)));
    if (next) {
      key = next.id;
      run = { bytes: noBytes, lastId: 0 };
      from = at;
    }
  }
  return { whole: undefined, lastRun: key, lastId: postings.at(-1)?.id ?? lastId };
};

const noBytes = Buffer.alloc(0);

/** All runs of a list, joined and removed. */
const takeAll = (stored: WritableTables, list: string): Run => {
  const whole: Run = { ids: [], payloads: [] };
  for (const key of [...stored.keys(tables.runs, { start: [list], end: [list, maxId] })]) {
    const run = decodeRun(stored.get(tables.runs, key) as Buffer);
    whole.ids.push(...run.ids);
    whole.payloads.push(...run.payloads);
    stored.remove(tables.runs, key);
  }
  return whole;
};

const maxId = Number.MAX_SAFE_INTEGER;

/** @param lastRun key of the last run: most lists grow at their end, which then need not be looked for */
const rowsOf = (
  stored: WritableTables,
  list: string,
  lastRun: number,
): RunRows<number, Run> & { last(): number } => {
  let last = lastRun;
  const seek = (from: number): number => {
    const range = { start: [list, from], end: [list], reverse: true, limit: 1 };
    for (const [, key] of stored.keys(tables.runs, range)) return key;
    return firstRun;
  };
  return {
    first: firstRun,
    floor: (key) => (key >= last ? last : seek(key)),
    below: (key) => seek(key - 1),
    load(key) {
      const record = stored.get(tables.runs, [list, key]);
      return record ? decodeRun(record) : { ids: [], payloads: [] };
    },
    save(key, run) {
      stored.put(tables.runs, [list, key], encodeRun(run));
      if (key > last) last = key;
    },
    remove(key) {
      stored.remove(tables.runs, [list, key]);
      if (key === last) last = key === firstRun ? firstRun : seek(key - 1);
    },
    last: () => last,
  };
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
      if (at < ids.length && !startsRun(ids[at] as number, meanRun)) continue;
      const id = ids[begin] as number;
      const part = { ids: ids.slice(begin, at), payloads: payloads.slice(begin, at) };
      parts.push([startsRun(id, meanRun) ? id : from, part]);
      begin = at;
    }
    return parts;
  },
  startsWith: ({ ids }, key) => ids[0] === key,
  isEmpty: ({ ids }) => ids.length === 0,
};
