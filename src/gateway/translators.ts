import type { Delivery, Outcome, StateReader } from "../connectors/delivery.ts";
import { isSigned } from "../connectors/hmac.ts";
import { shopifyTopics, translateShopify } from "../connectors/shopify/translate.ts";
import type { ConnectionSettings } from "./configuration.ts";

export type Headers = Readonly<Record<string, string>>;

/** What the gateway needs of a platform. */
export interface Translator {
  readonly contentTypes: readonly string[];
  /** Topics whose deliveries are stored; bodies of others hold personal data, or nothing of goods. */
  readonly topics: ReadonlySet<string>;
  /** Prefix of the headers that are stored. */
  readonly headerPrefix: string;
  /** Header that authenticates, which is never stored. */
  readonly signatureHeader: string;
  isAuthentic(headers: Headers, body: Uint8Array, secrets: readonly string[]): boolean;
  /** Reads the topic of a delivery, and its id where a repetition has the same. */
  identify(
    headers: Headers,
    body: unknown,
  ): { readonly topic: string; readonly deliveryId?: string };
  translate(delivery: Delivery, openState: OpenState): Outcome;
}

/** Opens the rows of a connection as those of its platform. */
export type OpenState = <Tables>() => StateReader<Tables>;

/** Every platform has its translator. */
export const createTranslator = (settings: ConnectionSettings): Translator => {
  switch (settings.platform) {
    case "shopify":
      return {
        contentTypes: ["application/json"],
        topics: shopifyTopics,
        headerPrefix: "x-shopify-",
        signatureHeader: "x-shopify-hmac-sha256",
        isAuthentic: (headers, body, secrets) =>
          isSigned(body, headers["x-shopify-hmac-sha256"], secrets),
        identify(headers) {
          const deliveryId = headers["x-shopify-webhook-id"];
          const topic = headers["x-shopify-topic"] ?? "";
          return deliveryId === undefined ? { topic } : { topic, deliveryId };
        },
        translate: (delivery, openState) => translateShopify(delivery, settings, openState()),
      };
  }
};
