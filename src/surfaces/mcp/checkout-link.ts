import type { ProductDocument, ShopDocument } from "../../read-model/schema/documents.ts";

/** What a link puts into the shop's basket. */
export type Basket = readonly { readonly product: ProductDocument; readonly quantity: number }[];

type CheckoutLink = NonNullable<ShopDocument["checkoutLink"]>;
type Template = Exclude<CheckoutLink, { readonly preset: string }>;
type Preset = Exclude<CheckoutLink, Template>["preset"];

/** How the platforms' own addresses for a filled basket are made, below the shop's address. */
const presets: Readonly<Record<Preset, Template>> = {
  // "Create cart permalinks", shopify.dev. Ids are those of variants there: a shop tells each as a product.
  shopify: { template: "/cart/{items}", item: "{id}:{quantity}", separator: "," },
  // "Shareable checkout URLs", developer.woocommerce.com: WooCommerce 10 and later; ids of products or variations.
  woocommerce: {
    template: "/checkout-link/?products={items}",
    item: "{id}:{quantity}",
    separator: ",",
  },
  // What its CartController reads (1.7 and later). It fills the basket of a visitor the shop knows already, by cookie,
  // and who is not signed in; anyone else is shown the basket as it is. No address of PrestaShop's own does more.
  prestashop: {
    template: "/index.php?controller=cart&add=1&action=show{items}",
    item: "&id_product={id}&qty={quantity}",
    separator: "",
  },
};

/** Characters of a link; browsers and servers take no longer ones. A template may say the items any number of times. */
const longestLink = 32_768;

/**
 * The address that fills the basket of the shop's own checkout.
 * @returns the link, or why this shop has none for such a basket
 */
export const linkTo = (
  checkoutLink: CheckoutLink,
  shopUrl: string,
  basket: Basket,
): { readonly url: string } | { readonly reason: string } => {
  if ("preset" in checkoutLink && checkoutLink.preset === "prestashop" && basket.length > 1) {
    return { reason: "This shop's links take one product each: ask for one link per product." };
  }
  const way = "preset" in checkoutLink ? presets[checkoutLink.preset] : checkoutLink;
  if (isEmptyAlways(way)) {
    return {
      reason: "This shop's links would not say what is in them: it has to mend its settings.",
    };
  }
  const nameless = basket.find(({ product }) => product.reference === null);
  if (nameless && way.item.includes("{reference}")) {
    const { name, id } = nameless.product;
    return { reason: `${name} (id ${id}) has no reference, which this shop's links need.` };
  }
  const items = basket.map((entry) => itemOf(way.item, entry)).join(way.separator);
  const places = way.template.split("{items}").length - 1;
  if (way.template.length + places * items.length > longestLink) {
    return { reason: "The link to so many products would be too long: ask for fewer at once." };
  }
  // A function, so that `$&` and the like in an item mean nothing.
  const filled = way.template.replaceAll("{items}", () => items);
  return {
    url: filled.startsWith("/") ? below(shopUrl, filled, "preset" in checkoutLink) : filled,
  };
};

/** Whatever is asked for, such links lead to the same basket: nothing in them names a product. */
export const isEmptyAlways = ({ template, item }: Pick<Template, "template" | "item">): boolean =>
  !template.includes("{items}") || !/\{(?:id|reference)\}/.test(item);

const itemOf = (item: string, { product, quantity }: Basket[number]): string => {
  const values: Readonly<Record<string, string>> = {
    "{id}": String(product.id),
    "{reference}": product.reference ?? "",
    "{quantity}": String(quantity),
  };
  return item.replace(/\{(?:id|reference|quantity)\}/g, (name) =>
    encodeURIComponent(values[name] ?? ""),
  );
};

/** A platform's own address stands below the shop's; one the shop wrote itself begins at its root, as in any link. */
const below = (shopUrl: string, path: string, isPreset: boolean): string => {
  const { origin, pathname } = new URL(shopUrl);
  return isPreset ? `${origin}${pathname.replace(/\/+$/, "")}${path}` : `${origin}${path}`;
};
