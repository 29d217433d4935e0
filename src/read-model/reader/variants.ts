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
interface Variant extends Omit<VariantMembers, "optionSequence"> {
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

/** Shows a variant. Texts of the product are parsed only where a member needs them. */
const showVariant = (
  row: StoredVariants,
  at: number,
  product: Described,
  view: View,
): ShownVariant => {
  const variant = readVariant(row, at, product);
  const [, price = -1, stock = -1] = row.index.entries[at] ?? [];
  const priceGroup = lazy(() => row.priceGroup(price));
  const offer = lazy(() =>
    offerAt(
      {
        shown: { ...priceAt(priceGroup(), view.instant), range: null },
        stock: row.index.stocks[stock] ?? outOfStock,
        featured: null,
        priceGroup,
        texts: () => ({
          unitPricing: variant.unitPricing ?? product.text.facts.unitPricing,
          quantityRule: variant.quantityRule ?? product.text.facts.quantityRule,
        }),
      },
      view,
    ),
  );
  return {
    variant,
    productId: product.id,
    get title() {
      const values = variant.options.map(({ value }) => value).join(" / ");
      return variant.name ?? (values || product.text.name);
    },
    get url() {
      return (variant.url && resolveUrl(variant.url, product)) ?? product.text.url;
    },
    get priceGroup() {
      return priceGroup();
    },
    get offer() {
      return offer();
    },
  };
};

const readVariant = (
  { index, members }: StoredVariants,
  at: number,
  product: Described,
): Variant => {
  const [id = 0] = index.entries[at] ?? [];
  const { optionSequence, images, ...others } = members(at);
  const variant = { id, options: listOptions(index, at, optionSequence), ...others };
  if (!images) return variant;
  return {
    ...variant,
    get images() {
      return resolveImages(images, product);
    },
  };
};

/** @returns undefined for an address that is none of the web, such as `javascript:` */
const resolveUrl = (url: string, { text }: Pick<Described, "text">): string | undefined =>
  [parseUrl(url, text.url)].find((page) => page && isWebProtocol(page.protocol))?.href;

const isWebProtocol = (protocol: string): boolean => protocol === "https:" || protocol === "http:";

const resolveImages = (images: readonly Image[], product: Described): readonly Image[] =>
  images.flatMap((image) => {
    const url = resolveUrl(image.url, product);
    return url === undefined ? [] : [{ ...image, url }];
  });
