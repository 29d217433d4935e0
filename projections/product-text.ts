import type { ProductText } from "../src/read-model/schema/documents.ts";
import type { CoreRow } from "../src/read-model/schema/rows.ts";
import { completeOptions } from "./product-options.ts";
import type { AssembledVariant } from "./variants.ts";

/**
 * Builds what prices, stock and time do not change of a product.
 * @param active active variants of the product, which may have options and values that its own events do not list
 * @param namedAt when a category that the product's page names last changed its name, milliseconds since 1970
 * @returns undefined when the product is not visible: never upserted, inactive or deleted
 */
export const buildProductText = (
  id: number,
  core: CoreRow | undefined,
  active: readonly AssembledVariant[],
  namedAt: number,
): ProductText | undefined => {
  const { content, contentChangedAt = 0 } = core?.group ?? {};
  if (!content?.active) return undefined;
  const { options: stated = [], ...facts } = content.facts ?? {};
  return {
    id,
    name: content.name,
    url: content.url,
    reference: content.reference,
    gtin: content.gtin,
    brand: content.brand,
    categoryIds: content.categoryIds,
    specifications: content.specifications,
    images: content.images,
    facts,
    options: completeOptions(
      stated ?? [],
      active.map((variant) => variant.content),
    ).options,
    descriptionHash: content.html,
    changedAt: contentChangedAt,
    shownAt: Math.max(contentChangedAt, namedAt),
  };
};
