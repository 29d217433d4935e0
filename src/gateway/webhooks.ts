import { commercetoolsTopics, topicOf } from "../connectors/commercetools/translate.ts";
import { unwrap } from "../connectors/commercetools/unwrap.ts";
import { isBearer, isSigned } from "../connectors/hmac.ts";
import { shopifyTopics } from "../connectors/shopify/translate.ts";
import { wooCommerceTopics } from "../connectors/woocommerce/translate.ts";
import type { WebhookSettings } from "./configuration.ts";

export type Headers = Readonly<Record<string, string>>;

/** How a platform sends deliveries. */
export interface Webhooks {
  readonly contentTypes: readonly string[];
  /** Topics whose deliveries are stored; bodies of others hold personal data, or nothing of goods. */
  readonly topics: ReadonlySet<string>;
  /** Tests for a request by which a platform checks the address. It is not signed, and not stored. */
  isPing?(headers: Headers, body: Buffer): boolean;
  /** Tests whether a header is stored. One that authenticates never is. */
  isStoredHeader(name: string): boolean;
  isAuthentic(headers: Headers, body: Uint8Array, secrets: readonly string[]): boolean;
  /** Reads the topic of a delivery, and its id where a repetition has the same. */
  identify(headers: Headers, body: unknown): Identity;
}

export interface Identity {
  /** Empty for a body that is no delivery of the platform. */
  readonly topic: string;
  readonly deliveryId: string | undefined;
}

/** Creates what the gateway knows of the requests of a platform. A platform without it does not compile. */
export const createWebhooks = (settings: WebhookSettings): Webhooks => {
  switch (settings.platform) {
    case "shopify":
      return shopifyWebhooks;
    case "woocommerce":
      return wooCommerceWebhooks;
    case "commercetools":
      return createCommercetoolsWebhooks(settings.header);
  }
};

const shopifyWebhooks: Webhooks = {
  contentTypes: ["application/json"],
  topics: shopifyTopics,
  isStoredHeader: (name) => name.startsWith("x-shopify-") && name !== "x-shopify-hmac-sha256",
  isAuthentic: (headers, body, secrets) =>
    isSigned(body, headers["x-shopify-hmac-sha256"], secrets),
  identify: (headers) => ({
    topic: headers["x-shopify-topic"] ?? "",
    deliveryId: headers["x-shopify-webhook-id"],
  }),
};

const wooCommerceWebhooks: Webhooks = {
  contentTypes: ["application/json"],
  topics: wooCommerceTopics,
  isPing: (headers, body) =>
    headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true &&
    /^webhook_id=\d{1,20}$/.test(body.toString()),
  isStoredHeader: (name) => name.startsWith("x-wc-webhook-") && name !== "x-wc-webhook-signature",
  isAuthentic: (headers, body, secrets) =>
    isSigned(body, headers["x-wc-webhook-signature"], secrets),
  // The delivery id of WooCommerce is that of a second.
  identify: (headers) => ({ topic: headers["x-wc-webhook-topic"] ?? "", deliveryId: undefined }),
};

const createCommercetoolsWebhooks = (header = "authorization"): Webhooks => ({
  contentTypes: ["application/json", "application/cloudevents+json", "text/plain"],
  topics: commercetoolsTopics,
  isStoredHeader: () => false,
  isAuthentic: (headers, _, secrets) => isBearer(headers[header.toLowerCase()], secrets),
  identify(_, body) {
    const notification = unwrap(body);
    const topic = notification ? topicOf(notification.message) : "";
    return { topic, deliveryId: notification?.id };
  },
});
