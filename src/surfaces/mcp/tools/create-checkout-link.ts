import { formatPrice, joinLines } from "../../format.ts";
import { unavailable } from "../../user-error.ts";
import { checkoutUrl } from "../checkout-link.ts";
import {
  type CartItem,
  itemId,
  nameItem,
  type RequestedItem,
  readCart,
  titleOf,
} from "../goods/cart.ts";
import { formatNotices, toNoticeFields } from "../goods/notices.ts";
import { toStateFields } from "../goods/offer-fields.ts";
import { formatStock } from "../goods/offer-text.ts";
import { omitEmpty } from "../goods/omit-empty.ts";
import { computeSubtotal } from "../money.ts";
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
  price: item.price,
  ...omitEmpty({ ...(item.offer && toStateFields(item.offer)), quantity: null }),
  ...toNoticeFields(item.facts ?? {}),
});

/** Formats an item with what a buyer must see before the order. */
const formatItem = (item: CartItem): readonly string[] => {
  const { price, quantity, offer, facts = {} } = item;
  const state = offer ? formatStock(offer) : "in stock";
  return [
    `- ${quantity} × ${nameItem(item)}: ${formatPrice(price)}${price ? " each" : ""}${state === "in stock" ? "" : `, ${state}`}`,
    ...formatNotices(facts).map((line) => `  ${line}`),
  ];
};
