import type { PriceMembers } from "../../src/events/product-facts.ts";
import { type Happening, type Life, later, on, priceGroup, variantStock } from "./life.ts";
import { type Range, ranges, usd } from "./ranges.ts";
import { statuses, stockWithStatus } from "./statuses.ts";
import { pick } from "./teller.ts";
import { combinations, skuOf } from "./variants.ts";

/** What happens to goods with variants, what is on sale, and stock that has a status. */
export function* seasons(life: Life): Generator<Happening> {
  for (const range of ranges) yield* sellVariants(life, range);
  yield* sales(life);
  yield* ownPrices(life);
  yield* runners(life);
  for (const { day, ...data } of statuses) {
    yield {
      time: on(day, "status", data.productId),
      tell: (time) => stockWithStatus(life.teller, data, time),
    };
  }
}

const firstDay = "2026-09-02";
const salesPerRange = 4;

/** Sales every 18 days or so. A large one is followed by a delivery after ten days, except the last. */
function* sellVariants(life: Life, range: Range): Generator<Happening> {
  const { product, options } = range;
  const count = combinations(options).length;
  for (let sale = 0; sale < salesPerRange; sale += 1) {
    const variant = 1 + pick(count, "variant", product, sale);
    const day = later(firstDay, sale * 18 + pick(16, "day", product, sale));
    const sold = 1 + pick(15, "sold", product, sale);
    yield {
      time: on(day, "variant", product),
      tell: (time) => variantStock(life, range, variant, (left) => left - sold, time),
    };
    if (sold <= 8 || sale === salesPerRange - 1) continue;
    yield {
      time: on(later(day, 10), "delivery", product),
      tell: (time) => variantStock(life, range, variant, (left) => left + 12, time),
    };
  }
}

/** One sale is over, one is in force and one is to come. The shop charged the list price until it lowered the price. */
function* sales(life: Life): Generator<Happening> {
  yield priced(life, 1921, "2026-09-24", {
    price: usd("59.99"),
    sales: [saleOf("49.99", "2026-10-01T00:00:00-04:00", "2026-10-12T00:00:00-04:00")],
  });
  yield priced(life, 1300, "2026-11-09", {
    price: usd("129.99"),
    sales: [saleOf("99.99", "2026-11-13T00:00:00-05:00", "2029-01-01T00:00:00-05:00")],
  });
  yield priced(life, 1244, "2026-11-10", {
    price: usd("149.99"),
    sales: [saleOf("119.99", "2028-11-24T00:00:00-05:00", "2028-11-28T00:00:00-05:00")],
  });
  yield priced(life, 1382, "2026-11-02", { price: usd("34.99"), listPrice: usd("39.99") });
}

/** The largest size costs less for three weeks, and the last pairs of one size are cleared. */
function* ownPrices(life: Life): Generator<Happening> {
  yield priced(life, 1400, "2026-09-28", { price: usd("25.99") }, 5);
  yield priced(life, 1400, "2026-10-19", { price: usd("27.99") }, 5);
  const clearance = { price: usd("129.99"), sales: [saleOf("89.99", "2026-11-01T00:00:00-04:00")] };
  yield priced(life, 1904, "2026-10-30", clearance, 5);
}

const saleOf = (amount: string, from: string, to: string | null = null) => ({
  price: usd(amount),
  from,
  to,
});

const priced = (
  life: Life,
  productId: number,
  day: string,
  members: PriceMembers & { readonly price: NonNullable<PriceMembers["price"]> },
  variantId?: number,
): Happening => ({
  time: on(day, "priced", productId, variantId ?? 0),
  tell: (time) =>
    priceGroup(life.teller, { productId, ...(variantId && { variantId }), ...members }, time),
});

/** A product whose variants are stated one by one gets a further size, which is given up after a month. */
function* runners({ teller }: Life): Generator<Happening> {
  const [productId, id] = [1948, 7];
  const subject = `variant/${productId}/${id}`;
  const options = [
    { name: "Color", value: "Grey" },
    { name: "Size", value: "11" },
  ];
  const data = { productId, id, sku: skuOf("FOO-SNE-1948", options), options, price: usd("94.99") };
  const time = on("2026-10-03", subject);
  yield { time, tell: (time) => teller.tell("shop.variant.upserted", subject, time, data) };
  const stock = { productId, variantId: id, quantity: 4 };
  yield {
    time: time + 2000,
    tell: (time) => teller.tell("shop.stock.changed", `stock/${productId}/${id}`, time, stock),
  };
  yield {
    time: on("2026-11-06", subject),
    tell: (time) => teller.tell("shop.variant.deleted", subject, time, { productId, id }),
  };
}
