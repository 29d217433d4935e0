import { formatPrice, joinLines, type Price } from "../../format.ts";
import { unavailable } from "../../user-error.ts";
import { type CartItem, itemId, nameItem, type RequestedItem, readCart, titleOf } from "../cart.ts";
import { checkoutUrl } from "../checkout-link.ts";
import {
  formatState,
  noticeLines,
  omitEmpty,
  toNoticeFields,
  toStateFields,
} from "../offer-answer.ts";
import type { Tool } from "./tool.ts";

interface Arguments {
  readonly items: readonly RequestedItem[];
}

export const createCheckoutLink: Tool<Arguments> = {
  name: "create_checkout_link",
  answer({ snapshot }, { items }) {
    const shop = snapshot.shop();
    if (!shop?.checkoutLink) {
      return unavailable(
        [],
        "This shop has no checkout links: send the customer to the product pages.",
      );
    }
    const cart = readCart(snapshot, items);
    if ("code" in cart) return cart;
    const link = checkoutUrl(shop.checkoutLink, shop.url, cart);
    if ("reason" in link) return unavailable(["items"], link.reason);
    const subtotal = computeSubtotal(cart);
    return {
      structured: { url: link.url, items: cart.map(toItem), subtotal },
      text: joinLines(
        `Checkout link for the customer: ${link.url}`,
        ...cart.flatMap(formatItem),
        subtotal ? `Subtotal: ${formatPrice(subtotal)}, without shipping.` : undefined,
        "Nothing is ordered, reserved or charged.",
      ),
    };
  },
};

const toItem = (item: CartItem) => ({
  product_id: item.product.id,
  ...(item.variant && { variant_id: itemId(item) }),
  quantity: item.quantity,
  name: titleOf(item),
  price: item.offer.price,
  ...omitEmpty({ ...toStateFields(item.offer), quantity: null }),
  ...omitEmpty(toNoticeFields(item.product.text.facts)),
});

/** Formats an item with what a buyer must see before the order. */
const formatItem = (item: CartItem): readonly string[] => {
  const { product, quantity, offer } = item;
  const { price } = offer;
  const state = formatState(offer);
  return [
    `- ${quantity} × ${nameItem(item)}: ${formatPrice(price)}${price ? " each" : ""}${state === "in stock" ? "" : `, ${state}`}`,
    ...noticeLines(product.text.facts).map((line) => `  ${line}`),
  ];
};

/** Maximum decimals of an amount in the contract. */
const maxDecimals = 6;

/**
 * Computes the exact sum of price times quantity, with as many decimals as the price with the most.
 * @returns null when a price is absent, or the prices differ in currency
 */
const computeSubtotal = (items: readonly CartItem[]): Price => {
  const currency = items[0]?.offer.price?.currency;
  let sum = 0n;
  let decimals = 0;
  for (const { offer, quantity } of items) {
    const { price } = offer;
    if (!price || currency === undefined || price.currency !== currency) return null;
    sum += toUnits(price.amount) * BigInt(quantity);
    decimals = Math.max(decimals, price.amount.split(".")[1]?.length ?? 0);
  }
  return currency === undefined ? null : { amount: formatUnits(sum, decimals), currency };
};

const toUnits = (amount: string): bigint => {
  const [integer = "0", fraction = ""] = amount.split(".");
  return BigInt(integer + fraction.padEnd(maxDecimals, "0"));
};

const formatUnits = (sum: bigint, decimals: number): string => {
  const digits = sum.toString().padStart(maxDecimals + 1, "0");
  const fraction = digits.slice(-maxDecimals, digits.length - maxDecimals + decimals);
  return digits.slice(0, -maxDecimals) + (decimals > 0 ? `.${fraction}` : "");
};
