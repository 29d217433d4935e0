import { isEmptyGroup, type PriceGroup } from "../../../offers/price.ts";
import { variantKey, variantKeys, variantOfKey } from "../../../read-model/schema/keys.ts";
import type { VariantContent } from "../../../read-model/schema/product-parts.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { Derivation } from "../derivation.ts";
import { findStockChange, isConstant, type StockChange } from "./stock-change.ts";

/** What a batch changed of a variant: log sequences of the last events, 0 where none did; and what it was during the batch. */
export interface VariantChange {
  readonly id: number;
  /** Of the variant itself. */
  readonly statedAt: number;
  readonly pricedAt: number;
  readonly stock: StockChange;
  /** Of a change by which lines of other variants may begin or end. */
  readonly resetAt: number;
  readonly wasActive: boolean;
  readonly hadPrice: boolean;
}

export interface VariantChanges {
  /** Of the list of variants. */
  readonly listAt: number;
  readonly variants: readonly VariantChange[];
}

/** Compares the variants that a product had during a batch. */
export const findVariantChanges = (derivation: Derivation, product: number): VariantChanges => {
  const { variantLists, variantStates } = derivation.batch;
  const lists = variantLists.versions(product).map((row) => row?.content ?? []);
  const listed = groupById(lists.flat());
  const ids = new Set([...listed.keys(), ...readStatedIds(derivation, product)]);
  const variants = [...ids].map((id) =>
    findVariantChange(derivation, variantKey(product, id), listed.get(id) ?? []),
  );
  // A second source may count less, or more, since the list was stated again.
  const hasOtherSource = [...listed].some(
    ([id, entries]) =>
      variantStates.get(variantKey(product, id)) !== undefined ||
      hasOtherPrice(derivation, variantKey(product, id), entries),
  );
  const restatedAt = hasOtherSource ? variantLists.statedAt(product) : 0;
  return { listAt: variantLists.changedAt(product) || restatedAt, variants };
};

const groupById = (
  entries: readonly VariantContent[],
): ReadonlyMap<number, readonly VariantContent[]> => {
  const groups = new Map<number, VariantContent[]>();
  for (const entry of entries) {
    const group = groups.get(entry.id);
    if (group) group.push(entry);
    else groups.set(entry.id, [entry]);
  }
  return groups;
};

/** Reads the ids of the variants that have events of their own. */
const readStatedIds = ({ stored }: Derivation, product: number): readonly number[] =>
  Array.from(stored.keys(tables.variantStates, variantKeys(product)), variantOfKey);

const hasOtherPrice = (
  { batch }: Derivation,
  key: string,
  contents: readonly VariantContent[],
): boolean => contents.some(({ priceGroup }) => priceGroup) && batch.prices.get(key)?.price != null;

/** @param listed entries of the variant in the lists that the product had */
const findVariantChange = (
  derivation: Derivation,
  key: string,
  listed: readonly VariantContent[],
): VariantChange => {
  const { variantStates, prices } = derivation.batch;
  const own = variantStates.versions(key).map((row) => row?.content);
  const contents = [...listed, ...own.filter((content) => content != null)];
  const groups = prices.versions(key).map((row) => row?.price?.content);
  const hasTwoSources = listed.length > 0 || hasOtherPrice(derivation, key, contents);
  const restatedAt = hasTwoSources ? variantStates.statedAt(key) : 0;
  const active = contents.filter((content) => content.active);
  const repricedAt = contents.some(({ priceGroup }) => priceGroup) ? prices.statedAt(key) : 0;
  return {
    id: variantOfKey(key),
    statedAt: variantStates.changedAt(key) || restatedAt,
    pricedAt: prices.changedAt(key) || repricedAt,
    stock: findOwnStockChange(derivation, key),
    resetAt: Math.max(
      ...[restatedAt, repricedAt],
      isConstant(own.map(toLineState)) ? 0 : variantStates.changedAt(key),
      isConstant(groups.map(statesPrice)) ? 0 : prices.changedAt(key),
    ),
    wasActive: active.length > 0,
    hadPrice:
      active.length > 0 &&
      [...groups, ...active.map(({ priceGroup }) => priceGroup)].some(statesPrice),
  };
};

/** Before its first stock, a variant has that of the product. */
const findOwnStockChange = (derivation: Derivation, key: string): StockChange => {
  const { stocks } = derivation.batch;
  const at = stocks.changedAt(key);
  return at > 0 && stocks.versions(key)[0] === undefined
    ? { shownAt: at, statusAt: at, orderableAt: at }
    : findStockChange(derivation, key);
};

/** What of a variant decides which lines exist. */
const toLineState = (content: VariantContent | null | undefined) => [
  content?.active ?? false,
  statesPrice(content?.priceGroup),
];

export const statesPrice = (group: PriceGroup | null | undefined): boolean =>
  group != null && !isEmptyGroup(group);
