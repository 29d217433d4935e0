import { latestOf } from "../../events/time.ts";
import { readListDate, readListMembers } from "../../read-model/reader/list-dates.ts";
import { readDates } from "../../read-model/reader/product-json.ts";
import {
  type CategoryDocument,
  categoryPageSize,
  type ListedCategory,
  type OfferRow,
} from "../../read-model/schema/documents.ts";
import { idUpperBound, type PageRecord, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Counters } from "./derivation.ts";
import { updatePageIndex } from "./page-index.ts";
import { putOrRemove } from "./set-diff.ts";

/**
 * Gets the parent of a category.
 * @returns undefined when the category is not in the tree
 */
type ParentOf = (id: number) => number | null | undefined;

/** A change of a visible product's offer, and of nothing else of it. */
export interface OfferChange {
  readonly id: number;
  readonly before: OfferRow;
  readonly after: OfferRow;
}

/** Categories whose page may have changed by their products. */
export interface TouchedCategories {
  /** Dated from all products of their page, as are their parents. */
  readonly changed: ReadonlySet<number>;
  /** Dated from these changes alone, by the category that lists the product; its parents have the same dates. */
  readonly offers: OfferChanges;
}

type OfferChanges = ReadonlyMap<number, readonly OfferChange[]>;

/** Collects changes of offers by category. */
export const collectOfferChanges = () => {
  const byCategory = new Map<number, OfferChange[]>();
  return {
    /** Adds a change. Call it by ascending id of the products: after as many as a page has, none is on the first page. */
    add(category: number, change: OfferChange): void {
      const changes = byCategory.get(category) ?? [];
      if (changes.length < categoryPageSize) changes.push(change);
      byCategory.set(category, changes);
    },
    all: (): OfferChanges => byCategory,
  };
};

/**
 * Updates the page dates of some categories and of the parents of `changed`. A parent's page shows how many products
 * each child holds.
 */
export const updateCategoryDates = (
  stored: WritableTables,
  counters: Counters,
  { changed, offers }: TouchedCategories,
): void => {
  const parentOf: ParentOf = (id) => stored.get(tables.categories, id)?.parentId;
  const update = (id: number, build: (before: CategoryDocument) => CategoryDocument): void => {
    const before = stored.get(tables.categories, id);
    if (before) updateCategory(stored, counters, before, build(before));
  };
  const build = (before: CategoryDocument) => buildDocument(stored, before, parentOf);
  const rebuilt = withParents(changed, parentOf);
  for (const id of rebuilt) update(id, build);
  for (const [id, changes] of offers)
    if (!rebuilt.has(id))
      update(id, (before) => dateByOffers(stored, before, changes) ?? build(before));
};

/**
 * Dates a document by changes of offers alone, so that a price does not cost a read of every product on the page.
 * @returns undefined when the other products decide: the newest offer may have gone back, or prices change without an event
 */
const dateByOffers = (
  stored: WritableTables,
  document: CategoryDocument,
  changes: readonly OfferChange[],
): CategoryDocument | undefined => {
  const onPage = new Set(listedProducts(stored, document.id, changes.at(-1)?.id));
  const listed = changes.filter(({ id }) => onPage.has(id));
  const offers = listed.flatMap(({ before, after }) => [before, after]);
  if (offers.some(({ periods }) => periods.length > 1)) return undefined;
  const newest = Date.parse(document.lastmod);
  const latest = latestOf(listed.map(({ after }) => after.shownAt));
  if (latest >= newest) return { ...document, lastmod: new Date(latest).toISOString() };
  return listed.some(({ before }) => before.shownAt >= newest) ? undefined : document;
};

/** Yields the products on the first page of a category by id, up to `last`. */
function* listedProducts(
  stored: WritableTables,
  id: number,
  last = idUpperBound - 1,
): Generator<number> {
  const range = { start: [id, 0], end: [id, last + 1], limit: categoryPageSize } as const;
  for (const [, product] of stored.keys(tables.categoryProducts, range)) yield product;
}

