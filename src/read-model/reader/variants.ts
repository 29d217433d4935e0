import type { NameValue } from "../../events/event.ts";
import type { PriceGroup } from "../../offers/price.ts";
import { priceAt } from "../../offers/price.ts";
import { outOfStock } from "../../offers/stock.ts";
import { lazy } from "../../platform/memo.ts";
import { parseUrl } from "../../text/parse-url.ts";
import type { ProductText, VariantMembers } from "../schema/documents.ts";
import type { OptionValues } from "../schema/filter-values.ts";
import type { Image } from "../schema/product-parts.ts";
import type { ReadTables } from "../store/store.ts";
import { type Offer, offerAt, type View } from "./offer.ts";
import {
  listOptions,
  openVariants,
  type StoredVariants,
  toVariantChoices,
  type VariantChoices,
} from "./variants-row.ts";

/** What events state of an active variant. */
interface Variant extends Omit<VariantMembers, "optionSequence"> {
  readonly options: readonly NameValue[];
}

/** An active variant with its offer. */
export interface ShownVariant {
  readonly productId: number;
  readonly id: number;
  readonly variant: Variant;
  /** Its own name, or the values of its options. */
  readonly title: string;
  /** Its own page, or that of the product. */
  readonly url: string;
  readonly offer: Offer;
  /** Returns its prices as stated, or those of the product. */
  priceGroup(): PriceGroup;
}

/** The active variants of a product, in the order of the shop. */
export interface Variants {
  readonly ids: readonly number[];
  /** Options with the values that variants have. */
  readonly options: readonly OptionValues[];
  at(index: number): ShownVariant;
  /** @returns undefined for an id of no active variant */
  find(id: number): ShownVariant | undefined;
  /** Finds the first variant that can be ordered, else the first: hidden prices must not order the variants. */
  firstOrderable(): number | null;
  /** Lists the different offers: variants with one price and one stock have one. */
  offers(): readonly Offer[];
  /** Returns them as far as a selection of options needs them. */
  choices(): VariantChoices;
}

/** A product, as far as its variants depend on it. */
interface Described {
  readonly id: number;
  readonly text: ProductText;
}

export const readVariants = (
  stored: ReadTables,
  product: Described,
  view: View,
): Variants | undefined => {
  const row = openVariants(stored, product.id);
  if (!row) return undefined;
  const { entries, stocks } = row.index;
  const ids = entries.map((entry) => entry[0]);
  const evaluate = createEvaluation(row, product, view);
  const show = (index: number) => new StoredVariant(row, index, product, evaluate);
  return {
    ids,
    options: row.index.options,
    at: show,
    find(id) {
      const index = ids.indexOf(id);
      return index < 0 ? undefined : show(index);
    },
    offers: () => [...new Set(entries.map((_, at) => evaluate(at)))],
    choices: lazy(() => toVariantChoices(row.index)),
    firstOrderable: () =>
      entries.find(([, , stock]) => stocks[stock]?.orderable)?.[0] ?? ids[0] ?? null,
  };
};

/** Evaluates the offer of the variant at an index. */
type Evaluate = (at: number) => Offer;

/** Creates an evaluation that gives variants without texts of their own one offer for each pair of price and stock. */
const createEvaluation = (row: StoredVariants, product: Described, view: View): Evaluate => {
  const { stocks, entries, hasOwnTexts } = row.index;
  const shared: Offer[] = [];
  const evaluate = (price: number, stock: number, own: VariantMembers): Offer =>
    offerAt(
      {
        shown: { range: null, ...priceAt(row.priceGroup(price), view.instant) },
        stock: stocks[stock] ?? outOfStock,
        featured: null,
        priceGroup: () => row.priceGroup(price),
        texts: () => ({
          unitPricing: own.unitPricing ?? product.text.facts.unitPricing,
          quantityRule: own.quantityRule ?? product.text.facts.quantityRule,
        }),
      },
      view,
    );
  return (at) => {
    const [, price = -1, stock = -1] = entries[at] ?? [];
    const own = hasOwnTexts ? row.members(at) : noMembers;
    if (own.unitPricing || own.quantityRule) return evaluate(price, stock, own);
    const pair = price * stocks.length + stock;
    shared[pair] ??= evaluate(price, stock, own);
    return shared[pair];
  };
};

const noMembers: VariantMembers = {};

/**
 * Parses its members at the first use, because a list of prices needs none. A class, because in V8 an object with accessors takes
 * longer than all of them.
 */
class StoredVariant implements ShownVariant {
  readonly productId: number;
  readonly id: number;
  private readonly row: StoredVariants;
  private readonly at: number;
  private readonly product: Described;
  private readonly evaluate: Evaluate;
  private parsed: Variant | undefined;
  private evaluated: Offer | undefined;

  constructor(row: StoredVariants, at: number, product: Described, evaluate: Evaluate) {
    this.productId = product.id;
    this.id = row.index.entries[at]?.[0] ?? 0;
    this.row = row;
    this.at = at;
    this.product = product;
    this.evaluate = evaluate;
    this.parsed = undefined;
    this.evaluated = undefined;
  }

  get variant(): Variant {
    this.parsed ??= readVariant(this.row, this.at, this.product);
    return this.parsed;
  }

  get title(): string {
    const { name, options } = this.variant;
    return name ?? (joinValues(options) || this.product.text.name);
  }

  get url(): string {
    const { url } = this.variant;
    return (url && resolveUrl(url, this.product)) ?? this.product.text.url;
  }

  get offer(): Offer {
    this.evaluated ??= this.evaluate(this.at);
    return this.evaluated;
  }

  priceGroup(): PriceGroup {
    return this.row.priceGroup(this.row.index.entries[this.at]?.[1] ?? -1);
  }
}

const joinValues = (options: readonly NameValue[]): string =>
  options.map(({ value }) => value).join(" / ");

const readVariant = (
  { index, members }: StoredVariants,
  at: number,
  product: Described,
): Variant => {
  const own = members(at);
  const options = listOptions(index, at, own.optionSequence);
  const stated = own.optionSequence ? withoutSequence(own) : own;
  const variant = { options, ...stated };
  if (!own.images) return variant;
  return {
    ...variant,
    get images() {
      return resolveImages(own.images ?? [], product);
    },
  };
};

const withoutSequence = ({ optionSequence: _, ...stated }: VariantMembers) => stated;

/** @returns undefined for an address that is none of the web, such as `javascript:` */
const resolveUrl = (url: string, { text }: Pick<Described, "text">): string | undefined =>
  [parseUrl(url, text.url)].find((page) => page && isWebProtocol(page.protocol))?.href;

const isWebProtocol = (protocol: string): boolean => protocol === "https:" || protocol === "http:";

const resolveImages = (images: readonly Image[], product: Described): readonly Image[] =>
  images.flatMap((image) => {
    const url = resolveUrl(image.url, product);
    return url === undefined ? [] : [{ ...image, url }];
  });
