import type { Money, ShopEvent, StockData } from "../../../events/event.ts";
import { type PriceMembers, priceMembers } from "../../../events/goods.ts";

/** Members of the price group that an event states, of a product or of one of its variants. */
export interface PriceStatement {
  readonly productId: number;
  readonly variantId?: number;
  /** Path of the object with the members: `data.variants[3]`. */
  readonly path: string;
  /** Whether the members that are left out stay as they are. */
  readonly isPatch: boolean;
  readonly members: StatedPrices;
}

/** Prices of an event. A patch may state an amount or a currency alone. */
export interface StatedPrices {
  readonly price?: Partial<Money> | null;
  readonly listPrice?: Partial<Money> | null;
  readonly priorPrice?: Partial<Money> | null;
  readonly sales?: PriceMembers["sales"];
}

/** Lists the price statements of an event: that of the product first, then those of its variants. */
export const priceStatements = (event: ShopEvent): readonly PriceStatement[] => {
  switch (event.type) {
    case "shop.product.upserted":
    case "shop.product.patched":
      return productStatements(event.data, event.type === "shop.product.patched");
    case "shop.variant.upserted":
      return toStatements(event.data.productId, event.data.id, "data", event.data);
    case "shop.price.changed":
      return toStatements(event.data.productId, event.data.variantId, "data", event.data);
    default:
      return [];
  }
};

interface StatedProduct extends StatedPrices {
  readonly id: number;
  readonly variants?: readonly (PriceMembers & { readonly id: number })[] | null;
}

const productStatements = (data: StatedProduct, isPatch: boolean): readonly PriceStatement[] => [
  ...toStatements(data.id, undefined, "data", data, isPatch),
  ...(data.variants ?? []).flatMap((variant, at) =>
    toStatements(data.id, variant.id, `data.variants[${at}]`, variant),
  ),
];

/** @returns nothing when no member is stated */
const toStatements = (
  productId: number,
  variantId: number | undefined,
  path: string,
  members: StatedPrices,
  isPatch = false,
): readonly PriceStatement[] => {
  if (!priceMembers.some((member) => members[member] !== undefined)) return [];
  const statement = { productId, path, isPatch, members };
  return [variantId === undefined ? statement : { ...statement, variantId }];
};

/** Names the product or variant of an event in a message. */
export const nameOf = ({ productId, variantId }: PriceStatement | StockData): string =>
  variantId === undefined ? `product ${productId}` : `variant ${productId}.${variantId}`;

export const formatMoney = ({ amount, currency }: Money): string => `${amount} ${currency}`;

/** Completes an amount that states a part alone. @returns undefined when a part is missing */
export const toMoney = (
  { amount, currency }: Partial<Money>,
  stored?: Money | null,
): Money | undefined => {
  const merged = { amount: amount ?? stored?.amount, currency: currency ?? stored?.currency };
  return merged.amount === undefined || merged.currency === undefined
    ? undefined
    : { amount: merged.amount, currency: merged.currency };
};
