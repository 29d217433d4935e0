import { isEmptyGroup, type PriceGroup } from "../../../offers/price.ts";
import { variantKey, variantOfKey } from "../../../read-model/schema/keys.ts";
import type { VariantContent } from "../../../read-model/schema/product-parts.ts";
import type { Derivation } from "../derivation.ts";
import { openStatedVariants } from "../products/visible-product.ts";
import { type FindStockChange, isConstant, type StockChange } from "./stock-change.ts";

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
  readonly variants: readonly VariantChange[];
  /** Of a change that concerns all lines of the product. */
  readonly resetAt: number;
  /** Of a change of the list, or of any variant. */
  readonly statedAt: number;
}

/** Selects of the versions of a row those that the product was shown with. @param at log sequence of the last change of the row */
export type SelectShown = <T>(versions: readonly T[], at: number) => readonly T[];

/** What decides which variants were shown. */
interface ShownProduct {
  /** Log sequence of the last event that showed or hid the product; 0 when none did. */
  readonly visibleAt: number;
  readonly selectShown: SelectShown;
}

/** Compares the variants that products had during a batch. */
export const openVariantChanges = (
  derivation: Derivation,
  findStockChange: FindStockChange,
): ((product: number, shown: ShownProduct) => VariantChanges) => {
  const { variantLists } = derivation.batch;
  const readStatedIds = openStatedVariants(derivation.stored);
  return (product, { visibleAt, selectShown }) => {
    const lists = variantLists.versions(product).map((row) => row?.content ?? []);
    const listed = groupById(lists.flat());
    const statedIds = readStatedIds(product);
    const listAt = Math.max(visibleAt, findListChange(derivation, product, listed));
    if (listed.size === 0 && statedIds.length === 0)
      return { variants: [], resetAt: listAt, statedAt: listAt };
    const shown = groupById(selectShown(lists, variantLists.changedAt(product)).flat());
    const variants = [...new Set([...listed.keys(), ...statedIds])].map((id) =>
      findVariantChange(derivation, findStockChange, variantKey(product, id), {
        listed: listed.get(id) ?? [],
        shown: shown.get(id) ?? [],
        selectShown,
      }),
    );
    const resetAt = Math.max(listAt, ...variants.map((each) => each.resetAt));
    const statedAt = Math.max(resetAt, ...variants.map((each) => each.statedAt));
    return { variants, resetAt, statedAt };
  };
};

/** A second source of a listed variant may count less, or more, since the list was stated again. */
const findListChange = (
  derivation: Derivation,
  product: number,
  listed: ReadonlyMap<number, readonly VariantContent[]>,
): number => {
  const { variantLists, variantStates } = derivation.batch;
  const hasOtherSource = ([id, entries]: readonly [number, readonly VariantContent[]]): boolean => {
    const key = variantKey(product, id);
    return variantStates.get(key) !== undefined || hasOtherPrice(derivation, key, entries);
  };
  const [changedAt, restatedAt] = [variantLists.changedAt(product), variantLists.statedAt(product)];
  return changedAt || (restatedAt > 0 && [...listed].some(hasOtherSource) ? restatedAt : 0);
};

const noEntries: ReadonlyMap<number, readonly VariantContent[]> = new Map();

const groupById = (
  entries: readonly VariantContent[],
): ReadonlyMap<number, readonly VariantContent[]> => {
  if (entries.length === 0) return noEntries;
  const groups = new Map<number, VariantContent[]>();
  for (const entry of entries) {
    const group = groups.get(entry.id);
    if (group) group.push(entry);
    else groups.set(entry.id, [entry]);
  }
  return groups;
};

const hasOtherPrice = (
  { batch }: Derivation,
  key: string,
  contents: readonly VariantContent[],
): boolean => contents.some(({ priceGroup }) => priceGroup) && batch.prices.get(key)?.price != null;

interface ListEntries {
  /** Entries of a variant in the lists that the product had. */
  readonly listed: readonly VariantContent[];
  /** Those that the product was shown with. */
  readonly shown: readonly VariantContent[];
  readonly selectShown: SelectShown;
}

const findVariantChange = (
  derivation: Derivation,
  findStockChange: FindStockChange,
  key: string,
  { listed, shown, selectShown }: ListEntries,
): VariantChange => {
  const { variantStates, prices } = derivation.batch;
  const own = variantStates.versions(key).map((row) => row?.content);
  const contents = [...listed, ...own.filter((content) => content != null)];
  const groups = prices.versions(key).map((row) => row?.price?.content);
  const hasTwoSources = listed.length > 0 || hasOtherPrice(derivation, key, contents);
  const restatedAt = hasTwoSources ? variantStates.statedAt(key) : 0;
  const shownStates = selectShown(own, variantStates.changedAt(key)).filter((each) => each != null);
  const active = [...shown, ...shownStates].filter((content) => content.active);
  const repricedAt = contents.some(({ priceGroup }) => priceGroup) ? prices.statedAt(key) : 0;
  return {
    id: variantOfKey(key),
    statedAt: variantStates.changedAt(key) || restatedAt,
    pricedAt: prices.changedAt(key) || repricedAt,
    stock: findStockChange(key),
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

/** What of a variant decides which lines exist. */
const toLineState = (content: VariantContent | null | undefined) => [
  content?.active ?? false,
  statesPrice(content?.priceGroup),
];

export const statesPrice = (group: PriceGroup | null | undefined): boolean =>
  group != null && !isEmptyGroup(group);
