import { toGoodsPolicy } from "../../../offers/policy.ts";
import { noStock, stockAt } from "../../../offers/stock.ts";
import type { FactValues, OfferValues, VariantIndex } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import { variantKey } from "../../schema/variant-key.ts";
import type { ReadTables } from "../../store/store.ts";
import { forEachBlock, readAllProductIds } from "../doc-values/doc-values-scan.ts";
import { type DocIds, toDocIds } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import { idSource, type PostingSource } from "../postings/posting-source.ts";
import {
  concernsVariants,
  type GoodsFilter,
  type GoodsValues,
  judgeProduct,
  selectVariantFilter,
} from "./goods-filter.ts";
import { priceSource } from "./price-source.ts";
import { readEntries } from "./value-entries.ts";
import { isWithin, matchVariants, stepAt, type VariantFilter } from "./variant-match.ts";

/**
 * Matches products by prices, options and facts at an instant. Its count is infinite, so that it is read after all other sources,
 * because it tests each product.
 */
export const goodsSource = (
  stored: ReadTables,
  filter: GoodsFilter,
  instant: number,
): PostingSource => {
  const { prices } = filter.variant;
  const meets = createTest(stored, filter, instant);
  if (prices && isPriceOnly(filter)) {
    return priceSource(stored, prices, (offer) =>
      meets(offer[0], { facts: undefined, offer, price: null }),
    );
  }
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

const isPriceOnly = (filter: GoodsFilter): boolean =>
  !needsFacts(filter) && !filter.variant.onSale && !filter.stockStatuses;

type ProductTest = (id: number, values: GoodsValues) => boolean;

/** @returns the presence payload of each id that matches, else 0 */
const testProducts = (
  stored: ReadTables,
  filter: GoodsFilter,
  ids: DocIds,
  meets: ProductTest,
): Uint32Array => {
  const payloads = new Uint32Array(ids.length);
  const prices = filter.variant.prices ? readPrices(stored, ids) : undefined;
  const matches = createProductTest(stored, filter, ids, meets);
  for (let at = 0; at < ids.length; at += 1) {
    if (matches(ids[at] as number, prices?.[at] ?? Number.NaN)) payloads[at] = presencePayload;
  }
  return payloads;
};

/** Creates a test of products. The price is that of a product with a price alone, NaN for the others. */
const createProductTest = (
  stored: ReadTables,
  filter: GoodsFilter,
  ids: DocIds,
  meets: ProductTest,
): ((id: number, price: number) => boolean) => {
  const offers = readEntries(stored, tables.offerValues, ([id]) => id, ids);
  const facts = needsFacts(filter)
    ? readEntries(stored, tables.factValues, ({ id }) => id, ids)
    : noEntries;
  return (id, price) =>
    meets(id, {
      facts: facts.get(id),
      offer: offers.get(id),
      price: Number.isNaN(price) ? null : price,
    });
};

/** Creates a test of a product, alone or with one of its variants. */
const createTest = (stored: ReadTables, filter: GoodsFilter, instant: number): ProductTest => {
  const hasStatus = createStatusTest(stored, filter, instant);
  return (id, values) => {
    const verdict = judgeProduct(filter, values, instant);
    if (!verdict?.variant) return verdict !== undefined && hasStatus(id, undefined);
    const matches = readMatches(stored, id, verdict.variant, instant);
    if (!matches) return meetsAlone(filter, values.offer, instant);
    return matches.some((variant) => hasStatus(id, variant));
  };
};

/**
 * Reads the ids of the variants of a product that meet a filter, in the order of the shop.
 * @returns undefined when the filter says nothing of variants
 */
export const readMatchingVariants = (
  stored: ReadTables,
  id: number,
  filter: GoodsFilter,
  instant: number,
  index?: VariantIndex,
): readonly number[] | undefined => {
  const ids = toDocIds([id]);
  const facts = needsFacts(filter)
    ? readEntries(stored, tables.factValues, (entry) => entry.id, ids).get(id)
    : undefined;
  const variant = selectVariantFilter(filter, facts);
  if (!variant) return [];
  if (!concernsVariants(filter, variant)) return undefined;
  const hasStatus = createStatusTest(stored, filter, instant);
  const matches = readMatches(stored, id, variant, instant, index) ?? [];
  return matches.filter((each) => hasStatus(id, each));
};

/** Tests a product whose variants are all inactive: it has a price of its own, no options, and is out of stock. */
const meetsAlone = (
  { variant, stockStatuses }: GoodsFilter,
  offer: OfferValues | undefined,
  instant: number,
): boolean => {
  const step = offer && stepAt(offer[3], instant);
  if (variant.options.length > 0 || variant.inStockOnly) return false;
  if (variant.onSale && step?.[3] !== true) return false;
  if (variant.prices && !isWithin(step?.[1] ?? null, variant.prices)) return false;
  return !stockStatuses || stockStatuses.has("out_of_stock");
};

const needsFacts = ({ variant, attributes, minRating }: GoodsFilter): boolean =>
  variant.options.length + attributes.length > 0 || minRating !== undefined;

const noEntries: ReadonlyMap<number, FactValues> = new Map();

/** Reads the prices of products with a price alone; NaN for the others. */
const readPrices = (stored: ReadTables, ids: DocIds): Float64Array => {
  const prices = new Float64Array(ids.length).fill(Number.NaN);
  forEachBlock(stored, ids, (block, { rows, idIndexes }) => {
    const column = block.prices();
    for (const [index, row] of rows.entries()) {
      prices[idIndexes[index] as number] = column[row] as number;
    }
  });
  return prices;
};

/** Reads the ids of the variants that meet a filter. @returns undefined for a product without active variants */
const readMatches = (
  stored: ReadTables,
  id: number,
  filter: VariantFilter,
  instant: number,
  index = stored.get(tables.variantIndexes, id),
): readonly number[] | undefined => {
  if (!index) return undefined;
  const bits = stored.get(tables.variantStocks, id);
  return matchVariants(index, bits, filter, instant).map(([variant]) => variant);
};

/** Creates a test of the state of stock of a product, or of one of its variants. */
const createStatusTest = (
  stored: ReadTables,
  { stockStatuses }: GoodsFilter,
  instant: number,
): ((id: number, variant: number | undefined) => boolean) => {
  if (!stockStatuses) return () => true;
  const policy = toGoodsPolicy(stored.get(tables.settings, "settings")?.content?.goods);
  return (id, variant) => {
    const own =
      variant === undefined ? undefined : stored.get(tables.stocks, variantKey(id, variant));
    const row = own ?? stored.get(tables.stocks, id);
    const stock = row?.content ? { ...row.content, quantity: row.quantity } : noStock;
    return stockStatuses.has(stockAt(stock, policy, instant).status);
  };
};
