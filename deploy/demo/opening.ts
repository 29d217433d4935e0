import type { CloudEvent } from "../../src/events/envelope.ts";
import { carriers, categoryUrl, pages, productOf, robots, settings } from "./shop.ts";
import type { Source, SourceProduct } from "./source.ts";
import { pick, type Teller } from "./teller.ts";

/** The day on which the shop opens and publishes each of its entities once. */
const openingTime = Date.UTC(2026, 8, 1, 6);

/** The whole shop, each event two seconds after the one before; each product with its stock. */
export function* opening(
  { categories, products }: Source,
  { tell }: Teller,
): Generator<CloudEvent> {
  let time = openingTime;
  const next = () => {
    time += 2000;
    return time;
  };
  yield tell("shop.settings.updated", "settings", next(), settings);
  yield tell("shop.robots.updated", "robots", next(), { text: robots });
  for (const carrier of carriers) {
    yield tell("shop.carrier.upserted", `carrier/${carrier.id}`, next(), carrier);
  }
  for (const page of pages) yield tell("shop.page.upserted", `page/${page.id}`, next(), page);
  for (const category of categories) {
    const { id, name, parentId } = category;
    const data = { id, name, url: categoryUrl(category), parentId };
    yield tell("shop.category.upserted", `category/${id}`, next(), data);
  }
  for (const source of products) {
    const { number } = source;
    yield tell("shop.product.upserted", `product/${number}`, next(), productOf(source));
    const stock = { productId: number, quantity: firstQuantity(source) };
    yield tell("shop.stock.changed", `stock/${number}`, time, stock);
  }
}

/** The source says that everything is in stock, not how much of it. */
export const firstQuantity = ({ id }: SourceProduct): number => 2 + pick(60, "stock", id);
