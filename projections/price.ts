import type { EventOfType, Money } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import type { FieldGroup, PriceGroup, PriceRow } from "../src/read-model/schema/rows.ts";
import { deepEqual, evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult } from "./projection.ts";

type ProductPriceEvent = EventOfType<"shop.product.upserted" | "shop.product.patched">;
type PriceEvent = EventOfType<"shop.price.changed">;

const noPrice: PriceRow = { product: null, price: null, tie: null };

/** Folds `shop.price.changed` into the price that the price entity stated. */
export const evolvePrice = (row: PriceRow = noPrice, event: PriceEvent): EvolveResult<PriceRow> => {
  return writePrice(
    row,
    "price",
    evolveFieldGroup(row.price, versionOf(event), { money: event.data.price }),
  );
};

/**
 * Folds the price of a product event into the price that the product stated. A patch may change the amount alone: it
 * is merged with the current price, and rejected when the result is incomplete.
 * @returns undefined when the event has no price
 */
export const evolvePriceFromProduct = (
  row: PriceRow = noPrice,
  event: ProductPriceEvent,
): EvolveResult<PriceRow> | undefined => {
  if (event.data.price === undefined) return undefined;
  const money = event.data.price && toMoney({ ...currentPrice(row)?.money, ...event.data.price });
  if (money === undefined) {
    return {
      outcome: "refused",
      field: "data.price",
      reason: "data.price needs both amount and currency: the product has no price to merge with",
    };
  }
  return writePrice(row, "product", evolveFieldGroup(row.product, versionOf(event), { money }));
};

/**
 * Clears the price that a deleted product stated. The price of the price entity stays, for a product that returns.
 */
export const clearProductPrice = (
  row: PriceRow = noPrice,
  event: EventOfType<"shop.product.deleted">,
): EvolveResult<PriceRow> =>
  writePrice(row, "product", evolveFieldGroup(row.product, versionOf(event), null));

const writePrice = (
  row: PriceRow,
  source: "product" | "price",
  evolved: EvolveResult<FieldGroup<{ readonly money: Money | null }>>,
): EvolveResult<PriceRow> => {
  if (evolved.outcome !== "applied") return evolved;
  const { row: group } = evolved;
  const [stored, other] =
    source === "product" ? [row.product, row.price] : [row.price, row.product];
  const isDifferent = stored !== null && !sameMoney(stored, group);
  const previousPriceAt = isDifferent ? stored.version.time : (stored?.previousPriceAt ?? null);
  const tieWinner = other && compareTimes(other.version, group.version) === 0 ? source : null;
  const { version, contentChangedAt, content } = group;
  const written = { version, contentChangedAt, content, previousPriceAt };
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
  deepEqual(one.content, other.content);

const toMoney = ({ amount, currency }: Partial<Money>): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : { amount, currency };

/**
 * Returns the current price: the newer one of the product's and the price entity's. The later time wins. On equal times,
 * the later in the log (`tie`). Their `sequence`s cannot be compared, because each versions its own entity. The result
 * does not depend on how the events of the two interleave in the log, except on equal times.
 */
export const currentPrice = (
  row: PriceRow | undefined,
): { readonly money: Money | null; readonly changedAt: number } | undefined => {
  const [effective, other] = pricesByPrecedence(row);
  if (!effective?.content) return undefined;
  return {
    money: effective.content.money,
    changedAt: other ? computePriceChangedAt(effective, other) : effective.contentChangedAt,
  };
};

/** Lists the stated prices that were not cleared by a deletion, the current one first. */
export const pricesByPrecedence = (row: PriceRow | undefined): readonly PriceGroup[] => {
  const [product, price] = [row?.product, row?.price].map((group) =>
    group?.content ? group : null,
  );
  if (!product || !price) return [product ?? price].filter((group) => group != null);
  const difference = compareTimes(product.version, price.version);
  const productPrevails = difference > 0 || (difference === 0 && row?.tie === "product");
  return productPrevails ? [product, price] : [price, product];
};

/**
 * Computes when the current price was first stated since either source last stated another. The result depends on the two
 * rows alone, not on how their events interleave.
 */
const computePriceChangedAt = (effective: PriceGroup, other: PriceGroup): number => {
  const same = sameMoney(effective, other);
  const lastDifferentAt = Math.max(
    effective.previousPriceAt ?? 0,
    (same ? other.previousPriceAt : other.version.time) ?? 0,
  );
  const writtenAt = [effective, ...(same ? [other] : [])]
    .flatMap(({ contentChangedAt, version }) => [contentChangedAt, version.time])
    .filter((time) => time > lastDifferentAt);
  return writtenAt.length > 0 ? Math.min(...writtenAt) : effective.version.time;
};
