import type { CloudEvent } from "../../src/events/envelope.ts";
import type { EventData, EventType } from "../../src/events/event.ts";
import type { DemoShop } from "./demo-shop.ts";
import { type Chance, seeded } from "./seeded.ts";

/** What a shop's day is made of, in percent; the rest is categories, pages and settings. */
const shares = { stock: 80, price: 12, product: 6 };

/**
 * The demo shop lives on: so many events after its history, one a second, always the same ones.
 * Every product is as likely as any other, so bursts about one product save nothing.
 */
export function* lifeOf(shop: DemoShop, count: number): Generator<CloudEvent> {
  const chance = seeded(4711);
  for (let number = 1; number <= count; number += 1) {
    const { type, subject, data } = happen(shop, chance, number);
    yield {
      specversion: "1.0",
      id: `life-${number}`,
      source: "/shops/demo",
      type,
      subject,
      time: new Date(shop.lastTime + number * 1000).toISOString(),
      // Above any version of the history, so that nothing of this is stale.
      sequence: String(1_000_000 + number),
      datacontenttype: "application/json",
      data,
    };
  }
}

interface Happening {
  readonly type: EventType;
  readonly subject: string;
  readonly data: EventData[EventType];
}

const happening = <T extends EventType>(
  type: T,
  subject: string,
  data: EventData[T],
): Happening => ({ type, subject, data });

const happen = (shop: DemoShop, chance: Chance, number: number): Happening => {
  const percent = chance.below(100);
  const product = chance.pick(shop.products);
  const { id } = product;
  if (percent < shares.stock) {
    const quantity = chance.below(20);
    return happening("shop.stock.changed", `stock/${id}`, { productId: id, quantity });
  }
  if (percent < shares.stock + shares.price) {
    const amount = (1 + chance.below(50_000) / 100).toFixed(2);
    const price = { amount, currency: shop.settings.currency };
    return happening("shop.price.changed", `price/${id}`, { productId: id, price });
  }
  if (percent < shares.stock + shares.price + shares.product) {
    return editProduct(product, chance, number);
  }
  return editRest(shop, chance, number);
};

/** One in three each: another name, another description, the whole product as it was. */
const editProduct = (
  product: DemoShop["products"][number],
  chance: Chance,
  number: number,
): Happening => {
  const { id, name, descriptionHtml } = product;
  const subject = `product/${id}`;
  const edit = chance.below(3);
  if (edit === 0) {
    return happening("shop.product.patched", subject, { id, name: `${name} ${number}` });
  }
  if (edit === 1) {
    const html = `${descriptionHtml ?? ""}<p>Edition <strong>${number}</strong>.</p>`;
    return happening("shop.product.patched", subject, { id, descriptionHtml: html });
  }
  return happening("shop.product.upserted", subject, product);
};

const editRest = (shop: DemoShop, chance: Chance, number: number): Happening => {
  const edit = chance.below(10);
  if (edit === 0) {
    const description = `Told for the ${number}th time.`;
    return happening("shop.settings.updated", "settings", { ...shop.settings, description });
  }
  if (edit < 4) {
    const page = chance.pick(shop.pages);
    const contentHtml = `${page.contentHtml}<p>As of ${number}.</p>`;
    return happening("shop.page.upserted", `page/${page.id}`, { ...page, contentHtml });
  }
  const category = chance.pick(shop.categories);
  const descriptionHtml = `<p>What is new: ${number}.</p>`;
  return happening("shop.category.upserted", `category/${category.id}`, {
    ...category,
    descriptionHtml,
  });
};
