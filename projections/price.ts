import type { AmountMember, EventOfType, Money, ProductPatch } from "../src/events/event.ts";
import { priceMembers } from "../src/events/product-facts.ts";
import { compareTimes, type EventTime } from "../src/events/time.ts";
import { emptyPriceGroup, findPriceChanges, type PriceGroup } from "../src/offers/price.ts";
import { deepEqual } from "../src/platform/deep-equal.ts";
import type { EventVersion, PriceFieldGroup, PriceRow } from "../src/read-model/schema/rows.ts";
import { keepPastChanges, versionOf } from "./field-group.ts";
import {
  buildPriceGroup,
  foldPrices,
  type Origin,
  originOf,
  type PriceChanges,
  toPriceGroup,
} from "./price-group.ts";
import type { EvolveResult } from "./projection.ts";

type ProductPriceEvent = EventOfType<"shop.product.upserted" | "shop.product.patched">;
type PriceEvent = EventOfType<"shop.price.changed">;

const noPrices: PriceRow = { product: null, price: null, tie: null };

/**
 * Folds `shop.price.changed` into the prices that the price entity stated.
 * @param precededBy of a variant: ids of the events with the same time that stated the variant before
 */
export const evolvePrice = (
  row: PriceRow = noPrices,
  event: PriceEvent,
  precededBy: readonly string[] = [],
): EvolveResult<PriceRow> => {
  const version = versionOf(event);
  const origin = { version, isCleared: false };
  const folded = foldPrices(row.price, false, origin, toPriceGroup(event.data));
  const evolved = writePrices(row, "price", version, folded);
  if (evolved.outcome !== "applied" || precededBy.length === 0) return evolved;
  return { outcome: "applied", row: { ...evolved.row, precededBy } };
};

/**
 * Folds the prices of a product event into those that the product stated. A patch may change the amount alone: it is merged with the
 * current price, and rejected when the result is incomplete.
 * @returns undefined when the event has no member of the price group
 */
export const evolvePriceFromProduct = (
  row: PriceRow = noPrices,
  event: ProductPriceEvent,
): EvolveResult<PriceRow> | undefined => {
  if (!statesPrices(event)) return undefined;
  const version = versionOf(event);
  const changes =
    event.type === "shop.product.upserted"
      ? toPriceGroup(event.data)
      : mergeChanges(currentPrices(row)?.priceGroup ?? emptyPriceGroup, event.data);
  if ("outcome" in changes) return changes;
  return writePrices(row, "product", version, foldProduct(row, version, changes));
};

const foldProduct = (
  row: PriceRow,
  version: EventVersion,
  changes: PriceChanges,
  isCleared = false,
): EvolveResult<PriceFieldGroup> => {
  const origin: Origin = {
    version,
    isCleared,
    ...(hasTime(row.price, version) && { isLater: true }),
  };
  return foldPrices(row.product, row.tie === "product", origin, changes);
};

/** Whether a product event has a member of the price group. */
export const statesPrices = ({ data }: ProductPriceEvent): boolean =>
  priceMembers.some((member) => data[member] !== undefined);

/** Merges a patch with the current prices: an amount may leave out its currency. */
const mergeChanges = (
  current: PriceGroup,
  data: ProductPatch,
): PriceChanges | EvolveResult<never> => {
  const changes: { -readonly [M in keyof PriceGroup]?: PriceGroup[M] } = {};
  for (const member of amountMembers) {
    const change = data[member];
    if (change === undefined) continue;
    const money = change && toMoney({ ...current[member], ...change });
    if (money === undefined) return rejectIncomplete(member);
    changes[member] = money;
  }
  if (data.sales !== undefined) changes.sales = toPriceGroup({ sales: data.sales }).sales;
  return changes;
};

const amountMembers: readonly AmountMember[] = ["price", "listPrice", "priorPrice"];

const rejectIncomplete = (member: AmountMember): EvolveResult<never> => ({
  outcome: "refused",
  field: `data.${member}`,
  reason: `data.${member} needs both amount and currency: the product has no ${names[member]} to merge with`,
});

const names: Readonly<Record<AmountMember, string>> = {
  price: "price",
  listPrice: "list price",
  priorPrice: "prior price",
};

/** Clears the prices that a deleted product stated before. Those of the price entity stay, for a product that returns. */
export const clearProductPrice = (
  row: PriceRow = noPrices,
  event: EventOfType<"shop.product.deleted">,
): EvolveResult<PriceRow> => {
  const version = versionOf(event);
  const cleared = foldProduct(row, version, emptyPriceGroup, true);
  return writePrices(row, "product", version, cleared);
};

const writePrices = (
  row: PriceRow,
  source: "product" | "price",
  version: EventVersion,
  evolved: EvolveResult<PriceFieldGroup>,
): EvolveResult<PriceRow> => {
  if (evolved.outcome !== "applied") return evolved;
  const written = writeGroup(row, source, version, evolved.row);
  const past = keepPastChanges(
    row[source]?.pastChangesAt,
    findReplacedChanges(row, written),
    version,
    evolved.row.contentChangedAt,
  );
  if (!past.pastChangesAt) return { outcome: "applied", row: written };
  // A stored row has no gaps: `pastChangesAt` comes after `memberVersions`.
  const group = { memberVersions: [], ...evolved.row, ...past };
  return { outcome: "applied", row: { ...written, [source]: group } };
};

