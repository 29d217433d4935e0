import { memoizeLast } from "../../platform/memo.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ShownVariant } from "../../read-model/reader/variants.ts";
import type { Line } from "../../read-model/schema/lines.ts";
import { omitEmpty } from "../mcp/offer-answer.ts";
import { hidesPrices } from "../shop-info.ts";
import { parseVariantId } from "../variant-id.ts";
import {
  type LineRecord,
  toPriceRecord,
  toProductRecord,
  toStockRecord,
  toVariantRecord,
} from "./goods-records.ts";

/** Reads what a line tells (Contract §11). @returns undefined for a line that is not shown */
export type ReadRecord = (line: Line) => LineRecord | undefined;

/** Opens the records of a snapshot. A product is read once for lines in a row, because its variants may take megabytes. */
export const openRecords = (snapshot: Snapshot): ReadRecord => {
  const readProduct = memoizeLast(snapshot.product);
  return (line) => readRecord(snapshot, readProduct, line);
};

type ReadProduct = Snapshot["product"];

const readRecord = (
  snapshot: Snapshot,
  readProduct: ReadProduct,
  { kind, id }: Line,
): LineRecord | undefined => {
  switch (kind) {
    case "shop":
      return readShopRecord(snapshot);
    case "category":
      return readCategoryRecord(snapshot, Number(id));
    case "page":
      return readPageRecord(snapshot, Number(id));
    case "carrier":
      return readCarrierRecord(snapshot, Number(id));
    case "product":
      return convert(readProduct(Number(id)), toProductRecord);
    case "variant":
      return convert(findVariant(readProduct, id), toVariantRecord);
    case "price":
      return convert(findGoods(readProduct, id), ({ offer }) => toPriceRecord(offer));
    case "stock":
      return convert(findGoods(readProduct, id), ({ offer }) => toStockRecord(offer));
  }
};

const convert = <T>(
  value: T | undefined,
  toRecord: (value: T) => LineRecord,
): LineRecord | undefined => value && toRecord(value);

const findVariant = (readProduct: ReadProduct, id: string): ShownVariant | undefined => {
  const ids = parseVariantId(id);
  return ids && readProduct(ids.product)?.variants?.find(ids.variant);
};

const findGoods = (readProduct: ReadProduct, id: string): Product | ShownVariant | undefined =>
  id.includes(".") ? findVariant(readProduct, id) : readProduct(Number(id));

const readShopRecord = (snapshot: Snapshot): LineRecord | undefined => {
  const shop = snapshot.shop();
  if (!shop) return undefined;
  const { name, url, language, currency, description, pricesVisible, contact } = shop;
  return omitEmpty({
    ...{ name, url, language, currency, description },
    prices_visible: pricesVisible,
    free_shipping_threshold: pricesVisible ? shop.freeShippingThreshold : null,
    contact: contact && omitEmpty(contact),
    tax_included: shop.taxIncluded,
    list_price_kind: shop.listPriceKind,
    returns: shop.returns,
    country: shop.country,
  });
};

const readCategoryRecord = (snapshot: Snapshot, id: number): LineRecord | undefined => {
  const category = snapshot.listedCategory(id);
  if (!category) return undefined;
  const { name, url, parentId } = category;
  const description = snapshot.categoryDetail(id)?.description;
  return omitEmpty({ name, url, parent_id: parentId && String(parentId), description });
};

const readPageRecord = (snapshot: Snapshot, id: number): LineRecord | undefined => {
  const page = snapshot.page(id);
  if (!page) return undefined;
  const { title, url, policy, summary, markdown } = page;
  return omitEmpty({ title, url, topic: policy, summary, markdown: markdown || null });
};

const readCarrierRecord = (snapshot: Snapshot, id: number): LineRecord | undefined => {
  const carrier = snapshot.carrier(id);
  if (!carrier) return undefined;
  const { name, countries, price, deliveryDays } = carrier;
  const shownPrice = hidesPrices(snapshot) ? null : price;
  return omitEmpty({ name, countries, price: shownPrice, delivery_days: deliveryDays });
};
