import type { EventOfType, Money } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import type { Group, PriceGroup, PriceRow } from "../src/read-model/schema/rows.ts";
import { type Evolved, evolveGroup, isEqual, stampOf } from "./field-group.ts";

type ProductPriceEvent = EventOfType<"shop.product.upserted" | "shop.product.patched">;
type PriceEvent = EventOfType<"shop.price.changed">;

const noPrice: PriceRow = { product: null, price: null, tie: null };

/** The price group as `shop.price.changed` tells it. */
export const evolvePrice = (row: PriceRow = noPrice, event: PriceEvent): Evolved<PriceRow> => {
  return writePrice(
    row,
    "price",
    evolveGroup(row.price, stampOf(event), { money: event.data.price }),
  );
};

/**
 * The price inside a product event; undefined when the event says nothing of it. A patch may change the amount
 * alone: it merges with the price that counts then, and is refused when that leaves it incomplete.
 */
export const evolvePriceOfProduct = (
  row: PriceRow = noPrice,
  event: ProductPriceEvent,
): Evolved<PriceRow> | undefined => {
  if (event.data.price === undefined) return undefined;
  const money = event.data.price && toMoney({ ...currentPrice(row)?.money, ...event.data.price });
  if (money === undefined) {
    return {
      outcome: "refused",
      field: "data.price",
      reason: "data.price needs both amount and currency: the product has no price to merge with",
    };
  }
  return writePrice(row, "product", evolveGroup(row.product, stampOf(event), { money }));
};

/** A deleted product tells no price any more; what the price entity told stays, for a product that comes back. */
export const clearPriceOfProduct = (
  row: PriceRow = noPrice,
  event: EventOfType<"shop.product.deleted">,
): Evolved<PriceRow> => writePrice(row, "product", evolveGroup(row.product, stampOf(event), null));

const writePrice = (
  row: PriceRow,
  source: "product" | "price",
  evolved: Evolved<Group<{ readonly money: Money | null }>>,
): Evolved<PriceRow> => {
  if (evolved.outcome !== "applied") return evolved;
  const { row: group } = evolved;
  const [stored, other] =
    source === "product" ? [row.product, row.price] : [row.price, row.product];
  const isDifferent = stored !== null && !sameMoney(stored, group);
  const previousPriceAt = isDifferent ? stored.stamp.time : (stored?.toldOther ?? null);
  const tieWinner = other && compareTimes(other.stamp, group.stamp) === 0 ? source : null;
  const { stamp, changedAt, content } = group;
  const written = { stamp, changedAt, content, toldOther: previousPriceAt };
  return {
    outcome: "applied",
    row:
      source === "product"
        ? { product: written, price: row.price, tie: tieWinner }
        : { product: row.product, price: written, tie: tieWinner },
  };
};

type PriceContent = Pick<PriceGroup, "content">;

const sameMoney = (one: PriceContent, other: PriceContent): boolean =>
  isEqual(one.content, other.content);

const toMoney = ({ amount, currency }: Partial<Money>): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : { amount, currency };

/**
 * The price that counts: the newer of what the product and the price entity told. Their `sequence`s are versions
 * of two entities, so only time, then the log, can order them; that also makes the result independent of how
 * the two interleave in the log.
 */
export const currentPrice = (
  row: PriceRow | undefined,
): { readonly money: Money | null; readonly changedAt: number } | undefined => {
  const [effective, other] = newestFirst(row);
  if (!effective?.content) return undefined;
  return {
    money: effective.content.money,
    changedAt: other ? computePriceChangedAt(effective, other) : effective.changedAt,
  };
};

/** What was told of the price and not taken back, the one that counts first. */
export const newestFirst = (row: PriceRow | undefined): readonly PriceGroup[] => {
  const [product, price] = [row?.product, row?.price].map((group) =>
    group?.content ? group : null,
  );
  if (!product || !price) return [product ?? price].filter((group) => group != null);
  const difference = compareTimes(product.stamp, price.stamp);
  const productPrevails = difference > 0 || (difference === 0 && row?.tie === "product");
  return productPrevails ? [product, price] : [price, product];
};

/**
 * When the price that counts last became what it is: the first telling of it after the last telling of another one,
 * by whichever entity. It follows from the two rows alone, so it does not depend on how their events interleave.
 */
const computePriceChangedAt = (effective: PriceGroup, other: PriceGroup): number => {
  const same = sameMoney(effective, other);
  const lastDifferentAt = Math.max(
    effective.toldOther ?? 0,
    (same ? other.toldOther : other.stamp.time) ?? 0,
  );
  const writtenAt = [effective, ...(same ? [other] : [])]
    .flatMap(({ changedAt, stamp }) => [changedAt, stamp.time])
    .filter((time) => time > lastDifferentAt);
  return writtenAt.length > 0 ? Math.min(...writtenAt) : effective.stamp.time;
};
