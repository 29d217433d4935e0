import type { ProductDocument } from "../src/read-model/schema/documents.ts";
import type { CoreRow, PriceRow, StockRow, TextRow } from "../src/read-model/schema/rows.ts";
import { currentPrice } from "./price.ts";

/**
 * Builds the document of a product as lists show it (Contract §3).
 * @param summaryChangedAt when a category that the product's page names last changed its name, in milliseconds since 1970
 * @returns undefined when the product is not visible: never upserted, inactive or deleted
 */
export const buildProductDocument = (
  id: number,
  core: CoreRow | undefined,
  prices: PriceRow | undefined,
  stock: StockRow | undefined,
  text: TextRow | undefined,
  summaryChangedAt: number,
): ProductDocument | undefined => {
  const content = core?.group?.content;
  if (!core?.group || !content?.active) return undefined;
  const price = currentPrice(prices);
  const updatedAt = Math.max(core.group.contentChangedAt, price?.changedAt ?? 0);
  const lastmod = Math.max(updatedAt, stock?.contentChangedAt ?? 0, summaryChangedAt);
  return {
    id,
    name: content.name,
    description: text?.description ?? null,
    url: content.url,
    reference: content.reference,
    gtin: content.gtin,
    brand: content.brand,
    price: price?.money ?? null,
    availability: stock?.content?.orderable ? "IN_STOCK" : "OUT_OF_STOCK",
    updatedAt: new Date(updatedAt).toISOString(),
    lastmod: new Date(lastmod).toISOString(),
  };
};
