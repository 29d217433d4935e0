import { isEqual } from "../../../projections/field-group.ts";
import { deriveProduct } from "../../../projections/product-document.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import type { CoreRow } from "../../read-model/schema/rows.ts";
import { pastEveryId, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Batch } from "../batch/unit-of-work.ts";
import type { Counters } from "./counters.ts";
import { indexSettingsOf } from "./index-settings.ts";
import { datesOfProduct, replaceDates } from "./list-dates.ts";
import { tellPage } from "./page-index.ts";
import { openSearchIndex } from "./search-index.ts";
import { replaceMembers, setMember } from "./set-diff.ts";
import { keepOrders, reorderNames, reorderPrices } from "./sort-indexes.ts";
import type { Visible as Kept } from "./visible-product.ts";

type Visible = ProductDocument | undefined;

/**
 * The documents of every product a batch touched, and all that is derived from them.
 * @param renamed categories that pages of their products name otherwise now
 * @returns categories whose page may have changed by their products
 */
export const deriveProducts = (
  batch: Batch,
  stored: WritableTables,
  counters: Counters,
  renamed: ReadonlySet<number>,
): ReadonlySet<number> => {
  const settings = indexSettingsOf(batch);
  const search = openSearchIndex(stored, counters, settings);
  const counts = new Map<number, number>();
  const namedAt = namedTimes(stored);
  const changed = new Set<number>();
  // In the order of keys, so that the store's pages are visited once each.
  const touched = new Set([...touchedProducts(batch), ...productsIn(stored, renamed)]);
  for (const id of [...touched].sort((one, other) => one - other)) {
    const before = stored.get(tables.products, id);
    const after = documentOf(batch, id, namedAt);
    for (const category of keepDates(batch, stored, id)) changed.add(category);
    counters.add("orphans", keepOrphan(batch, stored, id));
    if (batch.cores.changed().has(id)) keepCategories(batch, stored, counts, id, before, after);
    search.keep(id, kept(before, batch.cores.before(id)), kept(after, batch.cores.get(id)));
    if (isEqual(before, after)) continue;
    for (const category of batch.cores.get(id)?.group?.content?.categoryIds ?? []) {
      changed.add(category);
    }
    if (after) stored.put(tables.products, id, after);
    else stored.remove(tables.products, id);
    counters.add("products", Number(after !== undefined) - Number(before !== undefined));
    keepInStock(stored, counters, id, before, after);
    keepOrders(stored, id, before, after, settings.before);
    tellPage(stored, counters, "product", id, before, after);
  }
  search.flush();
  for (const [category, grew] of counts) {
    // A product may come or leave by an event that is no newer than its last move there.
    changed.add(category);
    countProducts(stored, counters, category, grew);
  }
  const { before, after } = settings;
  if (before.language !== after.language) reorderNames(stored, after.language);
  if (before.currency !== after.currency) reorderPrices(stored, settings);
  return changed;
};

/** Visible products of some categories. */
function* productsIn(stored: WritableTables, categories: ReadonlySet<number>): Generator<number> {
  for (const category of categories) {
    const range = { start: [category, 0], end: [category, pastEveryId] };
    // The keys are read first: what follows writes to the same environment.
    for (const [, id] of [...stored.keys(tables.categoryProducts, range)]) yield id;
  }
}

/** When the page of a product last changed by the categories that it names. */
const namedTimes = (stored: WritableTables): ((row: CoreRow | undefined) => number) => {
  const known = new Map<number, number>();
  const timeOf = (id: number): number => {
    const time = known.get(id) ?? stored.get(tables.categoryTimes, id)?.named ?? 0;
    known.set(id, time);
    return time;
  };
  return (row) =>
    (row?.group?.content?.categoryIds ?? []).reduce(
      (newest, id) => Math.max(newest, timeOf(id)),
      0,
    );
};

const keepDates = (batch: Batch, stored: WritableTables, id: number): readonly number[] =>
  batch.cores.changed().has(id)
    ? replaceDates(
        stored,
        id,
        datesOfProduct(batch.cores.before(id)),
        datesOfProduct(batch.cores.get(id)),
      )
    : [];

/** Products of which a batch may have changed what is shown. */
export const touchedProducts = (batch: Batch): ReadonlySet<number> => {
  const touched = new Set([...batch.cores.changed(), ...batch.prices.changed()]);
  for (const id of batch.stocks.changed()) if (flipped(batch, id)) touched.add(id);
  return touched;
};

const kept = (product: Visible, core: CoreRow | undefined): Kept | undefined =>
  product && core?.group?.content ? { product, core: core.group.content } : undefined;

/** Most stock events move a quantity only: nothing that is shown follows from them. */
const flipped = (batch: Batch, id: number): boolean => {
  const [before, after] = [batch.stocks.before(id), batch.stocks.get(id)];
  return (
    before?.content?.orderable !== after?.content?.orderable ||
    before?.changedAt !== after?.changedAt
  );
};

const documentOf = (
  batch: Batch,
  id: number,
  namedAt: (row: CoreRow | undefined) => number,
): Visible => {
  const core = batch.cores.get(id);
  return deriveProduct(
    id,
    core,
    batch.prices.get(id),
    batch.stocks.get(id),
    batch.texts.get(id),
    namedAt(core),
  );
};

/** Stock and prices may come before their product: they wait, and are counted. */
const keepOrphan = (batch: Batch, stored: WritableTables, id: number): number => {
  const { cores, stocks, prices } = batch;
  const is = isOrphan(cores.get(id), stocks.get(id), prices.get(id));
  const was = isOrphan(cores.before(id), stocks.before(id), prices.before(id));
  return is === was ? 0 : setMember(stored, tables.orphans, id, is);
};

const isOrphan = (core: CoreRow | undefined, ...told: readonly unknown[]): boolean =>
  core?.group == null && told.some((row) => row !== undefined);

const keepInStock = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  before: Visible,
  after: Visible,
): void => {
  if (before?.availability === after?.availability) return;
  const member = after?.availability === "IN_STOCK";
  counters.add("inStock", setMember(stored, tables.inStock, id, member));
};

const keepCategories = (
  batch: Batch,
  stored: WritableTables,
  counts: Map<number, number>,
  id: number,
  before: Visible,
  after: Visible,
): void => {
  const categoriesOf = (visible: Visible, core: CoreRow | undefined): readonly number[] =>
    (visible && core?.group?.content?.categoryIds) || [];
  const [left, joined] = replaceMembers(
    categoriesOf(before, batch.cores.before(id)),
    categoriesOf(after, batch.cores.get(id)),
  );
  for (const category of left) {
    stored.remove(tables.categoryProducts, [category, id]);
    counts.set(category, (counts.get(category) ?? 0) - 1);
  }
  for (const category of joined) {
    stored.put(tables.categoryProducts, [category, id], true);
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
};

const countProducts = (
  stored: WritableTables,
  counters: Counters,
  category: number,
  grew: number,
): void => {
  if (grew === 0) return;
  const before = stored.get(tables.categoryCounts, category) ?? 0;
  const after = before + grew;
  if (after === 0) stored.remove(tables.categoryCounts, category);
  else stored.put(tables.categoryCounts, category, after);
  const stocked = stored.has(tables.categories, category);
  if (stocked) counters.add("stockedCategories", Number(after > 0) - Number(before > 0));
};
