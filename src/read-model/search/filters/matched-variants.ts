import { findOption } from "../../../offers/option-selection.ts";
import { memoize, memoizeLast } from "../../../platform/memo.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import { storedQueries, stripTracking } from "../../../text/tracking-parameters.ts";
import type { VariantMembers } from "../../schema/documents.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import type { SearchRequest } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import type { AttributeBlock } from "../doc-values/attribute-block.ts";
import { openFacts, optionsOf, toOptionFacts } from "../doc-values/attribute-scan.ts";
import { idOf, type VariantsAt } from "../doc-values/variant-column.ts";
import { containsId, type DocIds, toDocIds } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { SearchView } from "../query/search-context.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";
import { getLanguage, type Language } from "../text/language.ts";
import { findNamedValues, readQuery } from "./named-values.ts";
import { createProductTest, type ProductValues } from "./product-match.ts";
import { findByIdentifier } from "./products-by-identifier.ts";
import {
  concernsVariants,
  toValueFilter,
  toVariantFilter,
  type ValueFilter,
} from "./value-filter.ts";
import { forEachProduct, testSource, valueSource } from "./value-source.ts";
import { createVariantTest, hasValues, type WantedValues } from "./variant-match.ts";

/**
 * Finds the variants of a product that a query is about: those that meet its filters, have the code or the address that it looks up,
 * and have the values of options that its words name.
 * @param options those of the product, with the values that active variants have
 * @returns ids in the order of the shop; undefined where the query says nothing of variants
 */
