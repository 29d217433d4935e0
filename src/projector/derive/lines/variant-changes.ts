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

/** Selects of the versions of a row those that the product was shown with. @param at log sequence of the last change of the row */
export type SelectShown = <T>(versions: readonly T[], at: number) => readonly T[];

/** Compares the variants that a product had during a batch. */
export const findVariantChanges = (
  derivation: Derivation,
  product: number,
  selectShown: SelectShown,
): VariantChanges => {
  const { variantLists, variantStates } = derivation.batch;
  const lists = variantLists.versions(product).map((row) => row?.content ?? []);
  const listed = groupById(lists.flat());
  const shown = groupById(selectShown(lists, variantLists.changedAt(product)).flat());
  const ids = new Set([...listed.keys(), ...readStatedIds(derivation, product)]);
  const variants = [...ids].map((id) =>
    findVariantChange(derivation, variantKey(product, id), {
      listed: listed.get(id) ?? [],
      shown: shown.get(id) ?? [],
      selectShown,
    }),
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

interface ListEntries {
  /** Entries of a variant in the lists that the product had. */
  readonly listed: readonly VariantContent[];
  /** Those that the product was shown with. */
  readonly shown: readonly VariantContent[];
  readonly selectShown: SelectShown;
}

const findVariantChange = (
  derivation: Derivation,
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
    stock: findStockChange(derivation, key),
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
