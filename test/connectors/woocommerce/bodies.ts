import type { Connection } from "../../../src/connectors/delivery.ts";

/** Bodies of webhooks, of the members that version 3 of the API sends. */

export const connection: Connection = {
  url: "https://shop.example",
  currency: "EUR",
  language: "en",
  timeZone: "Europe/Berlin",
};

const priceMembers = {
  price: "19.99",
  regular_price: "19.99",
  sale_price: "",
  date_on_sale_from: null,
  date_on_sale_from_gmt: null,
  date_on_sale_to: null,
  date_on_sale_to_gmt: null,
  on_sale: false,
};

const stockMembers = {
  manage_stock: false,
  stock_quantity: null,
  stock_status: "instock",
  backorders: "no",
  backorders_allowed: false,
};

const dates = {
  date_created: "2026-10-01T10:00:00",
  date_created_gmt: "2026-10-01T08:00:00",
  date_modified: "2026-10-01T10:00:00",
  date_modified_gmt: "2026-10-01T08:00:00",
};

/** A simple product. */
export const productBody = (members: object = {}) => ({
  id: 7,
  name: "Mug",
  slug: "mug",
  permalink: "https://shop.example/product/mug/",
  ...dates,
  type: "simple",
  status: "publish",
  catalog_visibility: "visible",
  description: "<p>Holds coffee.</p>",
  short_description: "<p>Short.</p>",
  sku: "MUG",
  global_unique_id: "4006381333931",
  ...priceMembers,
  ...stockMembers,
  virtual: false,
  downloadable: false,
  average_rating: "0.00",
  rating_count: 0,
  upsell_ids: [],
  cross_sell_ids: [],
  parent_id: 0,
  categories: [{ id: 9, name: "Kitchen", slug: "kitchen" }],
  tags: [],
  images: [{ id: 792, src: "https://cdn.example/a.jpg", name: "", alt: "Front" }],
  attributes: [],
  variations: [],
  grouped_products: [],
  ...members,
});

const size = { id: 6, name: "Size", position: 0, visible: true, variation: true };

/** A variable product with the variations 501 and 502. */
export const parentBody = (members: object = {}) =>
  productBody({
    type: "variable",
    name: "Tee",
    permalink: "https://shop.example/product/tee/",
    sku: "TEE",
    price: "9.99",
    regular_price: "",
    attributes: [{ ...size, options: ["S", "M"] }],
    variations: [501, 502],
    ...members,
  });

/** Variation 501 of product 7. */
export const variationBody = (members: object = {}) => ({
  id: 501,
  name: "Tee - S",
  permalink: "https://shop.example/product/tee/?attribute_pa_size=s",
  ...dates,
  type: "variation",
  status: "publish",
  catalog_visibility: "visible",
  description: "",
  sku: "TEE-S",
  global_unique_id: "",
  ...priceMembers,
  ...stockMembers,
  parent_id: 7,
  images: [{ id: 793, src: "https://cdn.example/s.jpg", name: "", alt: "" }],
  attributes: [{ id: 6, name: "Size", option: "S" }],
  variations: [],
  ...members,
});