export const findMatchedVariants = (
  stored: ReadTables,
  id: number,
  query: SearchRequest,
  view: SearchView,
  options: readonly OptionValues[],
): readonly number[] | undefined => {
  let matched: readonly number[] | undefined;
  const ids = toDocIds([id]);
  const match = createMatch(stored, ids, query, view);
  const findFacts = needsOnlyOptions(query, options)
    ? () => toOptionFacts(id, options)
    : openFacts(stored, ids);
  forEachProduct({ stored, ids, findFacts, instant: view.instant }, (product) => {
    matched = match(product).variants();
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
  stored: ReadTables,
  query: SearchRequest,
  view: SearchView,
): PostingSource | undefined => {
  const { instant } = view;
  const filter = toValueFilter(query);
  const unnamed = toVariantFilter(query, false);
  if (!unnamed) return filter && valueSource(stored, filter, view);
  const isMet = filter ? createProductTest(filter, instant) : () => true;
  // A price is filtered with regard to names before, so that products without names are tested again.
  const isMetUnnamed = unnamed.variant.prices ? createProductTest(unnamed, instant) : () => true;
  return testSource(stored, (ids) => {
    const payloads = new Uint32Array(ids.length);
    const match = createMatch(stored, ids, query, view);
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

/** Tests the variant at an index. */
type NamedTest = (variants: VariantsAt, at: number) => boolean;

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
  const variants = product.variants();
  if (!variants) return [];
  const isMet = isFiltered ? createVariantTest(variants, product.facts, selected) : () => true;
  const ids: number[] = [];
  for (let at = 0; at < variants.count; at += 1) {
    if (isMet(at) && tests.every((test) => test(variants, at))) ids.push(idOf(variants, at));
  }
  return ids;
};

/**
 * Reads a query once for some products.
 * @returns a function that creates the tests of what it names of one of them: codes, an address, and values
 */
const createNaming = (
  stored: ReadTables,
  ids: DocIds,
  query: SearchRequest,
  view: SearchView,
): ((product: ProductValues) => readonly NamedTest[]) => {
  const language = getLanguage(view.language);
  const words = query.query ? readQuery(query.query, language) : undefined;
  const testsOfIds = createCodeTests(stored, ids, query);
  // Once for all products of a block with the same options.
  const nameOptions = memoizeLast((_: AttributeBlock | undefined) =>
    memoize(
      (options: readonly OptionValues[]) => (words ? wordTests(options, words, language) : []),
      (options) => options,
    ),
  );
  return ({ id, facts }) => {
    const [codeTests, values] = [testsOfIds.get(id), nameOptions(facts?.block)(optionsOf(facts))];
    return codeTests ? [...codeTests, ...values] : values;
  };
};

/** Creates the tests for the codes and the address that a query looks up, by the products that have them. */
const createCodeTests = (
  stored: ReadTables,
  ids: DocIds,
  query: SearchRequest,
): ReadonlyMap<number, readonly NamedTest[]> => {
  const tests = new Map<number, NamedTest[]>();
  const add = (id: number, test: NamedTest | undefined): void => {
    if (test) tests.set(id, [...(tests.get(id) ?? []), test]);
  };
  for (const code of readCodes(stored, query)) {
    for (const id of code.products) if (containsId(ids, id)) add(id, codeTest(stored, id, code));
  }
  if (query.url !== undefined) for (const id of ids) add(id, addressTest(stored, id, query.url));
  return tests;
};

type LookedUpCode = ReturnType<typeof readCodes>[number];

/** Reads the codes that a query looks up, with the products that have them. */
const readCodes = (stored: ReadTables, { reference, gtin, mpn, query }: SearchRequest) =>
  (
    [
      [reference, ["sku"]],
      [gtin, ["gtin"]],
      [mpn, ["mpn"]],
      [query, ["sku", "gtin", "mpn"]],
    ] as const
  ).map(([text = "", members]) => ({
    ...{ code: normaliseIdentifier(text), members },
    products: new Set(findByIdentifier(stored, text)),
  }));

/** Tests for a code that a variant has. A code that only the product has selects no variant. */
const codeTest = (
  stored: ReadTables,
  id: number,
  { code, members }: LookedUpCode,
): NamedTest | undefined =>
  testDocuments(stored, id, (variant) =>
    members.some(
      (member: "sku" | "gtin" | "mpn") => normaliseIdentifier(variant[member] ?? "") === code,
    ),
  );

/** Tests what the documents of the variants state; undefined where it is true of none. */
const testDocuments = (
  stored: ReadTables,
  product: number,
  isMet: (variant: VariantMembers) => boolean,
): NamedTest | undefined => {
  const met = new Set<number>();
  const { index, members = [] } = stored.get(tables.variants, product) ?? {};
  for (const [at, variant] of members.entries()) {
    if (isMet(variant)) met.add(index?.entries[at]?.[0] ?? 0);
  }
  return met.size > 0 ? (variants, at) => met.has(idOf(variants, at)) : undefined;
};

/** Tests for the address of a variant; undefined where it is that of the product. */
const addressTest = (stored: ReadTables, id: number, url: string): NamedTest | undefined => {
  const page = stored.get(tables.products, id)?.url;
  const requested = page === undefined ? undefined : parseUrl(url, page);
  if (!requested || page === undefined) return undefined;
  for (const query of storedQueries(requested.search)) {
    const test = testDocuments(stored, id, (variant) => {
      const own = variant.url === undefined ? undefined : parseUrl(variant.url, page);
      const isPage = own !== undefined && toPath(own) === toPath(requested);
      return isPage && [own.search, stripTracking(own.search)].includes(query);
    });
    if (test) return test;
  }
  return undefined;
};

/** A suffix `.md` and a slash at the end make no difference. */
const toPath = ({ pathname }: URL): string => pathname.replace(/(?:\.md|\/)$/, "");

/** Tests for the values of options that words name: none where they name none. */
const wordTests = (
  options: readonly OptionValues[],
  words: ReadonlySet<string>,
  language: Language,
): readonly NamedTest[] => {
  const named = findNamedValues(options, words, language);
  if (named.size === 0) return [];
  const wanted = options.flatMap(([name, , values], option): WantedValues => {
    const own = named.get(name);
    return own ? [[option, new Set([...own].map((value) => values.indexOf(value)))]] : [];
  });
  return [(variants, at) => hasValues(variants, at, wanted)];
};
