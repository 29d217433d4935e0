import type { CloudEvent } from "../../src/events/envelope.ts";
import { priceChanged, productUpserted, stockChanged } from "./events.ts";

/**
 * Generates the events of a working shop: prices, stock and some edits. The same arguments give the same
 * events.
 * @param products number of products; their ids start at 1
 */
export function* shopAtWork(products: number, events: number): Generator<CloudEvent> {
  const start = Date.UTC(2026, 9, 1);
  for (let at = 0; at < events; at += 1) {
    const id = 1 + ((at * 7_919) % products);
    const about = { id: `life-${at}`, time: new Date(start + at * 1_000).toISOString() };
    const amount = `${1 + (at % 90)}.00`;
    if (at < products) yield productUpserted({ id: at + 1 }, about);
    else if (at % 10 < 7) yield stockChanged({ productId: id, quantity: at % 5 }, about);
    else if (at % 10 < 9)
      yield priceChanged({ productId: id, price: { amount, currency: "EUR" } }, about);
    else yield productUpserted({ id, name: `Product ${id}, edition ${at}` }, about);
  }
}
