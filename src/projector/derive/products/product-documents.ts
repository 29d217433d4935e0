import type { ProductDocument, VariantDocument } from "../../../read-model/schema/documents.ts";
import { pathKeyOfUrl } from "../../../read-model/schema/page-path.ts";
import { type PageRecord, tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import type { Counters } from "../counters.ts";
import { countPage } from "../page-index.ts";
import { diffSets, setMember } from "../set-diff.ts";

type MaybeDocument = ProductDocument | undefined;

/** Stores the document of a product, and counts it; undefined while the product is not visible. */
export const updateDocument = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  if (after) stored.put(tables.products, id, after);
  else stored.remove(tables.products, id);
  counters.add("products", Number(after !== undefined) - Number(before !== undefined));
  updateInStock(stored, counters, id, before, after);
  countPage(counters, "product", id, toPageRecord(before), toPageRecord(after));
};

const toPageRecord = (document: MaybeDocument): PageRecord | undefined =>
  document && {
    url: document.url,
    lastmod: document.lastmod,
    ...(document.offers && { edges: listEdges(document) }),
  };

const updateInStock = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  if (before?.availability === after?.availability) return;
  const member = after?.availability === "IN_STOCK";
  counters.add("inStock", setMember(stored, tables.inStock, id, member));
};

/** Updates the instants at which the page of a product changes without an event. */
export const updateEdges = (
  stored: WritableTables,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  const [removed, added] = diffSets(listEdges(before), listEdges(after));
  for (const instant of removed) stored.remove(tables.edges, [instant, id]);
  for (const instant of added) stored.put(tables.edges, [instant, id], true);
};

/** Lists the instants at which the page of a product changes without an event, each once. */
export const listEdges = (document: MaybeDocument): readonly number[] =>
  document?.offers ? [...new Set([...document.offers.edges, ...document.offers.dateEdges])] : [];

type Addressed = Pick<ProductDocument, "url"> | undefined;

/**
 * Updates the addresses at which the page of a product is found: its own and those of its variants.
 * @returns whether they changed
 */
export const updateProductAddresses = (
  stored: WritableTables,
  id: number,
  before: readonly [Addressed, readonly VariantDocument[]],
  after: readonly [Addressed, readonly VariantDocument[]],
): boolean => {
  const [removed, added] = diffSets(listPaths(...before), listPaths(...after));
  for (const path of removed) stored.remove(tables.addresses, [path, "product", id]);
  for (const path of added) stored.put(tables.addresses, [path, "product", id], true);
  return removed.length + added.length > 0;
};

/** Lists the paths of a product and its variants, each once. */
const listPaths = (product: Addressed, variants: readonly VariantDocument[]): readonly string[] => {
  if (!product) return [];
  const urls = [product.url, ...variants.flatMap(({ url }) => url ?? [])];
  const paths = urls.flatMap((url) => {
    const page = parseUrl(url, product.url);
    return page ? (pathKeyOfUrl(page.href) ?? []) : [];
  });
  return [...new Set(paths)];
};
