import type { ProductDocument, VariantDocument } from "../../schema/documents.ts";
import { pathKeyOfUrl } from "../../schema/page-path.ts";
import type { ProductFilters } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import { variantKey } from "../../schema/variant-key.ts";
import type { ReadTables } from "../../store/store.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";
import { toGoodsFilter } from "./goods-filter.ts";
import { readMatchingVariants } from "./goods-source.ts";
import { findNamedValues } from "./named-values.ts";

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
  const ids = stored.get(tables.productGoods, product.id)?.variantIds ?? [];
  if (ids.length === 0) return [];
  const filter = toGoodsFilter(query);
  const met = filter && new Set(readMatchingVariants(stored, product.id, filter, instant));
  const variants = ids.flatMap(
    (id) => stored.get(tables.variants, variantKey(product.id, id)) ?? [],
  );
  const tests = [
    met && ((variant: VariantDocument) => met.has(variant.id)),
    ...codeTests(variants, query),
    addressTest(variants, product, query.url),
    wordTest(stored, product.id, query.query),
  ].filter((test) => test !== undefined);
  if (tests.length === 0) return [];
  return variants.filter((variant) => tests.every((test) => test(variant))).map(({ id }) => id);
};

type VariantTest = (variant: VariantDocument) => boolean;

/** Tests for codes that a variant has. A code that only the product has selects no variant. */
const codeTests = (
  variants: readonly VariantDocument[],
  { reference, gtin, mpn, query }: VariantQuery,
): readonly (VariantTest | undefined)[] => {
  const testOf = (
    text: string | undefined,
    readCodes: (variant: VariantDocument) => readonly (string | undefined)[],
  ): VariantTest | undefined => {
    const code = normaliseIdentifier(text ?? "");
    if (code === "") return undefined;
    const hasCode: VariantTest = (variant) =>
      readCodes(variant).some((own) => own !== undefined && normaliseIdentifier(own) === code);
    return variants.some(hasCode) ? hasCode : undefined;
  };
  return [
    testOf(reference, ({ sku }) => [sku]),
    testOf(gtin, (variant) => [variant.gtin]),
    testOf(mpn, (variant) => [variant.mpn]),
    testOf(query, (variant) => [variant.sku, variant.gtin, variant.mpn]),
  ];
};

/** Tests for the address of a variant; undefined where it is that of the product. */
const addressTest = (
  variants: readonly VariantDocument[],
  product: ProductDocument,
  url: string | undefined,
): VariantTest | undefined => {
  const wanted = url === undefined ? undefined : toPathKey(url, product.url);
  if (wanted === undefined) return undefined;
  const isThere: VariantTest = (variant) =>
    variant.url !== undefined && toPathKey(variant.url, product.url) === wanted;
  return variants.some(isThere) ? isThere : undefined;
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
