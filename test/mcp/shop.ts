import {
  carrierUpserted,
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";

const eur = (amount: string) => ({ amount, currency: "EUR" });

/** Events of a shop for every tool: products 1 and 2 can be ordered, 3 cannot. */
export const smallShop = () => [
  settingsUpdated({
    freeShippingThreshold: eur("50.00"),
    checkoutLink: {
      template: "https://shop.example/cart/{items}",
      item: "{id}:{quantity}",
      separator: ",",
    },
  }),
  categoryUpserted({ id: 1, name: "Kitchen" }),
  categoryUpserted({ id: 2, name: "Mugs", parentId: 1 }),
  categoryUpserted({ id: 3, name: "Empty" }),
  productUpserted({
    id: 1,
    name: "Blue mug",
    brand: "Acme",
    gtin: "4006381333931",
    price: eur("12.90"),
    categoryIds: [2],
    specifications: [{ name: "Capacity", value: "0.3 l" }],
    images: [{ url: "https://shop.example/1.jpg", alt: "A blue mug" }],
  }),
  productUpserted({ id: 2, name: "Red mug", price: eur("9.5"), categoryIds: [2] }),
  productUpserted({ id: 3, name: "Kettle", price: eur("100.00"), categoryIds: [1] }),
  stockChanged({ productId: 1 }),
  stockChanged({ productId: 2 }),
  pageUpserted({ id: 1, policy: "returns", contentHtml: "<p>Thirty days.</p><p>Unused.</p>" }),
  pageUpserted({ id: 2, policy: "privacy" }),
  carrierUpserted({ id: 1, countries: ["DE"] }),
  carrierUpserted({
    id: 2,
    countries: ["*"],
    price: { min: "20.00", max: "20.00", currency: "EUR" },
  }),
];

/** Arguments for which each tool has a result in that shop. */
export const goodArguments = {
  search_products: { query: "mug", sort: "price_asc", category_id: "1", in_stock_only: true },
  get_product: { product_id: 1 },
  list_categories: { max_depth: 2, only_stocked: true },
  check_availability: { product_ids: [1, "3", 99] },
  get_shipping_options: { country_code: "de" },
  get_policies: { topic: "returns" },
  create_checkout_link: { items: [{ product_id: 1, quantity: 2 }, { product_id: "2" }] },
} as const;
