import { tables } from "../../read-model/schema/tables.ts";
import {
  extendRun,
  fingerprintOf,
  type Payload,
  startsPostings,
} from "../../read-model/search/postings/posting-codec.ts";
import {
  decodeHead,
  emptyHead,
  encodeHead,
  type Forms,
  formsOf,
  type Head,
} from "../../read-model/search/postings/posting-list-header.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { type Posting, rewritePostings } from "./posting-blocks.ts";

/** Lists of products by word, category, brand or stock: collected over a batch, then each run written once. */
export interface ListChanges {
  /**
   * At most once for each list and product. Payloads are 0 where the product is not in the list.
   * @param come spellings of the list's word that the product has now, and had not before
   * @param gone spellings that it had, and has not now
   */
  tell(
    list: string,
    id: number,
    before: Payload,
    after: Payload,
    come?: readonly string[],
    gone?: readonly string[],
  ): void;
  /**
   * Writes what was told, and forgets it.
   * @param onForm told of each spelling that came up or that no product has any more
   */
  flush(onForm?: (list: string, written: string, exists: boolean) => void): void;
}

/** What a batch changes in one list. There are thousands of them, so that an object more in each would be felt. */
interface ListChange {
  /** Id, payload before and payload after of each product, one after the other. */
  readonly postings: number[];
  /** A spelling, and by how many products it grew. Most lists are told of one alone, and others stand in `more`. */
  written: string | undefined;
  grew: number;
  more: Map<string, number> | undefined;
}

const none: readonly string[] = [];

/** @param nameOf the name a list is stored under, by the one it is told by */
export const openLists = (
  stored: WritableTables,
  nameOf: (list: string) => string,
): ListChanges => {
  const changes = new Map<string, ListChange>();
  const changeOf = (list: string): ListChange => {
    const known = changes.get(list);
    if (known) return known;
    const change = { postings: [], written: undefined, grew: 0, more: undefined };
    changes.set(list, change);
    return change;
  };
  return {
    tell(list, id, before, after, come = none, gone = none) {
      if (before === after && come.length === 0 && gone.length === 0) return;
      const change = changeOf(list);
      if (before !== after) change.postings.push(id, before, after);
      for (const written of come) spell(change, written, 1);
      for (const written of gone) spell(change, written, -1);
    },
    flush(onForm = () => undefined) {
      // In the order of keys, so that the store's pages are visited once each.
      for (const list of [...changes.keys()].sort()) {
        applyChange(stored, nameOf(list), changes.get(list) as ListChange, (written, exists) =>
          onForm(list, written, exists),
        );
      }
      changes.clear();
    },
  };
};

const spell = (change: ListChange, written: string, difference: number): void => {
  change.written ??= written;
  if (change.written === written) change.grew += difference;
  else {
    change.more ??= new Map();
    change.more.set(written, (change.more.get(written) ?? 0) + difference);
  }
};

type OnForm = (written: string, exists: boolean) => void;

const applyChange = (
  stored: WritableTables,
  list: string,
  change: ListChange,
  onForm: OnForm,
): void => {
  const record = stored.get(tables.lists, list);
  const head = record ? decodeHead(record) : emptyHead;
  // Read before all else: the record is another one after the next look-up.
  const forms = formsOf(head, list);
  const grown = isGrowth(head, change)
    ? grow(stored, list, head, change)
    : rewritePostings(stored, list, head, postingsOf(change));
  if (grown.count === 0) stored.remove(tables.lists, list);
  const after = changedForms(forms, change, onForm);
  if (grown.count > 0) stored.put(tables.lists, list, encodeHead(grown, after, list));
};

/** In the order of the spellings, so that equal sets are equal bytes. */
const changedForms = (
  forms: Map<string, number>,
  { written, grew, more }: ListChange,
  onForm: OnForm,
): Forms => {
  let isNew = false;
  const change = (written: string, difference: number): void => {
    const before = forms.get(written) ?? 0;
    const after = before + difference;
    if (after > 0) forms.set(written, after);
    else forms.delete(written);
    if (before > 0 === after > 0) return;
    isNew ||= after > 0;
    onForm(written, after > 0);
  };
  if (written !== undefined) change(written, grew);
  if (more) for (const [one, difference] of more) change(one, difference);
  return isNew && forms.size > 1 ? new Map([...forms].sort(([a], [b]) => (a < b ? -1 : 1))) : forms;
};

/** Whether all that changes is that products come behind all others, as when a catalogue is loaded. */
const isGrowth = ({ lastId }: Head, { postings }: ListChange): boolean => {
  let last = lastId;
  for (let at = 0; at < postings.length; at += 3) {
    const id = postings[at] as number;
    if (id <= last || postings[at + 1] !== 0) return false;
    last = id;
  }
  return true;
};

/** What stands there already is copied, not read. */
const grow = (
  stored: WritableTables,
  list: string,
  head: Head,
  { postings }: ListChange,
): Omit<Head, "spelled"> => {
  let { count, tail, lastRun, lastId, isWhole, fingerprint } = head;
  let from = 0;
  for (let at = 0; at < postings.length; at += 3) {
    const id = postings[at] as number;
    fingerprint = (fingerprint + fingerprintOf(id, postings[at + 2] as number)) >>> 0;
    if (!startsPostings(id)) continue;
    const closed = extendRun(tail, lastId, postings, from, at);
    if (closed.length > 0) {
      stored.put(tables.runs, [list, lastRun], closed);
      isWhole = false;
    }
    [tail, lastRun, lastId, from] = [noBytes, id, 0, at];
  }
  tail = extendRun(tail, lastId, postings, from, postings.length);
  count += postings.length / 3;
  return {
    count,
    fingerprint,
    lastRun,
    lastId: postings.at(-3) ?? lastId,
    isWhole,
    tail,
  };
};

const noBytes = Buffer.alloc(0);

const postingsOf = ({ postings }: ListChange): readonly Posting[] =>
  Array.from({ length: postings.length / 3 }, (_, at) => ({
    id: postings[3 * at] as number,
    before: postings[3 * at + 1] as number,
    after: postings[3 * at + 2] as number,
  })).sort((a, b) => a.id - b.id);
