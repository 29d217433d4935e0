import { applyEvent } from "../../../../projections/entities.ts";
import { currentPrices } from "../../../../projections/price.ts";
import type {
  EntityTable,
  KeyOf,
  RenderedRows,
  RowOf,
  TextCleaner,
} from "../../../../projections/projection.ts";
import { assembleVariants } from "../../../../projections/variants.ts";
import type { Money, ShopEvent } from "../../../events/event.ts";
import type { OptionData } from "../../../events/product-facts.ts";
import { emptyPriceGroup, type PriceGroup, variantPriceGroup } from "../../../offers/price.ts";
import { productOfKey, variantOfKey } from "../../../read-model/schema/keys.ts";
import type { VariantContent } from "../../../read-model/schema/product-parts.ts";
import type {
  CoreRow,
  PendingPatch,
  ProductCore,
  VariantListRow,
  VariantRow,
} from "../../../read-model/schema/rows.ts";

/** A warning about an event that breaks no rule. */
export interface LintWarning {
  readonly line: number;
  readonly field: string;
  readonly reason: string;
}

export const warnOf = (
  { logSequence: line }: ShopEvent,
  field: string,
  reason: string,
): readonly LintWarning[] => [{ line, field, reason }];

/** What no row holds of the prices of a product or variant. */
interface PriceRecord {
  /** Of all prices so far in the currency of the last one. */
  readonly highest: Money | null;
  /** The list price that was warned of, so that a product that is sent again gives one warning. */
  readonly warnedListPrice?: string;
}

/** Some 200,000 products with price and stock, in 300 MB. */
const maxItems = 800_000;

/** The rows that the events of all checked files give, folded as in the projector. */
export type LintModel = ReturnType<typeof openLintModel>;

export const openLintModel = (limit = { left: maxItems }) => {
  const unlimited = { left: Number.POSITIVE_INFINITY };
  const unread = { left: 0 };
  const rows = {
    settings: createRows(unlimited),
    categoryStates: createRows(limit),
    productCores: createRows(limit, shortenCore, countValues),
    prices: createRows(limit),
    variantLists: createRows(limit, shortenList, countVariants),
    variantStates: createRows(limit, shortenState),
    stocks: createRows(limit),
    robots: createRows(unread),
    pages: createRows(unread),
    carriers: createRows(unread),
    productTexts: createRows(unread),
    productPages: createRows(unread),
    agents: createRows(unread),
  } satisfies LintRows;
  return {
    rows,
    priceRecords: createRows<number | string, PriceRecord>(limit),
    isFull: () => limit.left <= 0,
    /** Folds an event. @returns whether it changed a row */
    apply: (event: ShopEvent): boolean => applyEvent(rows, event, asWritten).outcome === "applied",
  };
};

type LintRows = { readonly [T in EntityTable]: MemoryRows<KeyOf<T>, RowOf<T>> };

/** Leaves texts as the shop wrote them, because warnings quote them. */
const asWritten: TextCleaner = { hashHtml: () => "", cleanText: (text) => text };

const none: readonly never[] = [];

const shortenCore = (row: CoreRow): CoreRow => {
  const pending = row.pending?.map(shortenPatch) ?? null;
  if (!row.group?.content) return { ...row, pending };
  const { url, active, facts: { options } = {} } = row.group.content;
  const content: ProductCore = {
    ...{ name: "", url, reference: null, gtin: null, brand: null },
    ...{ categoryIds: none, specifications: none, images: none, active, html: null },
    ...(options && { facts: { options } }),
  };
  return { ...row, pending, group: { ...row.group, content }, moves: none };
};

const shortenPatch = ({ version, patch }: PendingPatch): PendingPatch => {
  const { descriptionHtml: _, specifications: __, images: ___, ...rest } = patch;
  return { version, patch: rest };
};

const countValues = (row: CoreRow): number =>
  optionsOf(row).reduce((sum, { values = [] }) => sum + values.length, 1);

/** Lists the options that events of a product state. A patch waits while the files have not stated its product. */
export const optionsOf = ({ group, pending }: CoreRow): readonly OptionData[] =>
  group?.content
    ? (group.content.facts?.options ?? [])
    : (pending ?? []).flatMap(({ patch }) => patch.options ?? []);

const shortenList = (row: VariantListRow): VariantListRow => ({
  ...row,
  content: row.content?.map(shortenVariant) ?? null,
});

const countVariants = ({ content }: VariantListRow): number =>
  (content ?? []).reduce((sum, { options }) => sum + 1 + options.length, 1);

const shortenState = (row: VariantRow): VariantRow => ({
  ...row,
  content: row.content && shortenVariant(row.content),
});

const shortenVariant = ({ id, options, active, priceGroup }: VariantContent): VariantContent => ({
  ...{ id, options, active },
  ...(priceGroup && { priceGroup }),
});

/** Returns the prices of a product, or those of a variant with what it has of its product. */
export const priceGroupOf = ({ rows }: LintModel, key: number | string): PriceGroup => {
  const product = currentPrices(rows.prices.get(productOfKey(key)))?.priceGroup ?? emptyPriceGroup;
  if (typeof key === "number") return product;
  const list = rows.variantLists.get(productOfKey(key));
  const state = rows.variantStates.get(key);
  const id = variantOfKey(key);
  const [variant] = assembleVariants({
    list: list && { ...list, content: list.content?.filter((each) => each.id === id) ?? null },
    states: new Map(state && [[id, state]]),
    price: () => rows.prices.get(key),
    stock: () => undefined,
  });
  const own = variant ? variant.priceGroup : currentPrices(rows.prices.get(key))?.priceGroup;
  return variantPriceGroup(own ?? null, product);
};

/** Limits the rows of all tables together, because files may be of any size. */
interface RowLimit {
  /** Rows, variants in lists and option values that may still be added, of some 300 bytes each. */
  left: number;
}

interface MemoryRows<K extends number | string, R> extends RenderedRows<K, R> {
  readonly byId: ReadonlyMap<K, R>;
  variantsOf(product: number): ReadonlyMap<K, R>;
}

/**
 * Creates a table. From the limit on, it takes no row of another key.
 * @param shorten drops what is not read again
 * @param count counts what a row adds to the limit
 */
const createRows = <K extends number | string, R>(
  limit: RowLimit,
  shorten: (row: R) => R = (row) => row,
  count: (row: R) => number = () => 1,
): MemoryRows<K, R> => {
  const byId = new Map<K, R>();
  const byProduct = new Map<number, Map<K, R>>();
  const rowsOf = (key: K): Map<K, R> | undefined =>
    typeof key === "number" ? byId : byProduct.get(productOfKey(key));
  const get = (key: K): R | undefined => rowsOf(key)?.get(key);
  return {
    byId,
    variantsOf: (product) => byProduct.get(product) ?? new Map(),
    get,
    put(key, row) {
      const before = get(key);
      if (before === undefined && limit.left <= 0) return;
      const stored = shorten(row);
      limit.left += (before === undefined ? 0 : count(before)) - count(stored);
      const rows = rowsOf(key) ?? new Map<K, R>();
      if (typeof key === "string") byProduct.set(productOfKey(key), rows);
      rows.set(key, stored);
    },
    remove: (key) => void rowsOf(key)?.delete(key),
    setHtml: () => undefined,
  };
};
