import { tables } from "../../../read-model/schema/tables.ts";
import type { Payload } from "../../../read-model/search/postings/payload.ts";
import {
  appendToBlock,
  hashPosting,
  isPostingBlockStart,
} from "../../../read-model/search/postings/posting-codec.ts";
import {
  decodeForms,
  decodeHeader,
  emptyHeader,
  encodeHeader,
  type HeaderFields,
  type ListHeader,
  type SurfaceForms,
} from "../../../read-model/search/postings/posting-list-header.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { type PostingChange, rewritePostings } from "./posting-blocks.ts";

/**
 * Posting lists by term, category, brand or stock: changes are collected over a batch, then each block is written
 * once.
 */
export interface PostingListUpdates {
  /**
   * Collects the change of one product in one list, at most once for each pair. Payloads are 0 where the product is
   * not in the list.
   * @param addedForms surface forms of the list's term that the product has now, and had not before
   * @param removedForms surface forms that it had, and has not now
   */
  add(
    list: string,
    id: number,
    before: Payload,
    after: Payload,
    addedForms?: readonly string[],
    removedForms?: readonly string[],
  ): void;
  /**
   * Writes the collected changes and clears them.
   * @param onForm called for each surface form that was added, or that no product has any more
   */
  flush(onForm?: (list: string, form: string, exists: boolean) => void): void;
}

/**
 * Changes of a batch in one list. There are thousands of them, so that another object in each would be noticeable.
 */
interface ListUpdate {
  /** Triples of id, payload before and payload after. */
  readonly postings: number[];
  /** A surface form, and by how many products it grew. Most lists have only one; others are in `otherForms`. */
  form: string | undefined;
  delta: number;
  otherForms: Map<string, number> | undefined;
}

const noForms: readonly string[] = [];

/**
 * Opens the updates of a batch.
 * @param keyOf key under which a list is stored, by the name that `add` is called with
 */
export const openPostingListUpdates = (
  stored: WritableTables,
  keyOf: (list: string) => string,
): PostingListUpdates => {
  const updates = new Map<string, ListUpdate>();
  const getUpdate = (list: string): ListUpdate => {
    const pending = updates.get(list);
    if (pending) return pending;
    const update: ListUpdate = { postings: [], form: undefined, delta: 0, otherForms: undefined };
    updates.set(list, update);
    return update;
  };
  return {
    add(list, id, before, after, addedForms = noForms, removedForms = noForms) {
      if (before === after && addedForms.length === 0 && removedForms.length === 0) return;
      const update = getUpdate(list);
      if (before !== after) update.postings.push(id, before, after);
      for (const form of addedForms) countForm(update, form, 1);
      for (const form of removedForms) countForm(update, form, -1);
    },
    flush(onForm = () => undefined) {
      // Sorted by key, so that each page of LMDB is visited once.
      for (const list of [...updates.keys()].sort()) {
        applyUpdate(stored, keyOf(list), updates.get(list) as ListUpdate, (form, exists) =>
          onForm(list, form, exists),
        );
      }
      updates.clear();
    },
  };
};

const countForm = (update: ListUpdate, form: string, delta: number): void => {
  update.form ??= form;
  if (update.form === form) update.delta += delta;
  else {
    update.otherForms ??= new Map();
    update.otherForms.set(form, (update.otherForms.get(form) ?? 0) + delta);
  }
};

type OnForm = (written: string, exists: boolean) => void;

const applyUpdate = (
  stored: WritableTables,
  listKey: string,
  update: ListUpdate,
  onForm: OnForm,
): void => {
  const record = stored.get(tables.postingLists, listKey);
  const header = record ? decodeHeader(record) : emptyHeader;
  // Read first, because LMDB reuses the record's buffer at the next read.
  const forms = decodeForms(header, listKey);
  const newHeader = isAppendOnly(header, update)
    ? appendPostings(stored, listKey, header, update)
    : rewritePostings(stored, listKey, header, toPostingChanges(update));
  if (newHeader.count === 0) stored.remove(tables.postingLists, listKey);
  const after = updateForms(forms, update, onForm);
  if (newHeader.count > 0)
    stored.put(tables.postingLists, listKey, encodeHeader(newHeader, after, listKey));
};

/** Updates the surface forms, sorted, so that equal sets have equal bytes. */
const updateForms = (
  forms: Map<string, number>,
  { form, delta, otherForms }: ListUpdate,
  onForm: OnForm,
): SurfaceForms => {
  let isNew = false;
  const adjust = (form: string, difference: number): void => {
    const before = forms.get(form) ?? 0;
    const after = before + difference;
    if (after > 0) forms.set(form, after);
    else forms.delete(form);
    if (before > 0 === after > 0) return;
    isNew ||= after > 0;
    onForm(form, after > 0);
  };
  if (form !== undefined) adjust(form, delta);
  if (otherForms) for (const [one, difference] of otherForms) adjust(one, difference);
  return isNew && forms.size > 1 ? new Map([...forms].sort(([a], [b]) => (a < b ? -1 : 1))) : forms;
};

/** Whether all changes append products behind the last one, as when a catalogue is loaded. */
const isAppendOnly = ({ lastId }: ListHeader, { postings }: ListUpdate): boolean => {
  let last = lastId;
  for (let at = 0; at < postings.length; at += 3) {
    const id = postings[at] as number;
    if (id <= last || postings[at + 1] !== 0) return false;
    last = id;
  }
  return true;
};

/** Appends postings to a list. The stored ones are copied, not decoded. */
const appendPostings = (
  stored: WritableTables,
  listKey: string,
  header: ListHeader,
  { postings }: ListUpdate,
): HeaderFields => {
  let { count, lastBlock, lastBlockKey, lastId, isSingleBlock, listHash } = header;
  let from = 0;
  for (let at = 0; at < postings.length; at += 3) {
    const id = postings[at] as number;
    listHash = (listHash + hashPosting(id, postings[at + 2] as number)) >>> 0;
    if (!isPostingBlockStart(id)) continue;
    const closedBlock = appendToBlock(lastBlock, lastId, postings, from, at);
    if (closedBlock.length > 0) {
      stored.put(tables.postingBlocks, [listKey, lastBlockKey], closedBlock);
      isSingleBlock = false;
    }
    [lastBlock, lastBlockKey, lastId, from] = [emptyBuffer, id, 0, at];
  }
  lastBlock = appendToBlock(lastBlock, lastId, postings, from, postings.length);
  count += postings.length / 3;
  return {
    count,
    listHash,
    lastBlockKey,
    lastId: postings.at(-3) ?? lastId,
    isSingleBlock,
    lastBlock,
  };
};

const emptyBuffer = Buffer.alloc(0);

const toPostingChanges = ({ postings }: ListUpdate): readonly PostingChange[] =>
  Array.from({ length: postings.length / 3 }, (_, at) => ({
    id: postings[3 * at] as number,
    before: postings[3 * at + 1] as number,
    after: postings[3 * at + 2] as number,
  })).sort((a, b) => a.id - b.id);
