import type { EventOfType, Money } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import type { Group, PriceGroup, PriceRow } from "../src/read-model/schema/rows.ts";
import { type Evolved, evolveGroup, isEqual, stampOf } from "./field-group.ts";

type ByProduct = EventOfType<"shop.product.upserted" | "shop.product.patched">;
type ByPrice = EventOfType<"shop.price.changed">;

const untold: PriceRow = { product: null, price: null, tie: null };

/** The price group as `shop.price.changed` tells it. */
export const evolvePrice = (row: PriceRow = untold, event: ByPrice): Evolved<PriceRow> => {
  return told(row, "price", evolveGroup(row.price, stampOf(event), { money: event.data.price }));
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
  return told(row, "product", evolveGroup(row.product, stampOf(event), { money }));
};

/** A deleted product tells no price any more; what the price entity told stays, for a product that comes back. */
export const clearPriceOfProduct = (
  row: PriceRow = untold,
  event: EventOfType<"shop.product.deleted">,
): Evolved<PriceRow> => told(row, "product", evolveGroup(row.product, stampOf(event), null));

const told = (
  row: PriceRow,
  by: "product" | "price",
  evolved: Evolved<Group<{ readonly money: Money | null }>>,
): Evolved<PriceRow> => {
  if (evolved.outcome !== "applied") return evolved;
  const { row: group } = evolved;
  const [known, other] = by === "product" ? [row.product, row.price] : [row.price, row.product];
  const isOther = known !== null && !sameMoney(known, group);
  const toldOther = isOther ? known.stamp.time : (known?.toldOther ?? null);
  const tie = other && compareTimes(other.stamp, group.stamp) === 0 ? by : null;
  const { stamp, changedAt, content } = group;
  const newest = { stamp, changedAt, content, toldOther };
  return {
    outcome: "applied",
    row:
      by === "product"
        ? { product: newest, price: row.price, tie }
        : { product: row.product, price: newest, tie },
  };
};

type Told = Pick<PriceGroup, "content">;

const sameMoney = (one: Told, other: Told): boolean => isEqual(one.content, other.content);

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
  const [newest, other] = newestFirst(row);
  if (!newest?.content) return undefined;
  return {
    money: newest.content.money,
    changedAt: other ? changeOf(newest, other) : newest.changedAt,
  };
};

/** What was told of the price and not taken back, the one that counts first. */
export const newestFirst = (row: PriceRow | undefined): readonly PriceGroup[] => {
  const [product, price] = [row?.product, row?.price].map((group) =>
    group?.content ? group : null,
  );
  if (!product || !price) return [product ?? price].filter((group) => group != null);
  const difference = compareTimes(product.stamp, price.stamp);
  const productCounts = difference > 0 || (difference === 0 && row?.tie === "product");
  return productCounts ? [product, price] : [price, product];
};

/**
 * When the price that counts last became what it is: the first telling of it after the last telling of another one,
 * by whichever entity. It follows from the two rows alone, so it does not depend on how their events interleave.
 */
const changeOf = (newest: PriceGroup, other: PriceGroup): number => {
  const same = sameMoney(newest, other);
  const otherwise = Math.max(
    newest.toldOther ?? 0,
    (same ? other.toldOther : other.stamp.time) ?? 0,
  );
  const tellings = [newest, ...(same ? [other] : [])]
    .flatMap(({ changedAt, stamp }) => [changedAt, stamp.time])
    .filter((time) => time > otherwise);
  return tellings.length > 0 ? Math.min(...tellings) : newest.stamp.time;
};