/** Lists the instants of price changes that no longer count; most prices have none. */
const findReplacedChanges = (row: PriceRow, written: PriceRow): readonly number[] => {
  if (!row.product?.content?.sales.length && !row.price?.content?.sales.length) return [];
  const [before, after] = [row, written].map(
    (each) => currentPrices(each)?.priceGroup ?? emptyPriceGroup,
  );
  return before && !deepEqual(before, after) ? findPriceChanges(before) : [];
};

const writeGroup = (
  row: PriceRow,
  source: "product" | "price",
  version: EventVersion,
  group: PriceFieldGroup,
): PriceRow => {
  if (source === "price") {
    const product = row.product && withoutTies(row.product);
    return { ...row, product, price: group, tie: hasTime(product, version) ? source : null };
  }
  const isOwn = group.version === version;
  const tie = isOwn ? (hasTime(row.price, version) ? source : null) : row.tie;
  return { ...row, product: group, tie };
};

/** A new price event is later in the log than every member that the product has. */
const withoutTies = ({ memberVersions, ...group }: PriceFieldGroup): PriceFieldGroup =>
  memberVersions
    ? { ...group, memberVersions: memberVersions.map(({ isLater: _, ...each }) => each) }
    : group;

const hasTime = (group: PriceFieldGroup | null, time: EventTime): boolean =>
  group !== null && compareTimes(group.version, time) === 0;

const toMoney = ({ amount, currency }: Partial<Money>): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : { amount, currency };

/**
 * Returns the current prices: each member from the newer one of the product's and the price entity's. The later time wins. On equal
 * times, the later in the log (`tie`). Their `sequence`s cannot be compared, because each versions its own entity. The result
 * does not depend on how the events of the two interleave in the log, except on equal times.
 * @returns the prices, and when they were first stated, milliseconds since 1970
 */
export const currentPrices = (
  row: PriceRow | undefined,
): { readonly priceGroup: PriceGroup; readonly changedAt: number } | undefined => {
  const [effective, other] = pricesByPrecedence(row);
  if (!effective?.content) return undefined;
  if (!other?.content)
    return { priceGroup: effective.content, changedAt: effective.contentChangedAt };
  const changedAt = computePriceChangedAt(effective, other);
  if (!row?.product?.memberVersions) return { priceGroup: effective.content, changedAt };
  const { priceGroup, isMixed } = mergeMembers(effective.content, row);
  return {
    priceGroup,
    changedAt: isMixed ? Math.max(changedAt, other.contentChangedAt) : changedAt,
  };
};

/** Selects each member from the source that set it last. */
const mergeMembers = (
  effective: PriceGroup,
  { product, price, tie }: PriceRow,
): { readonly priceGroup: PriceGroup; readonly isMixed: boolean } => {
  if (!product?.content || !price?.content) return { priceGroup: effective, isMixed: false };
  const [fromProduct, fromPrice] = [product.content, price.content];
  const isFromProduct = (member: keyof PriceGroup): boolean => {
    const { version, isCleared, isLater } = originOf(product, member, tie === "product");
    if (isCleared) return false;
    const difference = compareTimes(version, price.version);
    return difference > 0 || (difference === 0 && isLater === true);
  };
  const pick = <M extends keyof PriceGroup>(member: M): PriceGroup[M] =>
    (isFromProduct(member) ? fromProduct : fromPrice)[member];
  const priceGroup = buildPriceGroup(pick);
  return { priceGroup, isMixed: !deepEqual(priceGroup, effective) };
};

/** Lists the stated prices that were not cleared by a deletion, the current one first. */
export const pricesByPrecedence = (row: PriceRow | undefined): readonly PriceFieldGroup[] => {
  const [product, price] = [row?.product, row?.price].map((group) =>
    group?.content ? group : null,
  );
  if (!product || !price) return [product ?? price].filter((group) => group != null);
  const difference = compareTimes(product.version, price.version);
  const productPrevails = difference > 0 || (difference === 0 && row?.tie === "product");
  return productPrevails ? [product, price] : [price, product];
};

/**
 * Computes when the current prices were first stated since either source last stated others. The result depends on the two
 * rows alone, not on how their events interleave.
 */
const computePriceChangedAt = (effective: PriceFieldGroup, other: PriceFieldGroup): number => {
  const same = deepEqual(effective.content, other.content);
  const lastDifferentAt = Math.max(
    effective.previousPriceAt ?? 0,
    (same ? other.previousPriceAt : other.version.time) ?? 0,
  );
  const writtenAt = [effective, ...(same ? [other] : [])]
    .flatMap(({ contentChangedAt, version }) => [contentChangedAt, version.time])
    .filter((time) => time > lastDifferentAt);
  return writtenAt.length > 0 ? Math.min(...writtenAt) : effective.version.time;
};
