import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { formatPrice, joinLines } from "../../format.ts";
import { invalidArgument, notFound, type UserError, unavailable } from "../../user-error.ts";
import { type Cart, checkoutUrl } from "../checkout-link.ts";
import { computeSubtotal } from "../money.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Item {
  readonly product_id: Id;
  readonly quantity?: number;
}

interface Arguments {
  readonly items: readonly Item[];
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
    const subtotal = computeSubtotal(
      cart.map(({ product, quantity }) => ({ ...product, quantity })),
    );
    return {
      structured: { url: link.url, items: cart.map(toItem), subtotal },
      text: joinLines(
        `Checkout link for the customer: ${link.url}`,
        ...cart.map(formatItem),
        subtotal ? `Subtotal: ${formatPrice(subtotal)}, without shipping.` : undefined,
        "Nothing is ordered, reserved or charged.",
      ),
    };
  },
};

/** Maximum quantity of one product over all items. */
const maxQuantity = 999;

/**
 * Reads the products of the items and adds up repeated ones.
 * @returns a failure for the first item that cannot be bought
 */
const readCart = (snapshot: Snapshot, items: readonly Item[]): Cart | UserError => {
  const quantities = new Map<number, { product: ProductDocument; quantity: number }>();
  for (const [at, { product_id: id, quantity = 1 }] of items.entries()) {
    const product = snapshot.product(parseId(id));
    const field = ["items", String(at), "product_id"];
    if (!product) return notFound(field, `No product has the id ${id}.`);
    if (product.availability !== "IN_STOCK") {
      return unavailable(field, `${product.name} (id ${product.id}) is out of stock.`);
    }
    const sum = quantity + (quantities.get(product.id)?.quantity ?? 0);
    if (sum > maxQuantity) {
      const message = `${product.name} (id ${product.id}) adds up to ${sum}: ${maxQuantity} at most.`;
      return invalidArgument(["items", String(at), "quantity"], message);
    }
    quantities.set(product.id, { product, quantity: sum });
  }
  return [...quantities.values()];
};

const toItem = ({ product: { id, name, price }, quantity }: Cart[number]) => ({
  product_id: id,
  quantity,
  name,
  price,
});

const formatItem = ({ product: { id, name, price }, quantity }: Cart[number]): string =>
  `- ${quantity} × ${name} (id ${id}): ${formatPrice(price)}${price ? " each" : ""}`;
