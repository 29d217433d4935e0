import {
  deriveEntries,
  deriveIdentifiers,
  type Entry,
  type Searched,
} from "../../../projections/search-terms.ts";
import { identifierMembers } from "../../read-model/schema/documents.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  brandList,
  categoryList,
  stockList,
  wordList,
  wordOf,
} from "../../read-model/search/postings/list-keys.ts";
import { present } from "../../read-model/search/postings/posting-codec.ts";
import { decodeHead, formsOf } from "../../read-model/search/postings/posting-list-header.ts";
import { type Stemmer, stemmerOf } from "../../read-model/search/text/stemmer.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Counters } from "./counters.ts";
import { type FactChange, factOf, keepFacts, repriceFacts } from "./doc-values.ts";
import type { IndexSettingsChange } from "./index-settings.ts";
import { type ListChanges, openLists } from "./posting-lists.ts";
import { replaceMembers } from "./set-diff.ts";
import { openSpellings, type Spellings } from "./spellings.ts";
import type { Visible } from "./visible-product.ts";

/** Everything products are found by, kept up over one batch. */
export interface SearchIndex {
  /** A product as it was before the batch and as it is; undefined while it is not visible. */
  keep(id: number, before: Visible | undefined, after: Visible | undefined): void;
  /** Writes what was kept. */
  flush(): void;
}

/**
 * A batch that changes the shop's language indexes every product anew: its stems are those of another language. One that
 * changes its currency rewrites the price of every fact.
 */
export const openSearchIndex = (
  stored: WritableTables,
  counters: Counters,
  settings: IndexSettingsChange,
): SearchIndex => {
  const { language: former, currency } = settings.before;
  const { language, currency: nextCurrency } = settings.after;
  const words = openLists(stored, wordList);
  const memberships = openLists(stored, (list) => list);
  const spellings = openSpellings(stored, counters);
  const stemmer = stemmerOf(language);
  const facts: FactChange[] = [];
  const onForm = (stem: string, written: string, exists: boolean): void =>
    spellings.tell(written, stem, exists);
  return {
    keep(id, before, after) {
      keepMemberships(memberships, id, before, after);
      keepFact(facts, id, before, after, currency);
      if (sameTexts(before, after)) return;
      keepIdentifiers(stored, id, before, after);
      if (former === language) keepWords(words, id, before, after, stemmer);
    },
    flush() {
      keepFacts(stored, facts);
      if (currency !== nextCurrency) repriceFacts(stored, nextCurrency);
      memberships.flush();
      words.flush(onForm);
      if (former !== language) reindex(stored, words, spellings, stemmer, onForm);
      spellings.flush();
    },
  };
};

type Maybe = Visible | undefined;

/** Neither a price nor stock is a text: their events leave the words alone. */
const sameTexts = (before: Maybe, after: Maybe): boolean => {
  if (!before || !after) return before === after;
  const { product: one, core: oneCore } = before;
  const { product: other, core: otherCore } = after;
  return (
    one.name === other.name &&
    one.brand === other.brand &&
    one.reference === other.reference &&
    one.gtin === other.gtin &&
    one.description === other.description &&
    same(oneCore.specifications, otherCore.specifications)
  );
};

const same = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

const keepMemberships = (lists: ListChanges, id: number, before: Maybe, after: Maybe): void => {
  const [gone, come] = replaceMembers(membershipsOf(before), membershipsOf(after));
  for (const list of gone) lists.tell(list, id, present, 0);
  for (const list of come) lists.tell(list, id, 0, present);
};

const membershipsOf = (visible: Maybe): readonly string[] => {
  if (!visible) return [];
  const { product, core } = visible;
  return [
    ...core.categoryIds.map(categoryList),
    ...(product.brand === null ? [] : [brandList(product.brand)]),
    ...(product.availability === "IN_STOCK" ? [stockList] : []),
  ];
};

const keepFact = (
  facts: FactChange[],
  id: number,
  before: Maybe,
  after: Maybe,
  currency: string | undefined,
): void => {
  const [was, is] = [factOf(before, currency), factOf(after, currency)];
  if (was === undefined ? is !== undefined : !same(was, is)) facts.push([id, is]);
};

const keepIdentifiers = (stored: WritableTables, id: number, before: Maybe, after: Maybe): void => {
  const [was, is] = [deriveIdentifiers(before?.product), deriveIdentifiers(after?.product)];
  for (const member of identifierMembers) {
    if (was[member] === is[member]) continue;
    if (was[member] !== "") stored.remove(tables.identifiers, [was[member], id, member]);
    if (is[member] !== "") stored.put(tables.identifiers, [is[member], id, member], true);
  }
};

const searchedOf = ({ product, core }: Visible): Searched => ({
  ...product,
  specifications: core.specifications,
});

const none: ReadonlyMap<string, Entry> = new Map();

/** Only the words that came, went or count otherwise now are written. */
const keepWords = (
  words: ListChanges,
  id: number,
  before: Maybe,
  after: Maybe,
  stemmer: Stemmer,
): void => {
  const was = before ? deriveEntries(searchedOf(before), stemmer) : none;
  const is = after ? deriveEntries(searchedOf(after), stemmer) : none;
  for (const [stem, { payload, forms }] of is) {
    const former = was.get(stem);
    if (!former) words.tell(stem, id, 0, payload, forms);
    else {
      const [gone, come] = replaceMembers(former.forms, forms);
      words.tell(stem, id, former.payload, payload, come, gone);
    }
  }
  for (const [stem, { payload, forms }] of was) {
    if (!is.has(stem)) words.tell(stem, id, payload, 0, [], forms);
  }
};

/** Products indexed between two writes: what is collected has to fit into memory. */
const slice = 2_000;

const reindex = (
  stored: WritableTables,
  words: ListChanges,
  spellings: Spellings,
  stemmer: Stemmer,
  onForm: (stem: string, written: string, exists: boolean) => void,
): void => {
  forgetWords(stored, spellings);
  let waiting = 0;
  for (const id of [...stored.keys(tables.products)]) {
    const product = stored.get(tables.products, id);
    const core = stored.get(tables.cores, id)?.group?.content;
    if (!product || !core) continue;
    keepWords(words, id, undefined, { product, core }, stemmer);
    waiting += 1;
    if (waiting % slice === 0) words.flush(onForm);
  }
  words.flush(onForm);
};

const forgetWords = (stored: WritableTables, spellings: Spellings): void => {
  const words = { start: wordList(""), end: wordList("\u{10ffff}") };
  for (const list of [...stored.keys(tables.lists, words)]) {
    const head = decodeHead(stored.get(tables.lists, list) as Buffer);
    for (const written of formsOf(head, list).keys()) spellings.tell(written, wordOf(list), false);
    stored.remove(tables.lists, list);
  }
  const runs = { start: [wordList("")], end: [wordList("\u{10ffff}")] };
  for (const key of [...stored.keys(tables.runs, runs)]) stored.remove(tables.runs, key);
};
