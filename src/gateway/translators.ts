import type { CommercetoolsConnection } from "../connectors/commercetools/state.ts";
import {
  commercetoolsTopics,
  topicOf,
  translateCommercetools,
} from "../connectors/commercetools/translate.ts";
import { unwrap } from "../connectors/commercetools/unwrap.ts";
import type { Connection, Delivery, Outcome, StateReader } from "../connectors/delivery.ts";
import { isBearer, isSigned } from "../connectors/hmac.ts";
import type { ShopifyConnection } from "../connectors/shopify/state.ts";
import { shopifyTopics, translateShopify } from "../connectors/shopify/translate.ts";
import { translateWooCommerce, wooCommerceTopics } from "../connectors/woocommerce/translate.ts";
import type { ConnectionSettings } from "./configuration.ts";

export type Headers = Readonly<Record<string, string>>;

/** What the gateway needs of a platform. */
export interface Translator {
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
  translate(delivery: Delivery, openState: OpenState): Outcome;
}

export interface Identity {
  /** Empty for a body that is no delivery of the platform. */
  readonly topic: string;
  readonly deliveryId: string | undefined;
}

/** Opens the rows of a connection as those of its platform. */
export type OpenState = <Tables>() => StateReader<Tables>;

/** Creates the translator of a connection. A platform without one does not compile. */
export const createTranslator = (settings: ConnectionSettings): Translator => {
  switch (settings.platform) {
    case "shopify":
      return createShopifyTranslator(settings);
    case "woocommerce":
      return createWooCommerceTranslator(settings);
    case "commercetools":
      return createCommercetoolsTranslator(settings);
  }
};

const createShopifyTranslator = (connection: ShopifyConnection): Translator => ({
  contentTypes: ["application/json"],
  topics: shopifyTopics,
  isStoredHeader: (name) => name.startsWith("x-shopify-") && name !== "x-shopify-hmac-sha256",
  isAuthentic: (headers, body, secrets) =>
    isSigned(body, headers["x-shopify-hmac-sha256"], secrets),
  identify: (headers) => ({
    topic: headers["x-shopify-topic"] ?? "",
    deliveryId: headers["x-shopify-webhook-id"],
  }),
  translate: (delivery, openState) => translateShopify(delivery, connection, openState()),
});

const createWooCommerceTranslator = (connection: Connection): Translator => ({
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
  translate: (delivery, openState) => translateWooCommerce(delivery, connection, openState()),
});

const createCommercetoolsTranslator = ({
  header = "authorization",
  ...connection
}: CommercetoolsConnection & { readonly header?: string }): Translator => ({
  contentTypes: ["application/json", "application/cloudevents+json", "text/plain"],
  topics: commercetoolsTopics,
  isStoredHeader: () => false,
  isAuthentic: (headers, _, secrets) => isBearer(headers[header.toLowerCase()], secrets),
  identify(_, body) {
    const notification = unwrap(body);
    const topic = notification ? topicOf(notification.message) : "";
    return { topic, deliveryId: notification?.id };
  },
  translate: (delivery, openState) => translateCommercetools(delivery, connection, openState()),
});
