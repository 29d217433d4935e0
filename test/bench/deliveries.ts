import { createHmac, randomUUID } from "node:crypto";
import type { SentRequest } from "./exchanges.ts";
import { seeded } from "./seeded.ts";

/** The secret that signs the deliveries. */
export const deliverySecret = "a secret of the bench";

/** Products that the deliveries are about. */
const productCount = 1_000;

const sizes = ["S", "M", "L"] as const;

interface ShopProduct {
  readonly id: number;
  readonly quantities: number[];
  price: number;
}

/**
 * Creates a shop that sends `products/update`, each delivery with an id and a time of its own. Each changes the stock of
 * one of three variants, and every fourth also the price.
 * @returns a function that creates the next deliveries
 */
export const createDeliveries = (): ((count: number) => readonly SentRequest[]) => {
  const chance = seeded(17);
  const products = Array.from({ length: productCount }, (_, at): ShopProduct => {
    return { id: 8_000_000_000_000 + at, quantities: [5, 6, 7], price: 1_999 };
  });
  let sent = 0;
  const next = (): SentRequest => {
    sent += 1;
    const product = chance.pick(products);
    product.quantities[chance.below(sizes.length)] = chance.below(1_000);
    if (sent % 4 === 0) product.price = 1_000 + chance.below(9_000);
    return toDelivery(JSON.stringify(toBody(product, new Date(firstTime + sent * 1_000))));
  };
  return (count) => Array.from({ length: count }, next);
};

const firstTime = Date.parse("2024-01-01T00:00:00Z");

const toDelivery = (body: string): SentRequest => ({
  method: "POST",
  path: "/connections/main",
  headers: {
    ...{ accept: "*/*", "accept-encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3" },
    ...{ "content-type": "application/json", "user-agent": "Shopify-Captain-Hook" },
    "x-shopify-topic": "products/update",
    "x-shopify-hmac-sha256": createHmac("sha256", deliverySecret).update(body).digest("base64"),
    "x-shopify-shop-domain": "bench.myshopify.com",
    "x-shopify-api-version": "2026-07",
    "x-shopify-webhook-id": randomUUID(),
    "x-shopify-event-id": randomUUID(),
    "x-shopify-triggered-at": "2026-07-01T08:00:00.000000000Z",
  },
  body,
});

/** A body of 3 KB, with the members that version 2026-07 of the API sends. */
const toBody = ({ id, quantities, price }: ShopProduct, time: Date) => {
  const at = time.toISOString();
  const dates = { created_at: "2023-11-02T09:30:00+01:00", updated_at: at };
  return {
    ...{ id, admin_graphql_api_id: `gid://shopify/Product/${id}` },
    ...{ title: `Merino jumper ${id % productCount}`, handle: `merino-jumper-${id}` },
    ...{ body_html: description, vendor: "Acme", product_type: "Jumpers", status: "active" },
    ...{ tags: "winter, wool, new", template_suffix: null, published_scope: "web" },
    ...{ published_at: dates.created_at, ...dates },
    options: [{ id: id + 1, product_id: id, name: "Size", position: 1, values: sizes }],
    variants: quantities.map((quantity, position) => ({
      ...toVariant(id, position, price),
      ...{ inventory_quantity: quantity, old_inventory_quantity: quantity, ...dates },
    })),
    images: [1, 2].map((position) => ({
      ...{ id: id + position, product_id: id, position, alt: "The jumper", ...dates },
      ...{ width: 1600, height: 2000, variant_ids: [] },
      src: `https://cdn.shopify.com/s/files/1/0123/4567/products/jumper-${id}-${position}.jpg?v=17`,
    })),
    variant_gids: sizes.map((_, position) => ({
      admin_graphql_api_id: `gid://shopify/ProductVariant/${id * 4 + position}`,
      updated_at: at,
    })),
  };
};

const description = `<p>${"A soft jumper of merino wool, knitted in one piece. ".repeat(6)}</p>`;

const toVariant = (product: number, position: number, price: number) => {
  const id = product * 4 + position;
  return {
    ...{ id, product_id: product, admin_graphql_api_id: `gid://shopify/ProductVariant/${id}` },
    ...{ title: sizes[position], option1: sizes[position], option2: null, option3: null },
    ...{ sku: `MER-${product}-${sizes[position]}`, barcode: null, position: position + 1 },
    ...{ price: (price / 100).toFixed(2), compare_at_price: null, taxable: true },
    ...{ inventory_item_id: id + 1, inventory_policy: "deny", image_id: null },
  };
};
