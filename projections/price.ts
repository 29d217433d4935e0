import type { EventOfType, Money } from "../src/events/event.ts";
import type { PriceGroup, PriceRow } from "../src/read-model/states.ts";
import { type Evolved, evolveGroup, stampOf } from "./group.ts";

type ByProduct = EventOfType<"shop.product.upserted" | "shop.product.patched">;
type ByPrice = EventOfType<"shop.price.changed">;

const untold: PriceRow = { product: null, price: null };

/** The price group as `shop.price.changed` tells it. */
export const evolvePrice = (row: PriceRow = untold, event: ByPrice): Evolved<PriceRow> => {
  const evolved = evolveGroup(row.price, stampOf(event), { money: event.data.price });
  return evolved.outcome === "applied"
    ? { outcome: "applied", row: { ...row, price: evolved.row } }
    : evolved;
};

/**
 * The price inside a product event; undefined when the event says nothing of it. A patch may change the amount
 * alone: it merges with the price that counts then, and is refused when that leaves it incomplete.
 */
export const evolvePriceOfProduct = (
  row: PriceRow = untold,
  event: ByProduct,
): Evolved<PriceRow> | undefined => {
  if (event.data.price === undefined) return undefined;
  const money = event.data.price && complete({ ...currentPrice(row)?.money, ...event.data.price });
  if (money === undefined) {
    return {
      outcome: "refused",
      field: "data.price",
      reason: "data.price needs both amount and currency: the product has no price to merge with",
    };
  }
  const evolved = evolveGroup(row.product, stampOf(event), { money });
  return evolved.outcome === "applied"
    ? { outcome: "applied", row: { ...row, product: evolved.row } }
    : evolved;
};

const complete = ({ amount, currency }: Partial<Money>): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : { amount, currency };

/**
 * The price that counts: the newer of what the product and the price entity told. Their `sequence`s are versions
 * of two entities, so only time, then the log, can order them; that also makes the result independent of how
 * the two interleave in the log.
 */
export const currentPrice = (
  row: PriceRow | undefined,
): { readonly money: Money | null; readonly changedAt: number } | undefined => {
  const known = [row?.product, row?.price].filter((group): group is PriceGroup => group != null);
  const [newest, other] = known.sort(
    (a, b) => b.stamp.time - a.stamp.time || b.stamp.seq - a.stamp.seq,
  );
  if (!newest?.content) return undefined;
  return {
    money: newest.content.money,
    changedAt: other ? changeOf(newest, other) : newest.changedAt,
  };
};

/** When the newer group last made a difference, given what the other one said before it. */
const changeOf = (newest: PriceGroup, other: PriceGroup): number => {
  const same = JSON.stringify(newest.content) === JSON.stringify(other.content);
  if (same) return Math.max(newest.changedAt, other.changedAt);
  return newest.changedAt > other.stamp.time ? newest.changedAt : newest.stamp.time;
};
