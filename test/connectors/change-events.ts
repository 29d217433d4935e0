/** Payloads of change events: those of a file, or the project's own. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parseBody } from "../../src/connectors/delivery.ts";
import { readMembers, readText } from "../../src/connectors/members.ts";
import { categoryTopic } from "../../src/connectors/woocommerce/translate.ts";
import * as commercetools from "./commercetools/bodies.ts";
import { levelBody, productBody, variantBody } from "./shopify/bodies.ts";
import * as woocommerce from "./woocommerce/bodies.ts";

/** A payload under the topic that its collection gives it. */
export interface Sample {
  readonly source: string;
  readonly topic: string;
  readonly payload: unknown;
}

/**
 * Reads a gzipped NDJSON file of `{source, topic, kind, payload}`. Digits of numbers are kept.
 * @throws for a line without its members
 */
export const readSamples = (file: string): readonly Sample[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const { source, topic, payload } = readMembers(parseBody(line)) ?? {};
      const [sourceName, topicName] = [readText(source), readText(topic)];
      if (sourceName && topicName !== undefined && payload !== undefined)
        return { source: sourceName, topic: topicName, payload };
      throw new Error(`no sample: ${line.slice(0, 200)}`);
    });

/** Derives the topic of a delivery from that of a sample, which may be numbered or the name of an API. */
export const topicOfDelivery = ({ source, topic }: Sample): string => {
  if (source === "shopify") return topic.replace(/\/\d+$/, "/update");
  if (source !== "woocommerce") return "";
  if (topic === "product-categories") return categoryTopic;
  return topic === "products" || topic === "product-variations" ? "product.updated" : topic;
};

const sample = (source: string, topic: string, payload: unknown): Sample => ({
  source,
  topic,
  payload: parseBody(JSON.stringify(payload)),
});

const shopify: readonly Sample[] = [
  sample("shopify", "products/create", productBody()),
  // Anonymised bodies have one id and one text everywhere.
  sample("shopify", "products/1", {
    ...productBody({ id: 123, title: "example string", options: [{ id: 123, name: "example" }] }),
    variants: [variantBody({ id: 123, title: "example" }), variantBody({ id: 123, option1: null })],
  }),
  sample("shopify", "products/update", productBody({ id: "788032119674292922", variants: [] })),
  sample("shopify", "products/update", { id: 7, title: "Tee" }),
  sample("shopify", "products/delete", { id: "788032119674292922" }),
  sample("shopify", "inventory_levels/update", levelBody({ available: null })),
  sample("shopify", "inventory_levels/disconnect", { inventory_item_id: 9001, location_id: 1 }),
  sample("shopify", "inventory_items/1", { id: 9001, tracked: false, updated_at: null }),
  sample("shopify", "shop/update", { id: 548, currency: "EUR", updated_at: null }),
  sample("shopify", "collections/create", { id: "408372092144951419", handle: "all" }),
  sample("shopify", "orders/create", { id: 820, email: "jon@example.com" }),
];

const wooCommerce: readonly Sample[] = [
  sample("woocommerce", "products", woocommerce.productBody()),
  sample("woocommerce", "products", woocommerce.parentBody({ variations: { 0: 501 } })),
  sample("woocommerce", "products", [woocommerce.productBody()]),
  sample("woocommerce", "products", { create: [woocommerce.productBody()], delete: [] }),
  sample("woocommerce", "products", woocommerce.productBody({ price: "", regular_price: "free" })),
  sample("woocommerce", "product-variations", woocommerce.variationBody()),
  sample("woocommerce", "product-variations", {
    id: 501,
    date_modified_gmt: "2026-10-01T08:00:00",
  }),
  sample("woocommerce", "product-categories", {
    ...{ id: 9, name: "Clothing", slug: "clothing", parent: 0, display: "default" },
  }),
  sample("woocommerce", "product.deleted", { id: 7 }),
  sample("woocommerce", "webhooks", { id: 142, name: "Order updated", topic: "order.updated" }),
];

const project: readonly Sample[] = [
  sample("commercetools", "ProductPublished", commercetools.published(1)),
  sample("commercetools", "cloudevents", {
    ...{ specversion: "1.0", type: "com.commercetools.product.message.ProductPublished" },
    data: commercetools.published(2, { name: {} }),
  }),
  sample("commercetools", "InventoryEntryCreated", commercetools.entryCreated(3, 5)),
  sample("commercetools", "InventoryEntryQuantitySet", commercetools.quantitySet(4, -7)),
  sample(
    "commercetools",
    "ResourceDeleted",
    commercetools.resourceDeleted(5, "product", "<product-id>"),
  ),
  sample("commercetools", "CategoryCreated", commercetools.categoryCreated(6)),
  sample("commercetools", "ResourceUpdated", {
    ...{ notificationType: "ResourceUpdated", resource: { typeId: "product", id: "p" } },
  }),
  sample("commercetools", "OrderCreated", {
    ...{ type: "OrderCreated", resource: { typeId: "order", id: "o" } },
  }),
  sample("commercetools", "PayloadNotIncluded", {
    ...{ reason: "Payload too large.", payloadType: "ProductPublished" },
  }),
  sample("commercetools", "ProductSetSkuAction", { action: "setSku", variantId: 1, sku: "A" }),
];

/** Samples of the project's own, written from the tables of fields; some are odd. */
export const ownSamples: readonly Sample[] = [...shopify, ...wooCommerce, ...project];
