import { findOption } from "../../../offers/option-selection.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import type { SearchRequest } from "../../schema/queries.ts";
import type { ReadTables } from "../../store/store.ts";
import { openFacts, toOptionFacts } from "../doc-values/attribute-scan.ts";
import { idOf } from "../doc-values/variant-column.ts";
import { type DocIds, toDocIds } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { SearchContext, SearchView } from "../query/search-context.ts";
import { createNaming, type NamedTest } from "./named-variants.ts";
import { createProductTest, type ProductValues, variantsOf } from "./product-match.ts";
import {
  concernsVariants,
  mayNameVariants,
  toValueFilter,
  toVariantFilter,
  type ValueFilter,
} from "./value-filter.ts";
import { forEachProduct, testSource, valueSource } from "./value-source.ts";
import { createVariantTest } from "./variant-match.ts";

/** A product with its options, which have the values of active variants. */
interface WithOptions {
  readonly id: number;
  readonly options: readonly OptionValues[];
}

/**
 * Finds the variants of products that a query is about: those that meet its filters, have the code or the address that it looks up,
 * and have the values of options that its words name.
 * @returns ids in the order of the shop, by product; no entry where the query says nothing of variants
 */
export const findMatchedVariants = (
  stored: ReadTables,
  products: readonly WithOptions[],
  query: SearchRequest,
  view: SearchView,
): ReadonlyMap<number, readonly number[]> => {
  if (!mayNameVariants(query) && !toVariantFilter(query, false)) return new Map();
  const ids = toDocIds(products.map(({ id }) => id).sort((a, b) => a - b));
  const optionsById = new Map(products.map(({ id, options }) => [id, options]));
  const findFacts = products.every(({ options }) => needsOnlyOptions(query, options))
    ? (id: number) => toOptionFacts(id, optionsById.get(id) ?? [])
    : openFacts(stored, ids);
  const match = createMatch(stored, ids, query, view);
  const matched = new Map<number, readonly number[]>();
  forEachProduct({ stored, ids, findFacts, instant: view.instant }, (product) => {
    const variants = match(product).variants();
    if (variants) matched.set(product.id, variants);
  });
  return matched;
};

/** Whether the options of a product decide, because no filter names an attribute. */
const needsOnlyOptions = (
  { options = [], attributes = [], condition }: SearchRequest,
  own: readonly OptionValues[],
): boolean =>
  attributes.length === 0 &&
  condition === undefined &&
  options.every(({ name }) => findOption(own, name) !== undefined);

/**
 * Matches products by the filters of a query that may name variants. Of a product of which it names some, one of these has to meet them.
 * @returns undefined when every product meets the filters
 */
export const namedVariantSource = (
  context: SearchContext,
  query: SearchRequest,
): PostingSource | undefined => {
  const { stored, instant } = context;
  const filter = toValueFilter(query);
  const unnamed = toVariantFilter(query, false);
  if (!unnamed) return filter && valueSource(context, filter);
  const isMet = filter ? createProductTest(filter) : () => true;
  // A price is filtered with regard to names before, so that products without names are tested again.
  const isMetUnnamed = unnamed.variant.prices ? createProductTest(unnamed) : () => true;
  return testSource(context, (ids) => {
    const payloads = new Uint32Array(ids.length);
    const match = createMatch(stored, ids, query, context);
    forEachProduct({ stored, ids, findFacts: openFacts(stored, ids), instant }, (product, at) => {
      if (!isMet(product)) return;
      const { isNamed, variants } = match(product);
      if (isNamed ? variants()?.length !== 0 : isMetUnnamed(product))
        payloads[at] = presencePayload;
    });
    return payloads;
  });
};

/** What a query says of the variants of a product. */
interface NamedMatch {
  /** Whether words, a code or an address name variants. */
  readonly isNamed: boolean;
  /** Ids; undefined where the query says nothing of variants. */
  variants(): readonly number[] | undefined;
}

/** Creates a function that finds the variants of each of some products that a query is about. It reads no table. */
const createMatch = (
  stored: ReadTables,
  ids: DocIds,
  query: SearchRequest,
  view: SearchView,
): ((product: ProductValues) => NamedMatch) => {
  const nameVariants = createNaming(stored, ids, query, view);
  const [named, unnamed] = [toVariantFilter(query, true), toVariantFilter(query, false)];
  return (product) => {
    const tests = nameVariants(product);
    const isNamed = tests.length > 0;
    const filter = isNamed ? named : unnamed;
    return { isNamed, variants: () => findMatchingVariants(filter, tests, product) };
  };
};

/**
 * Finds the variants of a product that meet a filter and all tests.
 * @returns ids in the order of the shop; undefined when neither says anything of variants
 */
const findMatchingVariants = (
  filter: ValueFilter | undefined,
  tests: readonly NamedTest[],
  product: ProductValues,
): readonly number[] | undefined => {
  const selected = filter?.select(product.facts);
  if (filter && !selected) return [];
  const isFiltered = filter && selected && concernsVariants(filter.variant, selected.attributes);
  if (!isFiltered && tests.length === 0) return undefined;
  const variants = variantsOf(product);
  if (!variants) return [];
  const isMet = isFiltered ? createVariantTest(variants, product.facts, selected) : () => true;
  const ids: number[] = [];
  for (let at = 0; at < variants.count; at += 1) {
    if (isMet(at) && tests.every((test) => test(variants, at))) ids.push(idOf(variants, at));
  }
  return ids;
};
