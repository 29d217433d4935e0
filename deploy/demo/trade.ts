import { type Happening, type Life, later, on, price, stock, within } from "./life.ts";
import type { SourceProduct } from "./source.ts";
import { pick } from "./teller.ts";

const firstDay = "2026-09-02";
const tradingDays = 74;
const salesPerDay = 7;

/** What is sold and restocked, and at what price, for goods that stay in the shop. */
export function* trade(
  life: Life,
  stays: (source: SourceProduct) => boolean,
): Generator<Happening> {
  const goods = life.source.products.filter(stays);
  for (let day = 0; day < tradingDays; day += 1) {
    for (let sale = 0; sale < salesPerDay; sale += 1) yield* sell(life, goods, day, sale);
    if (day % 2 === 0) yield reprice(life, goods, day);
  }
  yield* jacketWeeks(life);
  yield* halloween(life);
  yield* oddities(life);
}

/** Some sales empty the shelf; most of those are filled again a week later. */
function* sell(
  life: Life,
  goods: readonly SourceProduct[],
  day: number,
  sale: number,
): Generator<Happening> {
  const source = goods[pick(goods.length, "sale", day, sale)];
  if (source === undefined) return;
  const { number } = source;
  const sold = 1 + pick(40, "sold", day, sale);
  const date = later(firstDay, day);
  yield {
    time: on(date, "sale", sale),
    tell: (time) => stock(life, number, Math.max(0, (life.left.get(number) ?? 0) - sold), time),
  };
  if (sold <= 25 || day + 7 >= tradingDays) return;
  yield {
    time: on(later(date, 7), "again", sale),
    tell: (time) => stock(life, number, 10 + pick(50, "again", number, day), time),
  };
}

function reprice(life: Life, goods: readonly SourceProduct[], day: number): Happening {
  const source = goods[pick(goods.length, "reprice", day)] as SourceProduct;
  const percent = 90 + pick(21, "percent", day);
  return {
    time: on(later(firstDay, day), "reprice"),
    tell: (time) => price(life, source, percent, time),
  };
}

/** Two weeks of jackets at four fifths, then back. */
function* jacketWeeks(life: Life): Generator<Happening> {
  for (const source of within(life, "apparel/jacket").slice(0, 12)) {
    const { number } = source;
    yield { time: on("2026-09-21", number), tell: (time) => price(life, source, 80, time) };
    yield { time: on("2026-10-05", number), tell: (time) => price(life, source, 100, time) };
  }
}

/** On the last days before Halloween its goods cost half, and most sell out. */
function* halloween(life: Life): Generator<Happening> {
  for (const source of within(life, "seasonal/halloween")) {
    const { number, id } = source;
    const left = Math.max(0, pick(12, "halloween", id) - 8);
    yield { time: on("2026-10-29", number), tell: (time) => price(life, source, 50, time) };
    yield { time: on("2026-10-31", number), tell: (time) => stock(life, number, left, time) };
  }
}

/** Stock that is no plain count: travel is not counted, and a drill is held back for a check. */
function* oddities(life: Life): Generator<Happening> {
  const journeys = within(life, "books/travel").slice(0, 5);
  const drills = within(life, "tools/drill").slice(0, 1);
  for (const { number } of journeys) yield oddity(life, number, null, true);
  for (const { number } of drills) yield oddity(life, number, 5, false);
}

const oddity = (
  { teller }: Life,
  productId: number,
  quantity: number | null,
  orderable: boolean,
): Happening => ({
  time: on("2026-11-15", productId),
  tell: (time) => {
    const data = { productId, quantity, orderable };
    return teller.tell("shop.stock.changed", `stock/${productId}`, time, data);
  },
});
