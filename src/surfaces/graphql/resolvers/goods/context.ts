import type { ProductOffer } from "../../../../read-model/reader/offers/offer-reader.ts";
import type { Snapshot } from "../../../../read-model/reader/reader.ts";
import type { ProductDocument, ProductGoods } from "../../../../read-model/schema/documents.ts";

/** Reads the offer of a product once for all fields that show a part of it. */
export const offerOf = (snapshot: Snapshot, product: ProductDocument): ProductOffer => {
  const existing = offers.get(product);
  if (existing) return existing;
  const offer = snapshot.productOffer(product.id);
  if (!offer) throw new Error(`product ${product.id} is not visible any more in its own snapshot`);
  offers.set(product, offer);
  return offer;
};

/** A document is an object of one request, so that its offer is never one of another snapshot. */
const offers = new WeakMap<ProductDocument, ProductOffer>();

/** Reads the facts of a product once for all fields that show a part of them. */
export const goodsOf = (snapshot: Snapshot, product: ProductDocument): ProductGoods => {
  const existing = goods.get(product);
  if (existing) return existing;
  const read = snapshot.productGoods(product.id) ?? noGoods;
  goods.set(product, read);
  return read;
};

const goods = new WeakMap<ProductDocument, ProductGoods>();

const noGoods: ProductGoods = { facts: {}, options: [], variantIds: [] };
