import { deepEqual } from "../../../projections/field-group.ts";
import { listIdentifiers } from "../../../projections/identifiers.ts";
import { computeTermEntries, type TermEntry } from "../../../projections/search-terms.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  brandKey,
  categoryKey,
  inStockKey,
  termKey,
  termOfKey,
} from "../../read-model/search/postings/list-keys.ts";
import { presencePayload } from "../../read-model/search/postings/payload.ts";
import { decodeForms, decodeHeader } from "../../read-model/search/postings/posting-list-header.ts";
import { getLanguage, type Language } from "../../read-model/search/text/language.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Counters } from "./counters.ts";
import {
  type DocValuesChange,
  rewriteDocValuePrices,
  toDocValues,
  updateDocValues,
} from "./doc-values.ts";
import type { IndexSettingsChange } from "./index-settings.ts";
import { openPostingListUpdates, type PostingListUpdates } from "./postings/posting-lists.ts";
import { readVariantDocuments } from "./products/product-variants.ts";
import { toSearchableFields, toVariantTexts } from "./products/searchable-fields.ts";
import type { VisibleProduct } from "./products/visible-product.ts";
import { diffSets, replaceKeys } from "./set-diff.ts";
import { openSpellingUpdates, type SpellingUpdates } from "./spellings.ts";

/** Updates all indexes by which products are found, over one batch. */
export interface SearchIndex {
  /** Collects the change of one product; undefined while it is not visible. */
  update(id: number, before: VisibleProduct | undefined, after: VisibleProduct | undefined): void;
  flush(): void;
}

/**
 * Opens the search index of a batch. A change of the shop's language reindexes every product, because its stems are
 * those of another language. A change of its currency rewrites the price of all doc values.
 */
export const openSearchIndex = (
  stored: WritableTables,
  counters: Counters,
  settings: IndexSettingsChange,
): SearchIndex => {
  const { language: previousLanguage, currency } = settings.before;
  const { language, currency: nextCurrency } = settings.after;
  const terms = openPostingListUpdates(stored, termKey);
  const memberships = openPostingListUpdates(stored, (listKey) => listKey);
  const spellings = openSpellingUpdates(stored, counters);
  const rules = getLanguage(language);
  const docValues: DocValuesChange[] = [];
  const onForm = (stem: string, form: string, exists: boolean): void =>
    spellings.add(form, stem, exists);
  return {
    update(id, before, after) {
      const change = [before, after] as const;
      updateMemberships(memberships, id, change);
      const [previous, current] = [toDocValues(before, currency), toDocValues(after, currency)];
      if (!deepEqual(previous, current)) docValues.push([id, current]);
      if (hasSameTexts(change)) return;
      updateIdentifiers(stored, id, change);
      if (previousLanguage === language) updateTerms(terms, id, change, rules);
    },
    flush() {
      updateDocValues(stored, docValues);
      if (currency !== nextCurrency) rewriteDocValuePrices(stored, nextCurrency);
      memberships.flush();
      terms.flush(onForm);
      if (previousLanguage !== language) reindex(stored, terms, spellings, rules, onForm);
      spellings.flush();
    },
  };
};

type MaybeVisible = VisibleProduct | undefined;
type Change = readonly [before: MaybeVisible, after: MaybeVisible];

/**
 * Whether two versions of a product have the same texts. Events of price and stock change none, and leave the terms
 * alone.
 */
const hasSameTexts = ([before, after]: Change): boolean => {
  if (!before || !after) return before === after;
  const { product: one, core: oneCore } = before;
  const { product: other, core: otherCore } = after;
  return (
    one.name === other.name &&
    one.brand === other.brand &&
    one.reference === other.reference &&
    one.gtin === other.gtin &&
    one.description === other.description &&
    deepEqual(oneCore.specifications, otherCore.specifications) &&
    deepEqual(toVariantTexts(before), toVariantTexts(after))
  );
};

const updateMemberships = (lists: PostingListUpdates, id: number, [before, after]: Change) => {
  const [removed, added] = diffSets(listMemberships(before), listMemberships(after));
  for (const listKey of removed) lists.add(listKey, id, presencePayload, 0);
  for (const listKey of added) lists.add(listKey, id, 0, presencePayload);
};

const listMemberships = (visible: MaybeVisible): readonly string[] => {
  if (!visible) return [];
  const { product, core } = visible;
  return [
    ...core.categoryIds.map(categoryKey),
    ...(product.brand === null ? [] : [brandKey(product.brand)]),
    ...(product.availability === "IN_STOCK" ? [inStockKey] : []),
  ];
};

const updateIdentifiers = (stored: WritableTables, id: number, [before, after]: Change): void => {
  const toKeys = (visible: MaybeVisible) =>
    (visible ? listIdentifiers(visible.core, visible.variants ?? []) : []).map(
      ({ code, member }) => [code, id, member] as const,
    );
  replaceKeys(stored, tables.identifiers, toKeys(before), toKeys(after));
};

const noEntries: ReadonlyMap<string, TermEntry> = new Map();

/** Collects only the terms that were added, removed or have another payload. */
const updateTerms = (
  terms: PostingListUpdates,
  id: number,
  [before, after]: Change,
  rules: Language,
): void => {
  const previous = before ? computeTermEntries(toSearchableFields(before), rules) : noEntries;
  const current = after ? computeTermEntries(toSearchableFields(after), rules) : noEntries;
  for (const [stem, { payload, surfaceForms }] of current) {
    const previousEntry = previous.get(stem);
    if (!previousEntry) terms.add(stem, id, 0, payload, surfaceForms);
    else {
      const [removed, added] = diffSets(previousEntry.surfaceForms, surfaceForms);
      terms.add(stem, id, previousEntry.payload, payload, added, removed);
    }
  }
  for (const [stem, { payload, surfaceForms }] of previous) {
    if (!current.has(stem)) terms.add(stem, id, payload, 0, [], surfaceForms);
  }
};

/** Products reindexed between two writes, so that the collected changes fit into memory. */
const reindexBatchSize = 2_000;

const reindex = (
  stored: WritableTables,
  terms: PostingListUpdates,
  spellings: SpellingUpdates,
  rules: Language,
  onForm: (stem: string, form: string, exists: boolean) => void,
): void => {
  removeTerms(stored, spellings);
  let pendingCount = 0;
  for (const id of [...stored.keys(tables.products)]) {
    const product = stored.get(tables.products, id);
    const core = stored.get(tables.productCores, id)?.group?.content;
    if (!product || !core) continue;
    const { variants } = readVariantDocuments(stored, id);
    updateTerms(terms, id, [undefined, { product, core, variants }], rules);
    pendingCount += 1;
    if (pendingCount % reindexBatchSize === 0) terms.flush(onForm);
  }
  terms.flush(onForm);
};

const removeTerms = (stored: WritableTables, spellings: SpellingUpdates): void => {
  const termRange = { start: termKey(""), end: termKey("\u{10ffff}") };
  for (const listKey of [...stored.keys(tables.postingLists, termRange)]) {
    const header = decodeHeader(stored.get(tables.postingLists, listKey) as Buffer);
    for (const form of decodeForms(header, listKey).keys())
      spellings.add(form, termOfKey(listKey), false);
    stored.remove(tables.postingLists, listKey);
  }
  const blockRange = { start: [termKey("")], end: [termKey("\u{10ffff}")] } as const;
  for (const key of [...stored.keys(tables.postingBlocks, blockRange)])
    stored.remove(tables.postingBlocks, key);
};
