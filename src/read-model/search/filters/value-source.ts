import type { VariantIndex } from "../../schema/documents.ts";
import type { ProductAttributes, TimedPrices } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { forEachBlock, readAllProductIds } from "../doc-values/doc-values-scan.ts";
import { stepAt } from "../doc-values/price-column.ts";
import { type DocIds, toDocIds } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import { idSource, type PostingSource } from "../postings/posting-source.ts";
import type { SearchView } from "../query/search-context.ts";
import { readEntries } from "./value-entries.ts";
import {
  concernsVariants,
  matchProduct,
  type ProductValues,
  selectVariantFilter,
  type ValueFilter,
} from "./value-filter.ts";
import { readVariantIndex } from "./variant-choices.ts";
import { isWithin, matchVariants, type VariantFilter } from "./variant-match.ts";

/**
 * Matches products by prices, options and facts at an instant. Its count is infinite, so that it is read after all other sources,
 * because it tests each product.
 */
export const valueSource = (
  stored: ReadTables,
  filter: ValueFilter,
  view: SearchView,
): PostingSource => {
  const meets = createTest(stored, filter, view);
  return testSource(stored, (ids) => testProducts(stored, filter, ids, meets));
};

/** Matches the products that pass a test. @param test gives the presence payload of each id that matches, else 0 */
export const testSource = (
  stored: ReadTables,
  test: (ids: DocIds) => Uint32Array,
): PostingSource => ({
  count: Number.POSITIVE_INFINITY,
  all() {
    const ids = toDocIds(readAllProductIds(stored));
    const matches = test(ids);
    return idSource([...ids].filter((_, at) => matches[at] === presencePayload)).all();
  },
  at: test,
});

type ProductTest = (id: number, values: ProductValues) => boolean;

/** @returns the presence payload of each id that matches, else 0 */
const testProducts = (
  stored: ReadTables,
  filter: ValueFilter,
  ids: DocIds,
  meets: ProductTest,
): Uint32Array => {
  const payloads = new Uint32Array(ids.length);
  const attributes = needsAttributes(filter)
    ? readEntries(stored, tables.attributeValues, ({ id }) => id, ids)
    : noEntries;
  const range = isPriceOnly(filter) ? filter.variant.prices : undefined;
  forEachBlock(stored, ids, (block, { rows, idIndexes }) => {
    const { amounts, timed } = block.prices();
    for (let index = 0; index < rows.length; index += 1) {
      const [row, at] = [rows[index] as number, idIndexes[index] as number];
      const [id, amount, offer] = [ids[at] as number, amounts[row] as number, timed.get(row)];
      const price = Number.isNaN(amount) ? null : amount;
      const isMet =
        range && !offer
          ? isWithin(price, range)
          : meets(id, { facts: attributes.get(id), offer, price });
      if (isMet) payloads[at] = presencePayload;
    }
  });
  return payloads;
};

const isPriceOnly = (filter: ValueFilter): boolean =>
  !needsAttributes(filter) && !filter.variant.onSale && !filter.variant.stockStatuses;

/** Creates a test of a product, alone or with one of its variants. */
const createTest = (stored: ReadTables, filter: ValueFilter, view: SearchView): ProductTest => {
  return (id, values) => {
    const verdict = matchProduct(filter, values, view.instant);
    if (!verdict?.variant) return verdict !== undefined && hasStatus(stored, id, filter);
    const matches = readMatches(stored, id, verdict.variant, view);
    return matches ? matches.length > 0 : meetsAlone(filter, values.offer, view);
  };
};

/**
 * Reads the ids of the variants of a product that meet a filter, in the order of the shop.
 * @returns undefined when the filter says nothing of variants
 */
export const readMatchingVariants = (
  stored: ReadTables,
  id: number,
  filter: ValueFilter,
  view: SearchView,
  index?: VariantIndex,
): readonly number[] | undefined => {
  const ids = toDocIds([id]);
  const facts = needsAttributes(filter)
    ? readEntries(stored, tables.attributeValues, (entry) => entry.id, ids).get(id)
    : undefined;
  const variant = selectVariantFilter(filter, facts);
  if (!variant) return [];
  if (!concernsVariants(filter, variant)) return undefined;
  return readMatches(stored, id, variant, view, index) ?? [];
};

/** Tests a product whose variants are all inactive: it has a price of its own, no options, and is out of stock. */
const meetsAlone = (
  { variant }: ValueFilter,
  offer: TimedPrices | undefined,
  view: SearchView,
): boolean => {
  const step = offer && stepAt(offer.steps, view.instant);
  if (variant.options.length > 0 || variant.inStockOnly) return false;
  if (variant.onSale && step?.[3] !== true) return false;
  if (variant.prices && !isWithin(step?.[1] ?? null, variant.prices)) return false;
  return !variant.stockStatuses || variant.stockStatuses.has("out_of_stock");
};

const needsAttributes = ({ variant, attributes, minRating }: ValueFilter): boolean =>
  variant.options.length + attributes.length > 0 || minRating !== undefined;

const noEntries: ReadonlyMap<number, ProductAttributes> = new Map();

/** Reads the ids of the variants that meet a filter. @returns undefined for a product without active variants */
const readMatches = (
  stored: ReadTables,
  id: number,
  filter: VariantFilter,
  view: SearchView,
  index = readVariantIndex(stored, id),
): readonly number[] | undefined =>
  index && matchVariants(index, filter, view).map(([variant]) => variant);

/** Whether a product without active variants is in one of the states of stock. */
const hasStatus = (
  stored: ReadTables,
  id: number,
  { variant: { stockStatuses } }: ValueFilter,
): boolean => {
  if (!stockStatuses) return true;
  const status = stored.get(tables.offers, id)?.stock.status;
  return status !== undefined && stockStatuses.has(status);
};
