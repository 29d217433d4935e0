import { memoize } from "../../../platform/memo.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import { storedQueries, stripTracking } from "../../../text/tracking-parameters.ts";
import type { VariantMembers } from "../../schema/documents.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { presencePayload } from "../postings/payload.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { SearchView } from "../query/search-context.ts";
import type { SearchRequest } from "../search-request.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";
import { getLanguage, type Language } from "../text/language.ts";
import { findNamedValues, readQuery } from "./named-values.ts";
import { findByIdentifier } from "./products-by-identifier.ts";
import { readEntries } from "./value-entries.ts";
import { toVariantFilter } from "./value-filter.ts";
import { readMatchingVariants, testSource, valueSource } from "./value-source.ts";
import { readVariantChoices, readVariantIndex, type VariantChoice } from "./variant-choices.ts";

/**
 * Finds the variants of a product that a query is about: those that meet its filters, have the code or the address that it looks up,
 * and have the values of options that its words name.
 * @returns ids in the order of the shop; undefined where the query says nothing of variants
 */
export const findMatchedVariants = (
  stored: ReadTables,
  id: number,
  query: SearchRequest,
  view: SearchView,
  index = readVariantIndex(stored, id),
  named = createNaming(stored, query, view)(id, index?.options),
): readonly number[] | undefined => {
  const filter = toVariantFilter(query, named.length > 0);
  const met = filter && readMatchingVariants(stored, id, filter, view, index);
  if (named.length === 0) return met;
  const matching = met && new Set(met);
  return readVariantChoices(stored, id, index)
    .variants.filter((variant) => matching?.has(variant.id) ?? true)
    .filter((variant) => named.every((test) => test(variant)))
    .map((variant) => variant.id);
};

/** Matches the products of which a query names no variants, or names one that meets its filters. */
export const namedVariantSource = (
  stored: ReadTables,
  query: SearchRequest,
  view: SearchView,
): PostingSource | undefined => {
  const filter = toVariantFilter(query, false);
  if (!filter) return undefined;
  const readNames = createNaming(stored, query, view);
  // A price is filtered with regard to names before, so that products without names are tested again.
  const unnamed = filter.variant.prices && valueSource(stored, filter, view);
  return testSource(stored, (ids) => {
    const facts = readEntries(stored, tables.attributeValues, (each) => each.id, ids);
    const withoutNames = unnamed?.at(ids);
    return Uint32Array.from(ids, (id, at) => {
      const named = readNames(id, facts.get(id)?.options);
      const index = named.length > 0 ? readVariantIndex(stored, id) : undefined;
      if (!index) return withoutNames?.[at] ?? presencePayload;
      const met = findMatchedVariants(stored, id, query, view, index, named);
      return met?.length === 0 ? 0 : presencePayload;
    });
  });
};

/**
 * Reads a query once for all products.
 * @returns a function that creates the tests of what it names of a product with these options: codes, an address, and values
 */
const createNaming = (
  stored: ReadTables,
  query: SearchRequest,
  view: SearchView,
): ((id: number, options?: readonly OptionValues[]) => readonly VariantTest[]) => {
  const language = getLanguage(view.language);
  const words = query.query ? readQuery(query.query, language) : undefined;
  const codes = readCodes(stored, query);
  // Once for all products with the same options.
  const nameOptions = memoize(
    (options: readonly OptionValues[]) => words && wordTest(options, words, language),
  );
  return (id, options = []) =>
    [
      ...codes.map((code) => codeTest(stored, id, code)),
      addressTest(stored, id, query.url),
      nameOptions(options),
    ].filter((test) => test !== undefined);
};

type VariantTest = (variant: VariantChoice) => boolean;

/** A code that a query looks up, with the products that have it. */
interface LookedUpCode {
  readonly code: string;
  readonly products: ReadonlySet<number>;
  readonly members: readonly ("sku" | "gtin" | "mpn")[];
}

const readCodes = (
  stored: ReadTables,
  { reference, gtin, mpn, query }: SearchRequest,
): readonly LookedUpCode[] =>
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
  { code, products, members }: LookedUpCode,
): VariantTest | undefined =>
  products.has(id)
    ? testDocuments(stored, id, (variant) =>
        members.some((member) => normaliseIdentifier(variant[member] ?? "") === code),
      )
    : undefined;

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
  return met.size > 0 ? ({ id }) => met.has(id) : undefined;
};

/** Tests for the address of a variant; undefined where it is that of the product. */
const addressTest = (
  stored: ReadTables,
  id: number,
  url: string | undefined,
): VariantTest | undefined => {
  const page = url === undefined ? undefined : stored.get(tables.products, id)?.url;
  const requested = page === undefined ? undefined : parseUrl(url ?? "", page);
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
  return (variant) =>
    [...named].every(([name, values]) => {
      const value = variant.options.find((option) => option.name === name)?.value;
      return value === undefined || values.has(value);
    });
};