/**
 * Stores the documents of a new tree.
 * @param changed categories whose page may have another date; new categories are always dated
 */
export const updateCategoryTree = (
  stored: WritableTables,
  counters: Counters,
  before: ReadonlyMap<number, CategoryDocument>,
  tree: ReadonlyMap<number, ListedCategory>,
  changed: ReadonlySet<number>,
): void => {
  const parentOf: ParentOf = (id) => tree.get(id)?.parentId;
  const datedIds = withParents(new Set([...changed, ...movedParents(before, tree)]), parentOf);
  for (const previous of before.values()) {
    if (!tree.has(previous.id)) updateCategory(stored, counters, previous, undefined);
  }
  for (const [id, member] of tree) {
    const previous = before.get(id);
    const document =
      previous && !datedIds.has(id)
        ? { ...previous, ...member }
        : buildDocument(stored, member, parentOf);
    updateCategory(stored, counters, previous, document);
  }
};

/**
 * Yields the old and new parents of categories that were added, removed or moved. Such a change need not have a date
 * in any list.
 */
function* movedParents(
  before: ReadonlyMap<number, ListedCategory>,
  tree: ReadonlyMap<number, ListedCategory>,
): Generator<number> {
  for (const id of new Set([...before.keys(), ...tree.keys()])) {
    const [previous, current] = [before.get(id), tree.get(id)];
    if (previous?.parentId === current?.parentId) continue;
    for (const parent of [previous?.parentId, current?.parentId]) if (parent != null) yield parent;
  }
}

const withParents = (ids: ReadonlySet<number>, parentOf: ParentOf): ReadonlySet<number> =>
  new Set([...ids, ...[...ids].flatMap((id) => parentOf(id) ?? [])]);

const buildDocument = (
  stored: WritableTables,
  { id, name, url, parentId, depth }: ListedCategory,
  parentOf: ParentOf,
): CategoryDocument => {
  const { newest, changesAt } = computeCategoryDates(stored, id, parentOf);
  const document = { id, name, url, parentId, depth, lastmod: new Date(newest).toISOString() };
  return changesAt.length > 0 ? { ...document, changesAt } : document;
};

const updateCategory = (
  stored: WritableTables,
  counters: Counters,
  before: CategoryDocument | undefined,
  after: CategoryDocument | undefined,
): void => {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const id = before?.id ?? after?.id;
  if (id === undefined) return;
  putOrRemove(stored, tables.categories, id, after);
  updatePageIndex(stored, counters, "category", id, [before, after], toPageRecord);
};

const toPageRecord = (document: CategoryDocument | undefined): PageRecord | undefined => {
  if (!document) return undefined;
  const { url, lastmod, changesAt } = document;
  return { url, lastmod, ...(changesAt && { changesAt }) };
};

/**
 * Computes when the page of a category last changed, in milliseconds since 1970: by events of the category and its
 * ancestors, of the categories it lists and how many products they hold, of products added or removed, and of the
 * products on its first page, whose prices may also change without an event.
 */
const computeCategoryDates = (stored: WritableTables, id: number, parentOf: ParentOf) => {
  const changesAt = new Set<number>();
  let newest = stored.get(tables.categoryTimes, id)?.page ?? 0;
  newest = Math.max(newest, readListDate(stored, "products", id));
  for (const [child, time] of readListMembers(stored, "children", id)) {
    newest = Math.max(newest, time);
    if (parentOf(child) === id) newest = Math.max(newest, readListDate(stored, "products", child));
  }
  for (const product of listedProducts(stored, id)) {
    const json = stored.rawJson(tables.products, product);
    const offer = stored.get(tables.offers, product);
    newest = Math.max(newest, json ? readDates(json).shownAt : 0, offer?.shownAt ?? 0);
    for (const { from } of offer?.periods.slice(1) ?? []) changesAt.add(from);
  }
  return { newest, changesAt: [...changesAt].sort((a, b) => a - b) };
};
