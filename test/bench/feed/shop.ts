import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { ProductData } from "../../../src/events/event.ts";
import { productUpserted, stockChanged } from "../../helpers/events.ts";
import { type DemoShop, readDemoShop } from "../demo-shop.ts";
import { generateProducts } from "../search/corpus.ts";
import { toProductEvent } from "../search/vitrine.ts";

/** Generates a shop with the settings, categories and pages of the demo shop. Each product has one piece in stock. */
export const generateShop = (count: number): DemoShop => {
  const demo = readDemoShop();
  const products = generateProducts(count).map((text, at): ProductData => {
    const category = demo.categories[at % demo.categories.length];
    const data = toProductEvent(text).data as ProductData;
    const price = { amount: `${1 + (at % 500)}.90`, currency: demo.settings.currency };
    return { ...data, price, categoryIds: category ? [category.id] : [] };
  });
  const events = [
    ...demo.events.filter(({ type }) => !/product|price|stock/.test(type)),
    ...products.map((product) => productUpserted(product)),
    ...products.map(({ id }) => stockChanged({ productId: id, quantity: 1 })),
  ];
  return { ...demo, products, events };
};

/** Builds a stock event that is newer than those of `generateShop` and `generateShopEvents`. @param number rising */
export const laterStock = (productId: number, quantity: number, number: number): CloudEvent =>
  stockChanged(
    { productId, quantity },
    { time: new Date().toISOString(), sequence: 10_000_000 + number },
  );
