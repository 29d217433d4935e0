import type { QuantityRule } from "../../events/product-facts.ts";
import type { Offer } from "../../read-model/reader/offer.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ShownVariant, Variants } from "../../read-model/reader/variants.ts";
import { pluralize } from "../format.ts";
import { invalidArgument, notFound, type UserError, unavailable } from "../user-error.ts";
import { readVariantId } from "../variant-id.ts";
import { type Id, parseId } from "./tools/tool.ts";

/** What a checkout link puts into the shop's cart once. */
export interface CartItem {
  readonly product: Product;
  /** Undefined for a product without variants. */
  readonly variant: ShownVariant | undefined;
  readonly quantity: number;
  /** Offer of the variant, else of the product. */
  readonly offer: Offer;
}

export type Cart = readonly CartItem[];

/** An item as a client names it. */
export interface RequestedItem {
  readonly product_id: Id;
  readonly variant_id?: Id;
  readonly quantity?: number;
}

/** Maximum quantity of one product or variant in a link, over all items. */
const maxQuantity = 999;

/**
 * Reads what the items name and adds up repeated ones.
 * @returns a failure for the first item that cannot be bought
 */
export const readCart = (snapshot: Snapshot, items: readonly RequestedItem[]): Cart | UserError => {
  const cart = new Map<string, CartItem & { readonly at: number }>();
  for (const [at, requested] of items.entries()) {
    const item = readItem(snapshot, requested, at);
    if ("code" in item) return item;
    const key = itemId(item);
    const quantity = item.quantity + (cart.get(key)?.quantity ?? 0);
    if (quantity > maxQuantity) {
      const message = `${nameItem(item)} adds up to ${quantity}: ${maxQuantity} at most.`;
      return invalidArgument(["items", String(at), "quantity"], message);
    }
    cart.set(key, { ...item, quantity, at });
  }
  const summed = [...cart.values()];
  const illegal = summed.map(checkQuantity).find((error) => error);
  return illegal ?? summed;
};

const readItem = (
  snapshot: Snapshot,
  { product_id: id, variant_id: variantId, quantity = 1 }: RequestedItem,
  at: number,
): CartItem | UserError => {
  const product = snapshot.product(parseId(id));
  const field = ["items", String(at), "product_id"];
  if (!product) return notFound(field, `No product has the id ${id}.`);
  const variant = readVariant(product, variantId, at);
  if (variant && "code" in variant) return variant;
  const { offer } = variant ?? product;
  const item = { product, variant, quantity, offer };
  if (offer.stock.orderable) return item;
  const path = variant ? ["items", String(at), "variant_id"] : field;
  return unavailable(path, `${nameItem(item)} is out of stock.`);
};

/** @returns undefined for a product without variants; a failure when the variant is not named, or is none of the product */
const readVariant = (
  product: Product,
  variantId: Id | undefined,
  at: number,
): ShownVariant | UserError | undefined => {
  const field = ["items", String(at), "variant_id"];
  const { id: productId, text, variants } = product;
  if (variantId === undefined) {
    return variants && invalidArgument(field, listChoices(product, variants));
  }
  const id = readVariantId(productId, String(variantId));
  const variant = id === undefined ? undefined : variants?.find(id);
  return variant ?? notFound(field, `${text.name} (id ${productId}) has no variant ${variantId}.`);
};

/** Variants that an error lists. */
const maxChoices = 20;

const listChoices = (product: Product, variants: Variants): string => {
  const all = variants.ids.map((_, at) => variants.at(at));
  const orderable = all.filter(({ offer }) => offer.stock.orderable);
  const choices = orderable
    .slice(0, maxChoices)
    .map(({ id, title }) => `${product.id}.${id} (${title})`);
  const more = orderable.length - choices.length;
  const name = `${product.text.name} (id ${product.id})`;
  if (choices.length === 0) return `${name} has variants: name one. None can be ordered now.`;
  const others = more > 0 ? `, and ${pluralize(more, "other")}` : "";
  return `${name} has variants: name one that can be ordered: ${choices.join(", ")}${others}.`;
};

const checkQuantity = (item: CartItem & { readonly at: number }): UserError | undefined => {
  const { offer, quantity, at } = item;
  const rule = offer?.quantityRule;
  if (!rule) return undefined;
  const field = ["items", String(at), "quantity"];
  if (rule.min && rule.min > maxQuantity) {
    const reason = `is sold from ${rule.min} pieces on, and a link has ${maxQuantity} at most: send the customer to its page.`;
    return unavailable(field, `${nameItem(item)} ${reason}`);
  }
  const legal = listQuantities(rule);
  if (legal.includes(quantity)) return undefined;
  const names = nameQuantities(legal);
  return invalidArgument(
    field,
    `${nameItem(item)} is sold in quantities of ${names}, not ${quantity}.`,
  );
};

/** Lists the quantities that a rule allows in a link: min, min + step and so on up to max. */
const listQuantities = ({ min, max, step }: QuantityRule): readonly number[] => {
  const [least, most] = [min ?? 1, Math.min(max ?? maxQuantity, maxQuantity)];
  const count = Math.max(0, Math.floor((most - least) / (step ?? 1))) + 1;
  return Array.from({ length: count }, (_, at) => least + at * (step ?? 1));
};

/** Quantities that an error lists. */
const maxNamed = 6;

/** Names quantities: `6, 12, 18 or 24`, `6, 12, 18 and so on`. */
const nameQuantities = (numbers: readonly number[]): string =>
  numbers.length > maxNamed
    ? `${numbers.slice(0, 3).join(", ")} and so on`
    : numbers.join(", ").replace(/, (\d+)$/, " or $1");

/** The public id of what is bought: `4711.90001`, or `4711` for a product without variants. */
export const itemId = ({ product, variant }: Pick<CartItem, "product" | "variant">): string =>
  variant ? `${product.id}.${variant.id}` : String(product.id);

/** Names what is bought: `Jacket, Red / M (id 4711.90002)`. */
export const nameItem = (item: Pick<CartItem, "product" | "variant">): string =>
  `${titleOf(item)} (id ${itemId(item)})`;

export const titleOf = ({ product, variant }: Pick<CartItem, "product" | "variant">): string =>
  variant && variant.title !== product.text.name
    ? `${product.text.name}, ${variant.title}`
    : product.text.name;
