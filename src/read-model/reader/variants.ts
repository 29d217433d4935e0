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

/** An active variant as events state it. */
export interface Variant extends Omit<VariantMembers, "optionSequence"> {
  readonly id: number;
  readonly options: readonly NameValue[];
}

/** An active variant with its offer. */
export interface ShownVariant {
  readonly productId: number;
  readonly variant: Variant;
  /** Its own name, or the values of its options. */
  readonly title: string;
  /** Its own page, or that of the product. */
  readonly url: string;
  readonly offer: Offer;
  /** Its prices as stated, or those of the product. */
  readonly priceGroup: PriceGroup;
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
  const ids = entries.map(([id]) => id);
  return {
    ids,
    options: row.index.options,
    at: (index) => showVariant(row, index, product, view),
    find(id) {
      const index = ids.indexOf(id);
      return index < 0 ? undefined : showVariant(row, index, product, view);
    },
    choices: lazy(() => toVariantChoices(row.index)),
    firstOrderable: () =>
      entries.find(([, , stock]) => stocks[stock]?.orderable)?.[0] ?? ids[0] ?? null,
  };
};

const showVariant = (
  row: StoredVariants,
  at: number,
  { text }: Described,
  view: View,
): ShownVariant => {
  const variant = readVariant(row, at, text);
  const [, price = -1, stock = -1] = row.index.entries[at] ?? [];
  const priceGroup = row.priceGroup(price);
  const { unitPricing, quantityRule } = text.facts;
  return {
    variant,
    productId: text.id,
    title: variant.name ?? (variant.options.map(({ value }) => value).join(" / ") || text.name),
    url: (variant.url && resolveUrl(variant.url, text)) ?? text.url,
    priceGroup,
    offer: offerAt(
      {
        shown: { ...priceAt(priceGroup, view.instant), range: null },
        stock: row.index.stocks[stock] ?? outOfStock,
        featured: null,
        priceGroup: () => priceGroup,
        texts: () => ({
          unitPricing: variant.unitPricing ?? unitPricing,
          quantityRule: variant.quantityRule ?? quantityRule,
        }),
      },
      view,
    ),
  };
};

const readVariant = (
  { index, members }: StoredVariants,
  at: number,
  text: ProductText,
): Variant => {
  const [id = 0] = index.entries[at] ?? [];
  const { optionSequence, images, ...others } = members(at);
  return {
    id,
    options: listOptions(index, at, optionSequence),
    ...others,
    ...(images && { images: resolveImages(images, text) }),
  };
};

/** @returns undefined for an address that is none of the web, such as `javascript:` */
const resolveUrl = (url: string, text: ProductText): string | undefined =>
  [parseUrl(url, text.url)].find((page) => page && isWebProtocol(page.protocol))?.href;

const isWebProtocol = (protocol: string): boolean => protocol === "https:" || protocol === "http:";

const resolveImages = (images: readonly Image[], text: ProductText): readonly Image[] =>
  images.flatMap((image) => {
    const url = resolveUrl(image.url, text);
    return url === undefined ? [] : [{ ...image, url }];
  });
