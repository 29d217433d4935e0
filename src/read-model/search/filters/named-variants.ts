import { memoize } from "../../../platform/memo.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import { storedQueries, stripTracking } from "../../../text/tracking-parameters.ts";
import type { VariantMembers } from "../../schema/documents.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import type { SearchRequest } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { optionsOf } from "../doc-values/attribute-scan.ts";
import { idOf, type VariantsAt } from "../doc-values/variant-column.ts";
import { containsId, type DocIds } from "../postings/doc-ids.ts";
import type { SearchView } from "../query/search-context.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";
import { getLanguage, type Language } from "../text/language.ts";
import { findNamedValues, readQuery } from "./named-values.ts";
import type { ProductValues } from "./product-match.ts";
import { findByIdentifier } from "./products-by-identifier.ts";
import { hasValues, type WantedValues } from "./variant-match.ts";

/** Tests the variant at an index. */
export type NamedTest = (variants: VariantsAt, at: number) => boolean;

/**
 * Reads a query once for some products.
 * @returns a function that creates the tests of what it names of one of them: codes, an address, and values
 */
export const createNaming = (
  stored: ReadTables,
  ids: DocIds,
  query: SearchRequest,
  view: SearchView,
): ((product: ProductValues) => readonly NamedTest[]) => {
  const language = getLanguage(view.language);
  const words = query.query ? readQuery(query.query, language) : undefined;
  const testsOfIds = createCodeTests(stored, ids, query);
  // Once for all products of a block with the same options.
  const nameOptions = memoize(
    (options: readonly OptionValues[]) => (words ? wordTests(options, words, language) : []),
    (options) => options,
  );
  return ({ id, facts }) => {
    const [codeTests, values] = [testsOfIds.get(id), nameOptions(optionsOf(facts))];
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
    code: normaliseIdentifier(text),
    members,
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
