import { productOfKey } from "../../../read-model/schema/keys.ts";
import { variantLineId } from "../../../read-model/schema/lines.ts";
import type { ProductCore } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { getVisibleCore } from "../change-log.ts";
import type { Derivation } from "../derivation.ts";
import { openProductRows, type ProductRows } from "../products/visible-product.ts";
import type { LineNotes } from "./line-notes.ts";
import { findStockChange, isConstant } from "./stock-change.ts";
import {
  findVariantChanges,
  type SelectShown,
  statesPrice,
  type VariantChanges,
} from "./variant-changes.ts";

/** Notes the lines of the products and variants that a batch changed. */
export const noteProductLines = (derivation: Derivation, notes: LineNotes): void => {
  const readRows = openProductRows(derivation.batch, derivation.stored);
  for (const id of findStated(derivation)) {
    const product = findProductChange(derivation, id);
    if (!product.wasShown) continue;
    noteProduct(notes, product);
    if (product.variants.length > 0) noteVariants(notes, product, readRows(id));
  }
};

/** Finds the products of which events stated more than a stock that looks the same. */
const findStated = (derivation: Derivation): ReadonlySet<number> => {
  const { productCores, prices, variantLists, variantStates, stocks } = derivation.batch;
  const tracked = [productCores, prices, variantLists, variantStates];
  const keys = tracked.flatMap((table): (number | string)[] => [...table.changedKeys()]);
  for (const key of stocks.changedKeys())
    if (findStockChange(derivation, key).shownAt > 0) keys.push(key);
  return new Set(keys.map(productOfKey));
};

/** What a batch changed of a product: log sequences of the last events, 0 where none did. */
interface ProductChange extends CoreChange, VariantChanges {
  readonly id: number;
  readonly pricedAt: number;
  readonly stock: ReturnType<typeof findStockChange>;
  /** Of a change that concerns all lines of the product. */
  readonly resetAt: number;
  /** Of a change of it or of any variant. */
  readonly statedAt: number;
}

const findProductChange = (derivation: Derivation, id: number): ProductChange => {
  const core = findCoreChange(derivation, id);
  const { listAt, variants } = core.wasShown
    ? findVariantChanges(derivation, id, core.selectShown)
    : none;
  const resetAt = Math.max(core.visibleAt, listAt, ...variants.map((each) => each.resetAt));
  return {
    ...{ id, listAt, variants, resetAt },
    pricedAt: derivation.batch.prices.changedAt(id),
    stock: findStockChange(derivation, id),
    statedAt: Math.max(resetAt, ...variants.map((each) => each.statedAt)),
    ...core,
  };
};

const none: VariantChanges = { listAt: 0, variants: [] };

interface CoreChange {
  readonly coreAt: number;
  /** Of a change that showed or hid the product. */
  readonly visibleAt: number;
  /** Of a change of what variants show of their product. */
  readonly sharedAt: number;
  readonly isShown: boolean;
  readonly wasShown: boolean;
  readonly selectShown: SelectShown;
}

const findCoreChange = ({ batch, stored }: Derivation, id: number): CoreChange => {
  const coreAt = batch.productCores.changedAt(id);
  if (coreAt === 0) {
    const isShown = stored.has(tables.products, id);
    return { coreAt, visibleAt: 0, sharedAt: 0, isShown, wasShown: isShown, selectShown: all };
  }
  const cores = batch.productCores.versions(id).map(getVisibleCore);
  return {
    coreAt,
    visibleAt: isConstant(cores.map(Boolean)) ? 0 : coreAt,
    sharedAt: isConstant(cores.map(toShared)) ? 0 : coreAt,
    isShown: cores.at(-1) !== undefined,
    wasShown: cores.some(Boolean),
    selectShown: (versions, at) => selectShown(cores, coreAt, versions, at),
  };
};

const all: SelectShown = (versions) => versions;

/** What was stated before the product was shown, or after it was hidden, never was shown. */
const selectShown = <T>(
  cores: readonly (ProductCore | undefined)[],
  coreAt: number,
  versions: readonly T[],
  at: number,
): readonly T[] => {
  const [before, after] = cores;
  if (cores.length !== 2) return versions;
  if (!before && after && at <= coreAt) return versions.slice(-1);
  return before && !after && at >= coreAt && versions.length === 2
    ? versions.slice(0, 1)
    : versions;
};

/** Variants without a name, an address or words for their options have those of the product. */
const toShared = (core: ProductCore | undefined) =>
  core && [core.name, core.url, core.facts?.options];

const noteProduct = (notes: LineNotes, product: ProductChange): void => {
  const { id, variants, stock, statedAt } = product;
  const ownStockAt = variants.length > 0 ? stock.orderableAt : 0;
  const prices = variants.map((each) => Math.max(each.pricedAt, each.stock.orderableAt));
  const stocks = variants.map((each) => each.stock.statusAt);
  notes.note("product", id, Math.max(product.coreAt, statedAt), product);
  notes.note("price", id, Math.max(statedAt, product.pricedAt, ownStockAt, ...prices), product);
  notes.note("stock", id, Math.max(statedAt, stock.shownAt, ...stocks), product);
};

/** Where one active variant states a price, each has a line of it: the product's may be that of another variant. */
const noteVariants = (
  notes: LineNotes,
  product: ProductChange,
  { active }: Pick<ProductRows, "active">,
): void => {
  const { variants, resetAt } = product;
  const current = new Map(active.map((each) => [each.content.id, each]));
  const hasPrices = active.some(({ priceGroup }) => statesPrice(priceGroup));
  const hadPrices = variants.some(({ hadPrice }) => hadPrice);
  for (const { id, statedAt, pricedAt, stock, wasActive } of variants) {
    const [lineId, own] = [variantLineId(product.id, id), current.get(id)];
    const isShown = product.isShown && own !== undefined;
    const at = Math.max(resetAt, statedAt);
    const basePriceAt = own?.priceGroup?.price ? 0 : product.pricedAt;
    const baseStockAt = own?.stock ? 0 : product.stock.shownAt;
    const note = (kind: "variant" | "price" | "stock", since: number, has: boolean, had: boolean) =>
      notes.note(kind, lineId, since, { isShown: isShown && has, wasShown: wasActive && had });
    note("variant", Math.max(at, product.sharedAt), true, true);
    note("price", Math.max(at, pricedAt, basePriceAt), hasPrices, hadPrices);
    note("stock", Math.max(at, stock.shownAt, baseStockAt), true, true);
  }
};
