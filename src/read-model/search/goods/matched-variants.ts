import { parseUrl } from "../../../text/parse-url.ts";
import { storedQueries, stripTracking } from "../../../text/tracking-parameters.ts";
import type { VariantDocument } from "../../schema/documents.ts";
import { tables } from "../../schema/tables.ts";
import { variantKey } from "../../schema/variant-key.ts";
import type { ReadTables } from "../../store/store.ts";
import { findByIdentifier } from "../filters/products-by-identifier.ts";
import { presencePayload } from "../postings/payload.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { SearchRequest } from "../search-request.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";
import { getLanguage, type Language } from "../text/language.ts";
import { toVariantFilter } from "./goods-filter.ts";
import { readMatchingVariants, testSource } from "./goods-source.ts";
import { findNamedValues, readQuery } from "./named-values.ts";
import { readVariantChoices, type VariantChoice } from "./variant-choices.ts";

/**
 * Finds the variants of a product that a query is about: those that meet its filters, have the code or the address that it looks up,
 * and have the values of options that its words name.
 * @returns ids in the order of the shop; undefined where the query says nothing of variants
 */
export const findMatchedVariants = (
  stored: ReadTables,
  id: number,
  query: SearchRequest,
  instant: number,
  named = createNaming(stored, query)(id),
): readonly number[] | undefined => {
  const filter = toVariantFilter(query, named.length > 0);
  const met = filter && readMatchingVariants(stored, id, filter, instant);
  if (named.length === 0) return met;
  const matching = met && new Set(met);
  return readVariantChoices(stored, id)
    .variants.filter((variant) => matching?.has(variant.id) ?? true)
    .filter((variant) => named.every((test) => test(variant)))
    .map((variant) => variant.id);
};

/** Matches the products of which a query names no variants, or names one that meets its filters. */
export const namedVariantSource = (
  stored: ReadTables,
  query: SearchRequest,
  instant: number,
): PostingSource | undefined => {
  const filter = toVariantFilter(query, false);
  if (!filter) return undefined;
  const readNames = createNaming(stored, query);
  const matches = (id: number): boolean => {
    const named = stored.has(tables.variantIndexes, id) ? readNames(id) : undefined;
    if (!named) return true;
    // A price is filtered without regard to names before, so that products without names are tested again.
    if (named.length === 0 && !filter.variant.prices) return true;
    return findMatchedVariants(stored, id, query, instant, named)?.length !== 0;
  };
  return testSource(stored, (ids) =>
    Uint32Array.from(ids, (id) => (matches(id) ? presencePayload : 0)),
  );
};

/**
 * Reads a query once for all products.
 * @returns a function that creates the tests of what it names of a product: codes, an address, and values of options
 */
const createNaming = (
  stored: ReadTables,
  query: SearchRequest,
): ((id: number) => readonly VariantTest[]) => {
  const language = getLanguage(stored.get(tables.settings, "settings")?.content?.language);
  const words = query.query ? readQuery(query.query, language) : undefined;
  const codes = readCodes(stored, query);
  return (id) =>
    [
      ...codes.map((code) => codeTest(stored, id, code)),
      addressTest(stored, id, query.url),
      words && wordTest(stored, id, words, language),
    ].filter((test) => test !== undefined);
};

type VariantTest = (variant: VariantChoice) => boolean;

/** A code that a query looks up, with the products that have it. */
interface LookedUpCode {
  readonly code: string;
  readonly products: readonly number[];
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
    ...{ code: normaliseIdentifier(text), products: findByIdentifier(stored, text), members },
  }));

/** Tests for a code that a variant has. A code that only the product has selects no variant. */
const codeTest = (
  stored: ReadTables,
  id: number,
  { code, products, members }: LookedUpCode,
): VariantTest | undefined =>
  products.includes(id)
    ? testDocuments(stored, id, (variant) =>
        members.some((member) => normaliseIdentifier(variant[member] ?? "") === code),
      )
    : undefined;

/** Tests what the documents of the variants state; undefined where it is true of none. */
const testDocuments = (
  stored: ReadTables,
  product: number,
  isMet: (variant: VariantDocument) => boolean,
): VariantTest | undefined => {
  const met = new Set<number>();
  for (const id of stored.get(tables.productGoods, product)?.variantIds ?? []) {
    const variant = stored.get(tables.variants, variantKey(product, id));
    if (variant && isMet(variant)) met.add(id);
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
  stored: ReadTables,
  id: number,
  words: ReadonlySet<string>,
  language: Language,
): VariantTest | undefined => {
  const index = stored.get(tables.variantIndexes, id);
  const named = index && findNamedValues(index.options, words, language);
  if (!named || named.size === 0) return undefined;
  return ({ options }) =>
    [...named].every(([name, values]) => {
      const value = options.find((option) => option.name === name)?.value;
      return value === undefined || values.has(value);
    });
};
