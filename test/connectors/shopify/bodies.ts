import type { ShopifyConnection } from "../../../src/connectors/shopify/state.ts";

/** Bodies of webhooks, of the members that version 2026-07 of the API sends. */

export const connection: ShopifyConnection = { url: "https://shop.example", currency: "EUR" };

export const variantBody = (members: object = {}) => ({
  admin_graphql_api_id: "gid://shopify/ProductVariant/501",
  id: 501,
  product_id: 7,
  title: "S",
  price: "19.99",
  compare_at_price: null,
  sku: "TEE-S",
  barcode: "4006381333931",
  option1: "S",
  option2: null,
  option3: null,
  position: 1,
  inventory_item_id: 9001,
  inventory_quantity: 3,
  old_inventory_quantity: 3,
  inventory_policy: "deny",
  taxable: true,
  image_id: null,
  created_at: "2026-10-01T10:00:00+02:00",
  updated_at: "2026-10-01T10:00:00+02:00",
  ...members,
});

export const productBody = (members: object = {}) => ({
  id: 7,
  admin_graphql_api_id: "gid://shopify/Product/7",
  title: "Tee",
  handle: "tee",
  body_html: "<p>Soft.</p>",
  vendor: "Acme",
  product_type: "Shirts",
  status: "active",
  published_at: "2026-10-01T10:00:00+02:00",
  published_scope: "web",
  tags: "summer, cotton",
  created_at: "2026-10-01T10:00:00+02:00",
  updated_at: "2026-10-01T10:00:00+02:00",
  options: [{ id: 1, product_id: 7, name: "Size", position: 1, values: ["S", "M"] }],
  variants: [
    variantBody(),
    variantBody({ id: 502, option1: "M", sku: "TEE-M", position: 2, inventory_item_id: 9002 }),
  ],
  images: [
    { id: 31, position: 2, src: "//cdn.example/b.jpg", alt: null, width: 10, height: 20 },
    { id: 30, position: 1, src: "https://cdn.example/a.jpg", alt: "Front" },
  ],
  image: null,
  media: [],
  variant_gids: [],
  ...members,
});

export const levelBody = (members: object = {}) => ({
  inventory_item_id: 9001,
  location_id: 1,
  available: 5,
  updated_at: "2026-10-01T11:00:00+02:00",
  admin_graphql_api_id: "gid://shopify/InventoryLevel/1?inventory_item_id=9001",
  ...members,
});
