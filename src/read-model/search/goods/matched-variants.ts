import type { ProductDocument, VariantDocument } from "../../schema/documents.ts";
import { pathKeyOfUrl } from "../../schema/page-path.ts";
import type { ProductFilters } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import { variantKey } from "../../schema/variant-key.ts";
import type { ReadTables } from "../../store/store.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";
import { toVariantFilter } from "./goods-filter.ts";
import { readMatchingVariants } from "./goods-source.ts";
import { findNamedValues } from "./named-values.ts";
import { readVariantChoices, type VariantChoice } from "./variant-choices.ts";

/** A query, as far as variants can meet it. */
export type VariantQuery = ProductFilters & { readonly query?: string };

/**
 * Finds the variants of a product that a query is about: those that meet its filters, have the code or the address that it looks up,
 * and have the values of options that its words name.
 * @returns ids in the order of the shop; none where the query says nothing of variants
 */
export const findMatchedVariants = (
  stored: ReadTables,
  product: ProductDocument,
  query: VariantQuery,
  instant: number,
): readonly number[] => {
  const filter = toVariantFilter(query);
  const met = filter && new Set(readMatchingVariants(stored, product.id, filter, instant));
  const tests = [
    met && (({ id }: VariantChoice) => met.has(id)),
    ...codeTests(stored, product.id, query),
    addressTest(stored, product, query.url),
    wordTest(stored, product.id, query.query),
  ].filter((test) => test !== undefined);
  if (tests.length === 0) return [];
  return readVariantChoices(stored, product.id)
    .filter((variant) => tests.every((test) => test(variant)))
    .map(({ id }) => id);
};

type VariantTest = (variant: VariantChoice) => boolean;

/** Tests for codes that a variant has. A code that only the product has selects no variant. */
const codeTests = (
  stored: ReadTables,
  product: number,
  { reference, gtin, mpn, query }: VariantQuery,
): readonly (VariantTest | undefined)[] => {
  const testOf = (
    text: string | undefined,
    readCodes: (variant: VariantDocument) => readonly (string | undefined)[],
  ): VariantTest | undefined => {
    const code = normaliseIdentifier(text ?? "");
    if (code === "" || !isCodeOf(stored, code, product)) return undefined;
    return testDocuments(stored, product, (variant) =>
      readCodes(variant).some((own) => own !== undefined && normaliseIdentifier(own) === code),
    );
  };
  return [
    testOf(reference, ({ sku }) => [sku]),
    testOf(gtin, (variant) => [variant.gtin]),
    testOf(mpn, (variant) => [variant.mpn]),
    testOf(query, (variant) => [variant.sku, variant.gtin, variant.mpn]),
  ];
};

/** Whether a product or one of its variants has a code. */
const isCodeOf = (stored: ReadTables, code: string, product: number): boolean => {
  const range = { start: [code, product], end: [code, product + 1], limit: 1 } as const;
  return [...stored.keys(tables.identifiers, range)].length > 0;
};

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
  product: ProductDocument,
  url: string | undefined,
): VariantTest | undefined => {
  const wanted = url === undefined ? undefined : toPathKey(url, product.url);
  if (wanted === undefined) return undefined;
  return testDocuments(
    stored,
    product.id,
    (variant) => variant.url !== undefined && toPathKey(variant.url, product.url) === wanted,
  );
};

const toPathKey = (url: string, base: string): string | undefined =>
  URL.canParse(url, base) ? pathKeyOfUrl(new URL(url, base).href) : undefined;

/** Tests for the values of options that words name; undefined where they name none. */
const wordTest = (
  stored: ReadTables,
  product: number,
  query: string | undefined,
): VariantTest | undefined => {
  const index = query ? stored.get(tables.variantIndexes, product) : undefined;
  const language = stored.get(tables.settings, "settings")?.content?.language;
  const named = index && findNamedValues(index.options, query ?? "", language);
  if (!named || named.size === 0) return undefined;
  return ({ options }) =>
    [...named].every(([name, values]) => {
      const value = options.find((option) => option.name === name)?.value;
      return value === undefined || values.has(value);
    });
};
