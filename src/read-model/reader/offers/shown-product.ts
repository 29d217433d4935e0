import { periodAt } from "../../../offers/product-offer.ts";
import type { ProductDocument } from "../../schema/documents.ts";
import type { ProductJson } from "../product-json.ts";

/** The instant of a snapshot, and how long its results hold without an event. */
export interface SnapshotTime {
  /** Milliseconds since 1970. */
  readonly instant: number;
  /** Reports that what was read is another from an instant on. */
  expiresAt(instant: number): void;
}

/**
 * Shows a product at the instant of a snapshot: its price, and the dates at which prices and delivery dates changed without an
 * event. Hidden prices change no page, so their edges do not count.
 */
export const showProduct = (
  product: ProductDocument,
  pricesVisible: boolean,
  time: SnapshotTime,
): ProductDocument => {
  const { offers } = product;
  if (!offers) return pricesVisible ? product : { ...product, price: null };
  const priceEdges = pricesVisible ? offers.edges : [];
  const changedAt = passEdges(priceEdges, time);
  const lastmod = Math.max(changedAt, passEdges(offers.dateEdges, time));
  return {
    ...product,
    price: pricesVisible ? periodAt(offers.periods, time.instant).price : null,
    updatedAt: laterOf(product.updatedAt, changedAt),
    lastmod: laterOf(product.lastmod, lastmod),
  };
};

/**
 * Finds the last edge that has passed, and reports the next one.
 * @param edges ascending
 * @returns milliseconds since 1970; 0 when none has passed
 */
export const passEdges = (
  edges: readonly number[],
  { instant, expiresAt }: SnapshotTime,
): number => {
  const next = edges.find((edge) => edge > instant);
  if (next !== undefined) expiresAt(next);
  return edges.findLast((edge) => edge <= instant) ?? 0;
};

/** @param edge milliseconds since 1970 */
export const laterOf = (time: string, edge: number): string =>
  edge > Date.parse(time) ? new Date(edge).toISOString() : time;

/**
 * Shows the stored JSON of a product in the form that answers copy: without its prices over time. The price of another product is left
 * in it, also when prices are hidden.
 */
export const showProductJson = (
  json: ProductJson,
  pricesVisible: boolean,
  time: SnapshotTime,
): ProductJson => {
  if (!hasOffers(json)) return json;
  const { offers: _, ...product } = showProduct(JSON.parse(json), pricesVisible, time);
  return JSON.stringify(product);
};

/** Only the prices over time are an object at the end of the JSON; other products end with a text. */
export const hasOffers = (json: ProductJson): boolean => json.endsWith("}}");
