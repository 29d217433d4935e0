import type { CloudEvent } from "../../src/events/envelope.ts";
import type { EventData, EventType } from "../../src/events/event.ts";
import type { DemoShop } from "./demo-shop.ts";
import { type Chance, seeded } from "./seeded.ts";

/** Shares of the event types in percent. The rest are categories, pages and settings. */
const shares = { stock: 80, price: 12, product: 6 };

/**
 * Generates events of the demo shop after its history, one a second. The same count gives the same events.
 * Products are drawn uniformly, so a batch seldom holds several events about one product.
 */
export function* generateShopEvents(shop: DemoShop, count: number): Generator<CloudEvent> {
  const chance = seeded(4711);
  for (let number = 1; number <= count; number += 1) {
    const { type, subject, data } = drawEvent(shop, chance, number);
    yield {
      specversion: "1.0",
      id: `life-${number}`,
      source: "/shops/demo",
      type,
      subject,
      time: new Date(shop.lastTime + number * 1000).toISOString(),
      // Higher than every version in the history, so that no event is stale.
      sequence: String(1_000_000 + number),
      datacontenttype: "application/json",
      data,
    };
  }
}

interface ShopEvent {
  readonly type: EventType;
  readonly subject: string;
  readonly data: EventData[EventType];
}

const shopEvent = <T extends EventType>(
  type: T,
  subject: string,
  data: EventData[T],
): ShopEvent => ({ type, subject, data });

const drawEvent = (shop: DemoShop, chance: Chance, number: number): ShopEvent => {
  const percent = chance.below(100);
  const product = chance.pick(shop.products);
  const { id } = product;
  if (percent < shares.stock) {
    const quantity = chance.below(20);
    return shopEvent("shop.stock.changed", `stock/${id}`, { productId: id, quantity });
  }
  if (percent < shares.stock + shares.price) {
    const amount = (1 + chance.below(50_000) / 100).toFixed(2);
    const price = { amount, currency: shop.settings.currency };
    return shopEvent("shop.price.changed", `price/${id}`, { productId: id, price });
  }
  if (percent < shares.stock + shares.price + shares.product) {
    return editProduct(product, chance, number);
  }
  return editRest(shop, chance, number);
};

/** Draws one of three edits: another name, another description, or the complete product unchanged. */
const editProduct = (
  product: DemoShop["products"][number],
  chance: Chance,
  number: number,
): ShopEvent => {
  const { id, name, descriptionHtml } = product;
  const subject = `product/${id}`;
  const edit = chance.below(3);
  if (edit === 0) {
    return shopEvent("shop.product.patched", subject, { id, name: `${name} ${number}` });
  }
  if (edit === 1) {
    const html = `${descriptionHtml ?? ""}<p>Edition <strong>${number}</strong>.</p>`;
    return shopEvent("shop.product.patched", subject, { id, descriptionHtml: html });
  }
  return shopEvent("shop.product.upserted", subject, product);
};

const editRest = (shop: DemoShop, chance: Chance, number: number): ShopEvent => {
  const edit = chance.below(10);
  if (edit === 0) {
    const description = `Settings event number ${number}.`;
    return shopEvent("shop.settings.updated", "settings", { ...shop.settings, description });
  }
  if (edit < 4) {
    const page = chance.pick(shop.pages);
    const contentHtml = `${page.contentHtml}<p>As of ${number}.</p>`;
    return shopEvent("shop.page.upserted", `page/${page.id}`, { ...page, contentHtml });
  }
  const category = chance.pick(shop.categories);
  const descriptionHtml = `<p>Edition ${number}.</p>`;
  return shopEvent("shop.category.upserted", `category/${category.id}`, {
    ...category,
    descriptionHtml,
  });
};
