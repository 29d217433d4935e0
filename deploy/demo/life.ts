import type { CloudEvent } from "../../src/events/envelope.ts";
import type { Money, PriceData, ProductData } from "../../src/events/event.ts";
import { firstQuantity } from "./opening.ts";
import type { Range } from "./ranges.ts";
import { productOf } from "./shop.ts";
import type { Source, SourceProduct } from "./source.ts";
import { pick, type Teller } from "./teller.ts";
import { firstVariantQuantity } from "./variants.ts";

/** Something that happens in the shop. Its events are built when its turn comes, from the state of the shop at that time. */
export interface Happening {
  readonly time: number;
  readonly tell: (time: number) => CloudEvent;
}

/** The shop as it stands while its history is told; maps are by product number. */
export interface Life {
  readonly teller: Teller;
  readonly source: Source;
  readonly left: Map<number, number>;
  readonly prices: Map<number, Money>;
  /** By product and variant: `1376.1`. */
  readonly variantsLeft: Map<string, number>;
}

export const openLife = (source: Source, teller: Teller): Life => ({
  teller,
  source,
  left: new Map(source.products.map((product) => [product.number, firstQuantity(product)])),
  prices: new Map(source.products.map((product) => [product.number, firstPrice(product)])),
  variantsLeft: new Map(),
});

/** A moment of a day within opening hours, picked by the words. */
export const on = (day: string, ...words: readonly (string | number)[]): number =>
  Date.parse(`${day}T07:00:00Z`) + 1000 * pick(14 * 3600, "clock", day, ...words);

/** A day so many days after another, as `YYYY-MM-DD`. */
export const later = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

export function within({ source }: Life, path: string): readonly SourceProduct[] {
  const products = source.products.filter(({ category }) => category.path === path);
  if (products.length === 0) throw new Error(`the source has no products in ${path}`);
  return products;
}

export const stock = (life: Life, number: number, quantity: number, time: number): CloudEvent => {
  life.left.set(number, quantity);
  const data = { productId: number, quantity };
  return life.teller.tell("shop.stock.changed", `stock/${number}`, time, data);
};

/** @param change of the quantity that is left; below 0 it stays 0. */
export function variantStock(
  { teller, variantsLeft }: Life,
  range: Range,
  variantId: number,
  change: (left: number) => number,
  time: number,
): CloudEvent {
  const { product: productId } = range;
  const key = `${productId}.${variantId}`;
  const left = variantsLeft.get(key) ?? firstVariantQuantity(range, variantId);
  const quantity = Math.max(0, change(left));
  variantsLeft.set(key, quantity);
  const data = { productId, variantId, quantity };
  return teller.tell("shop.stock.changed", `stock/${productId}/${variantId}`, time, data);
}

/** The whole group of prices of a product or variant. */
export const priceGroup = ({ tell }: Teller, data: PriceData, time: number): CloudEvent => {
  const { productId, variantId } = data;
  const subject =
    variantId === undefined ? `price/${productId}` : `price/${productId}/${variantId}`;
  return tell("shop.price.changed", subject, time, data);
};

/** @param percent of the price the product opened with. */
export function price(
  life: Life,
  source: SourceProduct,
  percent: number,
  time: number,
): CloudEvent {
  const first = firstPrice(source);
  const amount = (Math.round(Number(first.amount) * percent) / 100).toFixed(2);
  const changed = { amount, currency: first.currency };
  life.prices.set(source.number, changed);
  const data = { productId: source.number, price: changed };
  return life.teller.tell("shop.price.changed", `price/${source.number}`, time, data);
}

/** The product whole, with the price it has by now. */
export function product(life: Life, source: SourceProduct): ProductData {
  return { ...productOf(source), price: life.prices.get(source.number) ?? null };
}

function firstPrice(source: SourceProduct): Money {
  const { price } = productOf(source);
  if (!price) throw new Error(`${source.name} has no price`);
  return price;
}
