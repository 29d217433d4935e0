import type { CloudEvent } from "../../src/events/envelope.ts";
import type { StockData } from "../../src/events/event.ts";
import { type Range, rangeOf } from "./ranges.ts";
import { carriers, categoryUrl, pages, productOf, referenceOf, robots, settings } from "./shop.ts";
import type { Source, SourceProduct } from "./source.ts";
import { openingStatus } from "./statuses.ts";
import { pick, type Teller } from "./teller.ts";
import { firstVariantQuantity, variantsOf } from "./variants.ts";

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
    const range = rangeOf(number);
    if (range) yield* openRange(range, source, tell, time);
    else yield tell("shop.stock.changed", `stock/${number}`, time, firstStock(source));
  }
}

const firstStock = (source: SourceProduct): StockData =>
  openingStatus(source.number) ?? { productId: source.number, quantity: firstQuantity(source) };

/** Variants that are not in the product's list, and the stock of each variant. */
function* openRange(
  range: Range,
  source: SourceProduct,
  tell: Teller["tell"],
  time: number,
): Generator<CloudEvent> {
  const productId = range.product;
  for (const variant of variantsOf(range, referenceOf(source))) {
    const { id: variantId } = variant;
    const path = `${productId}/${variantId}`;
    const quantity = firstVariantQuantity(range, variantId);
    if (range.isAlone)
      yield tell("shop.variant.upserted", `variant/${path}`, time, { productId, ...variant });
    yield tell("shop.stock.changed", `stock/${path}`, time, { productId, variantId, quantity });
  }
}

/** The source says that everything is in stock, not how much of it. */
export const firstQuantity = ({ id }: SourceProduct): number => 2 + pick(60, "stock", id);
