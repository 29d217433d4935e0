import type { ProductAttributes } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import type { DocValuesBlock } from "../doc-values/doc-values-block.ts";
import { forEachBlock, readAllProductIds } from "../doc-values/doc-values-scan.ts";
import { decodeVariants } from "../doc-values/variant-column.ts";
import type { DocIds } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import { idSource, type PostingSource } from "../postings/posting-source.ts";
import type { SearchView } from "../query/search-context.ts";
import { createProductTest, type ProductValues } from "./product-match.ts";
import { readEntries } from "./value-entries.ts";
import type { ValueFilter } from "./value-filter.ts";
import { isWithin } from "./variant-match.ts";

/**
 * Matches products by prices, options and facts at an instant. Its count is infinite, so that it is read after all other sources,
 * because it tests each product.
 */
export const valueSource = (
  stored: ReadTables,
  filter: ValueFilter,
  { instant }: SearchView,
): PostingSource => {
  const isMet = createProductTest(filter, instant);
  const range = isPriceOnly(filter) ? filter.variant.prices : undefined;
  return testSource(stored, (ids) => {
    const payloads = new Uint32Array(ids.length);
    const attributes = needsAttributes(filter) ? readAttributes(stored, ids) : noAttributes;
    forEachProduct(stored, ids, attributes, (values, at) => {
      const { offer, price } = values;
      if (range && !offer ? isWithin(price, range) : isMet(values)) payloads[at] = presencePayload;
    });
    return payloads;
  });
};

/** Matches the products that pass a test. @param test gives the presence payload of each id that matches, else 0 */
export const testSource = (
  stored: ReadTables,
  test: (ids: DocIds) => Uint32Array,
): PostingSource => ({
  count: Number.POSITIVE_INFINITY,
  all() {
    const ids = readAllProductIds(stored);
    const matches = test(ids);
    return idSource([...ids].filter((_, at) => matches[at] === presencePayload)).all();
  },
  at: test,
});

const isPriceOnly = (filter: ValueFilter): boolean =>
  !needsAttributes(filter) &&
  filter.minRating === undefined &&
  filter.variant.statuses === undefined &&
  !filter.variant.onSale;

const needsAttributes = ({ variant: { options, attributes } }: ValueFilter): boolean =>
  options.length + attributes.length > 0;

/**
 * Visits what filters read of visible products.
 * @param ids ascending
 * @param visit reads no table, because that invalidates the block
 */
export const forEachProduct = (
  stored: ReadTables,
  ids: DocIds,
  attributes: ReadonlyMap<number, ProductAttributes>,
  visit: (values: ProductValues, at: number) => void,
): void => {
  forEachBlock(stored, ids, (block, { rows, idIndexes }) => {
    const readValues = openValues(block, attributes);
    for (const [index, row] of rows.entries()) visit(readValues(row), idIndexes[index] as number);
  });
};

const noAttributes: ReadonlyMap<number, ProductAttributes> = new Map();

export const readAttributes = (
  stored: ReadTables,
  ids: DocIds,
): ReadonlyMap<number, ProductAttributes> =>
  readEntries(stored, tables.attributeValues, ({ id }) => id, ids);

const openValues = (
  block: DocValuesBlock,
  attributes: ReadonlyMap<number, ProductAttributes>,
): ((row: number) => ProductValues) => {
  const { amounts, timed } = block.prices();
  const [statuses, variants, ratings] = [block.statuses(), block.variants(), block.ratings()];
  return (row) => {
    const [id, amount] = [block.ids[row] as number, amounts[row] as number];
    return {
      id,
      facts: attributes.get(id),
      offer: timed.get(row),
      price: Number.isNaN(amount) ? null : amount,
      statuses: statuses[row] as number,
      stars: ratings.stars[row] as number,
      variants: () => decodeVariants(variants, row),
    };
  };
};
