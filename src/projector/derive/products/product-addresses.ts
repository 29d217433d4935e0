import type { ProductDocument, VariantDocument } from "../../../read-model/schema/documents.ts";
import { pathKeyOfUrl } from "../../../read-model/schema/page-path.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import { diffSets } from "../set-diff.ts";

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
