import { productOfKey } from "../../../read-model/schema/keys.ts";
import { lineKey, variantLineId } from "../../../read-model/schema/lines.ts";
import type { ProductCore } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { getVisibleCore } from "../change-log.ts";
import type { Derivation } from "../derivation.ts";
import { openProductRows, type ProductRows } from "../products/visible-product.ts";
import type { LineChange, LineNotes } from "./line-notes.ts";
import {
  type FindStockChange,
  isConstant,
  openStockChanges,
  type StockChange,
} from "./stock-change.ts";
import {
  openVariantChanges,
  type SelectShown,
  statesPrice,
  type VariantChanges,
} from "./variant-changes.ts";

/** Notes the lines of the products and variants that a batch changed. */
export const noteProductLines = (derivation: Derivation, notes: LineNotes): void => {
  const findStockChange = openStockChanges(derivation);
  const findVariants = openVariantChanges(derivation, findStockChange);
  const readRows = openProductRows(derivation.batch, derivation.stored);
  for (const id of findStated(derivation, findStockChange)) {
    const core = findCoreChange(derivation, id);
    if (!core.wasShown) continue;
    const pricedAt = derivation.batch.prices.changedAt(id);
    const product = { id, core, pricedAt, stock: findStockChange(id), ...findVariants(id, core) };
    noteProduct(notes, product);
    if (product.variants.length > 0) noteVariants(notes, product, readRows(id));
  }
};

/** Finds the products of which events stated more than a stock that looks the same. */
const findStated = (
  { batch }: Derivation,
  findStockChange: FindStockChange,
): ReadonlySet<number> => {
  const { productCores, prices, variantLists, variantStates, stocks } = batch;
  const products = new Set<number>();
  for (const table of [productCores, prices, variantLists, variantStates])
    for (const key of table.changedKeys()) products.add(productOfKey(key));
  for (const key of stocks.changedKeys())
    if (findStockChange(key).shownAt > 0) products.add(productOfKey(key));
  return products;
};

/** What a batch changed of a product: log sequences of the last events, 0 where none did. */
interface ProductChange extends VariantChanges {
  readonly id: number;
  readonly core: CoreChange;
  readonly pricedAt: number;
  readonly stock: StockChange;
}

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
  const visibleAt = isConstant(cores.map(Boolean)) ? 0 : coreAt;
  return {
    ...{ coreAt, visibleAt },
    sharedAt: visibleAt || (isConstant(cores.map(toShared)) ? 0 : coreAt),
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
  const { core, variants, stock, statedAt } = product;
  const pricedAt = Math.max(
    ...[statedAt, product.pricedAt, variants.length > 0 ? stock.orderableAt : 0],
    ...variants.map((each) => Math.max(each.pricedAt, each.stock.orderableAt)),
  );
  const stockedAt = Math.max(
    statedAt,
    stock.shownAt,
    ...variants.map((each) => each.stock.statusAt),
  );
  const { isShown, wasShown } = core;
  const toChange = (at: number): LineChange => ({ at, isShown, wasShown });
  const changes = [Math.max(core.coreAt, statedAt), pricedAt, stockedAt].map(toChange);
  notes.note(lineKey("product", product.id), changes);
};

/** Where one active variant states a price, each has a line of it: the product's may be that of another variant. */
const noteVariants = (
  notes: LineNotes,
  product: ProductChange,
  { active }: Pick<ProductRows, "active">,
): void => {
  const { core, variants, resetAt } = product;
  const current = new Map(active.map((each) => [each.content.id, each]));
  const hasPrices = active.some(({ priceGroup }) => statesPrice(priceGroup));
  const hadPrices = variants.some(({ hadPrice }) => hadPrice);
  for (const { id, pricedAt, stock, wasActive, ...variant } of variants) {
    const own = current.get(id);
    const statedAt = Math.max(resetAt, variant.statedAt);
    const basePriceAt = own?.priceGroup?.price ? 0 : product.pricedAt;
    const baseStockAt = own?.stock ? 0 : product.stock.shownAt;
    const isShown = core.isShown && own !== undefined;
    notes.note(lineKey("product", variantLineId(product.id, id)), [
      { at: Math.max(statedAt, core.sharedAt), isShown, wasShown: wasActive },
      {
        at: Math.max(statedAt, pricedAt, basePriceAt),
        isShown: isShown && hasPrices,
        wasShown: wasActive && hadPrices,
      },
      { at: Math.max(statedAt, stock.shownAt, baseStockAt), isShown, wasShown: wasActive },
    ]);
  }
};
