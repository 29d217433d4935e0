import type { ShopDocument } from "../../read-model/schema/documents.ts";
import { type Cart, type CartItem, itemId, nameItem } from "./cart.ts";

type CheckoutLink = NonNullable<ShopDocument["checkoutLink"]>;
type CustomTemplate = Exclude<CheckoutLink, { readonly preset: string }>;
type Preset = Exclude<CheckoutLink, CustomTemplate>["preset"];

interface Template extends CustomTemplate {
  /** Item for a variant, where it differs from that for a product. */
  readonly variantItem?: string;
}

/** Templates of the platforms' own URLs that fill a cart, below the shop's URL. */
const presets: Readonly<Record<Preset, Template>> = {
  // "Create cart permalinks", shopify.dev. The ids are those of variants.
  shopify: { template: "/cart/{items}", item: "{variantId}:{quantity}", separator: "," },
  // "Shareable checkout URLs", developer.woocommerce.com: WooCommerce 10 and later; ids of products or variations.
  woocommerce: {
    template: "/checkout-link/?products={items}",
    item: "{variantId}:{quantity}",
    separator: ",",
  },
  // Parameters of CartController (PrestaShop 1.7 and later). It fills the cart of a visitor who has the shop's cookie
  // and is not signed in; other visitors see their cart unchanged. PrestaShop has no URL that does more.
  prestashop: {
    template: "/index.php?controller=cart&add=1&action=show{items}",
    item: "&id_product={id}&qty={quantity}",
    variantItem: "&id_product={id}&ipa={variantId}&qty={quantity}",
    separator: "",
  },
};

/**
 * Maximum characters of a link, the limit of browsers and servers. A template may contain `{items}` any number of
 * times.
 */
const maxLinkCharacters = 32_768;

/**
 * Builds the URL that fills the cart of the shop's own checkout.
 * @returns the URL, or why this shop has none for the cart
 */
export const checkoutUrl = (
  checkoutLink: CheckoutLink,
  shopUrl: string,
  cart: Cart,
): { readonly url: string } | { readonly reason: string } => {
  if ("preset" in checkoutLink && checkoutLink.preset === "prestashop" && cart.length > 1) {
    return { reason: "This shop's links hold one product each: request one link per product." };
  }
  const linkTemplate: Template =
    "preset" in checkoutLink ? presets[checkoutLink.preset] : checkoutLink;
  if (hasNoItemPlaceholder(linkTemplate)) {
    return {
      reason: "This shop's checkout link template is misconfigured: it does not contain the items.",
    };
  }
  const withoutReference = cart.find((item) => referenceOf(item) === null);
  if (withoutReference && linkTemplate.item.includes("{reference}")) {
    const name = nameItem(withoutReference);
    return { reason: `${name} has no reference, which this shop's links need.` };
  }
  const ambiguous = cart.find(({ variant }) => variant && !namesVariant(linkTemplate));
  if (ambiguous) {
    const name = nameItem(ambiguous);
    return { reason: `This shop's links cannot name the variant ${name}: use the product page.` };
  }
  const items = cart.map((item) => formatItem(linkTemplate, item)).join(linkTemplate.separator);
  const occurrences = linkTemplate.template.split("{items}").length - 1;
  if (linkTemplate.template.length + occurrences * items.length > maxLinkCharacters) {
    return { reason: "The link would be too long: request fewer products at once." };
  }
  // Passes a function, so that `replaceAll` does not expand `$&` and similar patterns in an item.
  const expanded = linkTemplate.template.replaceAll("{items}", () => items);
  return {
    url: expanded.startsWith("/")
      ? underShopPath(shopUrl, expanded, "preset" in checkoutLink)
      : expanded,
  };
};

/** Checks for a template without product placeholders, whose links all lead to the same cart. */
export const hasNoItemPlaceholder = ({
  template,
  item,
}: Pick<CustomTemplate, "template" | "item">): boolean =>
  !template.includes("{items}") || !/\{(?:id|reference|variantId|publicId)\}/.test(item);

/** Whether the item of a template says which variant is meant. */
const namesVariant = ({ item, variantItem = item }: Template): boolean =>
  /\{(?:reference|variantId|publicId)\}/.test(variantItem);

const referenceOf = ({ product, variant }: CartItem): string | null =>
  variant ? (variant.variant.sku ?? null) : product.text.reference;

const formatItem = ({ item, variantItem = item }: Template, entry: CartItem): string => {
  const { product, variant, quantity } = entry;
  const values: Readonly<Record<string, string>> = {
    "{id}": String(product.id),
    "{variantId}": String(variant?.id ?? product.id),
    "{publicId}": itemId(entry),
    "{reference}": referenceOf(entry) ?? "",
    "{quantity}": String(quantity),
  };
  const template = variant ? variantItem : item;
  return template.replace(/\{(?:id|variantId|publicId|reference|quantity)\}/g, (name) =>
    encodeURIComponent(values[name] ?? ""),
  );
};

/** Resolves a path at the shop. A platform's path is below the shop's URL; the shop's own path starts at the root. */
const underShopPath = (shopUrl: string, path: string, isPreset: boolean): string => {
  const { origin, pathname } = new URL(shopUrl);
  return isPreset ? `${origin}${pathname.replace(/\/+$/, "")}${path}` : `${origin}${path}`;
};
