import { listIdentifiers } from "../../../projections/identifiers.ts";
import {
  computeTermEntries,
  type SearchableFields,
  type TermEntry,
  toText,
} from "../../../projections/search-terms.ts";
import { deepEqual } from "../../platform/deep-equal.ts";
import type { VariantMembers } from "../../read-model/schema/documents.ts";
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
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { Counters, IndexSettingsChange } from "./derivation.ts";
import { openPostingListUpdates, type PostingListUpdates } from "./postings/posting-lists.ts";
import { readVisibleProduct, type VisibleProduct } from "./products/visible-product.ts";
import { diffSets, replaceKeys } from "./set-diff.ts";
import { openSpellingUpdates, type SpellingUpdates } from "./spellings.ts";

type MaybeVisible = VisibleProduct | undefined;

/**
 * Updates the words and lists by which products are found, over one batch. A change of the shop's language reindexes every product, because its stems are
 * those of another language.
 */
export const openSearchIndex = (
  { productTexts }: UnitOfWork,
  stored: WritableTables,
  counters: Counters,
  settings: IndexSettingsChange,
) => {
  const { language: previousLanguage } = settings.before;
  const { language } = settings.after;
  const terms = openPostingListUpdates(stored, termKey);
  const memberships = openPostingListUpdates(stored, (listKey) => listKey);
  const spellings = openSpellingUpdates(stored, counters);
  const rules = getLanguage(language);
  const onForm = (stem: string, form: string, exists: boolean): void =>
    spellings.add(form, stem, exists);
  return {
    /** Collects the change of one product; undefined while it is not visible. */
    update(id: number, before: MaybeVisible, after: MaybeVisible): void {
      updateMemberships(memberships, id, before, after);
      if (hasSameTexts(before, after)) return;
      replaceKeys(stored, tables.identifiers, [before, after], (each) => listKeys(id, each));
      if (previousLanguage !== language) return;
      const [previous, current] = [productTexts.original(id), productTexts.get(id)];
      updateTerms(terms, id, toFields(before, previous), toFields(after, current), rules);
    },
    flush(): void {
      memberships.flush();
      terms.flush(onForm);
      if (previousLanguage !== language) reindex(stored, terms, spellings, rules, onForm);
      spellings.flush();
    },
  };
};

/**
 * Whether two versions of a product have the same texts. Events of price and stock change none, and leave the terms
 * alone.
 */
const hasSameTexts = (before: MaybeVisible, after: MaybeVisible): boolean => {
  if (!before || !after) return before === after;
  if (before.text === after.text && !before.variants && !after.variants) return true;
  return (
    before.text.descriptionHash === after.text.descriptionHash &&
    deepEqual(toSearchableFields(before), toSearchableFields(after))
  );
};

/** Adds the description, which only the index reads of it. */
const toFields = (
  visible: MaybeVisible,
  description: string | null = null,
): SearchableFields | undefined => visible && { description, ...toSearchableFields(visible) };

const updateMemberships = (
  lists: PostingListUpdates,
  id: number,
  before: MaybeVisible,
  after: MaybeVisible,
): void => {
  const [removed, added] = diffSets(listMemberships(before), listMemberships(after));
  for (const listKey of removed) lists.add(listKey, id, presencePayload, 0);
  for (const listKey of added) lists.add(listKey, id, 0, presencePayload);
};

const listMemberships = (visible: MaybeVisible): readonly string[] => {
  if (!visible) return [];
  const { text, offer } = visible;
  return [
    ...text.categoryIds.map(categoryKey),
    ...(text.brand === null ? [] : [brandKey(text.brand)]),
    ...(offer.stock.orderable ? [inStockKey] : []),
  ];
};

const listKeys = (id: number, visible: MaybeVisible) =>
  (visible ? listIdentifiers(visible.text, visible.variants?.members ?? []) : []).map(
    ({ code, member }) => [code, id, member] as const,
  );

const noEntries: ReadonlyMap<string, TermEntry> = new Map();

/** Collects only the terms that were added, removed or have another payload. */
const updateTerms = (
  terms: PostingListUpdates,
  id: number,
  before: SearchableFields | undefined,
  after: SearchableFields | undefined,
  rules: Language,
): void => {
  const previous = before ? computeTermEntries(before, rules) : noEntries;
  const current = after ? computeTermEntries(after, rules) : noEntries;
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
    const fields = toFields(readVisibleProduct(stored, id), stored.get(tables.productTexts, id));
    updateTerms(terms, id, undefined, fields, rules);
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

/** Collects the texts by which a search finds a product, without its description. */
const toSearchableFields = ({
  text,
  variants,
}: VisibleProduct): Omit<SearchableFields, "description"> => {
  const { name, brand, reference, gtin, specifications } = text;
  const { tags, highlights, mpn } = text.facts;
  const { index, members = [] } = variants ?? {};
  const labels = [...(tags ?? []), ...(highlights ?? []), ...members.flatMap(toLabels)];
  const optionTexts = (index?.options ?? []).flatMap(([option, , values]) => [option, ...values]);
  const codes = [mpn, ...members.flatMap((each) => [each.sku, each.gtin, each.mpn])];
  return {
    name,
    brand,
    reference,
    gtin,
    specifications,
    labels: [...new Set(labels), ...optionTexts],
    codes: [...new Set(codes.filter((code) => typeof code === "string"))],
  };
};

const toLabels = ({ name, specifications = [] }: VariantMembers): readonly string[] => [
  ...specifications.map(toText),
  ...(name ? [name] : []),
];
