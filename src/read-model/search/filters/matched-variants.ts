import { findOption } from "../../../offers/option-selection.ts";
import { memoize } from "../../../platform/memo.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import { storedQueries, stripTracking } from "../../../text/tracking-parameters.ts";
import type { VariantEntry, VariantMembers } from "../../schema/documents.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import type { SearchRequest } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { type DocIds, toDocIds } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { SearchView } from "../query/search-context.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";
import { getLanguage, type Language } from "../text/language.ts";
import { findNamedValues, readQuery } from "./named-values.ts";
import { findMatchingVariants, type ProductValues } from "./product-match.ts";
import { findByIdentifier } from "./products-by-identifier.ts";
import { toVariantFilter } from "./value-filter.ts";
import { forEachProduct, readAttributes, testSource, valueSource } from "./value-source.ts";
import { hasValues, type WantedValues } from "./variant-match.ts";
import { noOptions } from "./variant-selection.ts";

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
  let matched: readonly VariantEntry[] | undefined;
  const ids = toDocIds([id]);
  const match = createMatch(stored, ids, query, view);
  const attributes = needsOnlyOptions(query, options)
    ? new Map([[id, { id, options, attributes: [], variantAttributes: [] }]])
    : readAttributes(stored, ids);
  forEachProduct(stored, ids, attributes, (product) => {
    matched = match(product).entries;
  });
  return matched?.map(([variant]) => variant);
};

/** Whether the options of a product decide, because no filter names an attribute. */
const needsOnlyOptions = (
  { options = [], attributes = [], condition }: SearchRequest,
  own: readonly OptionValues[],
): boolean =>
  attributes.length === 0 &&
  condition === undefined &&
  options.every(({ name }) => findOption(own, name) !== undefined);

/** Matches the products of which a query names no variants, or names one that meets its filters. */
export const namedVariantSource = (
  stored: ReadTables,
  query: SearchRequest,
  view: SearchView,
): PostingSource | undefined => {
  const filter = toVariantFilter(query, false);
  if (!filter) return undefined;
  // A price is filtered with regard to names before, so that products without names are tested again.
  const unnamed = filter.variant.prices && valueSource(stored, filter, view);
  return testSource(stored, (ids) => {
    const payloads = unnamed?.at(ids).slice() ?? new Uint32Array(ids.length).fill(presencePayload);
    const match = createMatch(stored, ids, query, view);
    forEachProduct(stored, ids, readAttributes(stored, ids), (product, at) => {
      const { isNamed, entries } = match(product);
      if (isNamed) payloads[at] = entries?.length === 0 ? 0 : presencePayload;
    });
    return payloads;
  });
};

/** What a query says of the variants of a product. */
interface NamedMatch {
  /** Whether words, a code or an address name variants. */
  readonly isNamed: boolean;
  /** Undefined where the query says nothing of variants. */
  readonly entries: readonly VariantEntry[] | undefined;
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
    const met = filter && findMatchingVariants(filter, product, view.instant);
    if (!isNamed) return { isNamed, entries: met };
    const entries = met ?? product.variants()?.entries ?? [];
    return { isNamed, entries: entries.filter((entry) => tests.every((test) => test(entry))) };
  };
};

type VariantTest = (entry: VariantEntry) => boolean;

/**
 * Reads a query once for some products.
 * @returns a function that creates the tests of what it names of one of them: codes, an address, and values
 */
const createNaming = (
  stored: ReadTables,
  ids: DocIds,
  query: SearchRequest,
  view: SearchView,
): ((product: ProductValues) => readonly VariantTest[]) => {
  const language = getLanguage(view.language);
  const words = query.query ? readQuery(query.query, language) : undefined;
  const codes = readCodes(stored, query);
  const testsOfIds = new Map(
    [...ids].flatMap((id) => {
      const own = codes.filter(({ products }) => products.has(id));
      const tests = [
        ...own.map((code) => codeTest(stored, id, code)),
        query.url === undefined ? undefined : addressTest(stored, id, query.url),
      ].filter((test) => test !== undefined);
      return tests.length > 0 ? [[id, tests] as const] : [];
    }),
  );
  // Once for all products with the same options.
  const nameOptions = memoize(
    (options: readonly OptionValues[]) => words && wordTest(options, words, language),
    (options) => options,
  );
  return ({ id, facts }) =>
    [...(testsOfIds.get(id) ?? []), nameOptions(facts?.options ?? noOptions)].filter(
      (test) => test !== undefined,
    );
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
): VariantTest | undefined =>
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
): VariantTest | undefined => {
  const met = new Set<number>();
  const { index, members = [] } = stored.get(tables.variants, product) ?? {};
  for (const [at, variant] of members.entries()) {
    if (isMet(variant)) met.add(index?.entries[at]?.[0] ?? 0);
  }
  return met.size > 0 ? ([id]) => met.has(id) : undefined;
};

/** Tests for the address of a variant; undefined where it is that of the product. */
const addressTest = (stored: ReadTables, id: number, url: string): VariantTest | undefined => {
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

/** Tests for the values of options that words name; undefined where they name none. */
const wordTest = (
  options: readonly OptionValues[],
  words: ReadonlySet<string>,
  language: Language,
): VariantTest | undefined => {
  const named = findNamedValues(options, words, language);
  if (named.size === 0) return undefined;
  const wanted = options.flatMap(([name, , values], option): WantedValues => {
    const own = named.get(name);
    return own ? [[option, new Set([...own].map((value) => values.indexOf(value)))]] : [];
  });
  return (entry) => hasValues(entry, wanted);
};
