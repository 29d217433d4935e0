import type { Offer } from "../../read-model/reader/offer.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { ShownVariant } from "../../read-model/reader/variants.ts";
import { type MinorAmount, toMinorUnits } from "./amounts.ts";

/** One of the goods of a product that can be ordered by itself: a variant, or a product without variants. */
export interface EntryLine {
  /** `4711.90001` or `4711`. */
  readonly id: string;
  readonly product: Product;
  /** Undefined for a product without variants. */
  readonly variant: ShownVariant | undefined;
  readonly offer: Offer;
  /** The price of the offer. */
  readonly price: MinorAmount;
}

/** Lists the lines of a product that have a price, in the sequence of the shop. A price with too many decimals is none. */
export const listLines = (product: Product): readonly EntryLine[] => {
  const { variants } = product;
  if (!variants) return toLine(product, undefined);
  return variants.ids.flatMap((_, at) => toLine(product, variants.at(at)));
};

/**
 * Finds some lines of a product: one first, then in the sequence of the shop.
 * @param ids of variants
 * @param first by default the featured variant
 */
export const findLines = (
  product: Product,
  ids: readonly number[],
  limit: number,
  first = product.offer.featured,
): readonly EntryLine[] => {
  const lines: EntryLine[] = [];
  for (const id of [
    ...ids.filter((each) => each === first),
    ...ids.filter((each) => each !== first),
  ]) {
    if (lines.length === limit) break;
    const variant = product.variants?.find(id);
    if (variant) lines.push(...toLine(product, variant));
  }
  return lines;
};

const toLine = (product: Product, variant: ShownVariant | undefined): readonly EntryLine[] => {
  const { offer } = variant ?? product;
  const price = offer.price && toMinorUnits(offer.price);
  const id = variant ? `${product.id}.${variant.id}` : String(product.id);
  return price ? [{ id, product, variant, offer, price }] : [];
};
