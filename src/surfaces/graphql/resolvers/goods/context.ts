import type { Snapshot } from "../../../../read-model/reader/reader.ts";
import type { ProductDocument, ProductGoods } from "../../../../read-model/schema/documents.ts";
import { toAttribute, toFactFields, toImage, toOfferFields, toVariant } from "./shapes.ts";

/** Reads something of a product once for all fields that show a part of it. */
const once = <V>(read: (snapshot: Snapshot, product: ProductDocument) => V) => {
  /** A document is an object of one request, so that its values are never those of another snapshot. */
  const values = new WeakMap<ProductDocument, V>();
  return (snapshot: Snapshot, product: ProductDocument): V => {
    const value = values.get(product) ?? read(snapshot, product);
    values.set(product, value);
    return value;
  };
};

export const offerOf = once((snapshot, product) => {
  const offer = snapshot.productOffer(product.id);
  if (!offer) throw new Error(`product ${product.id} is not visible any more in its own snapshot`);
  return offer;
});

export const goodsOf = once(
  (snapshot, { id }): ProductGoods => snapshot.productGoods(id) ?? noGoods,
);

/** Reads the members that the schema shows of each of them, converted once. */
export const offerFieldsOf = once((snapshot, product) => toOfferFields(offerOf(snapshot, product)));
export const factFieldsOf = once((snapshot, product) =>
  toFactFields(goodsOf(snapshot, product).facts),
);
export const detailOf = once((snapshot, { id }) => {
  const { specifications = [], images = [] } = snapshot.productDetail(id) ?? {};
  return { attributes: specifications.map(toAttribute), images: images.map(toImage) };
});

export const rangeOf = once((snapshot, { id }) => ({ priceRange: snapshot.priceRange(id) }));
export const featuredOf = once((snapshot, product) => {
  const { featured } = offerOf(snapshot, product);
  const found = featured === null ? undefined : snapshot.variant(product.id, featured);
  return { featuredVariant: found ? toVariant(product, found) : null };
});

const noGoods: ProductGoods = { facts: {}, options: [], variantIds: [] };
