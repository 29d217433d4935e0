import { topicOf, translateCommercetools } from "../connectors/commercetools/translate.ts";
import { unwrap } from "../connectors/commercetools/unwrap.ts";
import type { Delivery, Outcome, StateReader } from "../connectors/delivery.ts";
import { googleTopics, translateGoogle } from "../connectors/files/google/translate.ts";
import type { TopicOf } from "../connectors/files/json.ts";
import { shopifyTopics, translateShopify } from "../connectors/shopify/translate.ts";
import {
  categoryTopic,
  translateWooCommerce,
  wooCommerceTopics,
} from "../connectors/woocommerce/translate.ts";
import type { ConnectionSettings, FilesConnection } from "./configuration.ts";

/** Makes events of the deliveries and imported bodies of a connection. */
export interface Translator {
  translate(delivery: Delivery, openState: OpenState): Outcome;
  /** Finds the topic of a body that a file has without one; absent where files of JSON are not taken. */
  readonly topicOf?: TopicOf;
}

/** Opens the rows of a connection as those of its platform. */
export type OpenState = <Tables>() => StateReader<Tables>;

/** Creates the translator of a connection. A platform without one does not compile. */
export const createTranslator = (settings: ConnectionSettings): Translator => {
  switch (settings.platform) {
    case "shopify":
      return {
        translate: (delivery, openState) => translateShopify(delivery, settings, openState()),
        topicOf: (body) => {
          if ("available" in body) return "inventory_levels/update";
          if ("tracked" in body) return "inventory_items/update";
          return "title" in body && "variants" in body ? "products/update" : undefined;
        },
      };
    case "woocommerce":
      return {
        translate: (delivery, openState) => translateWooCommerce(delivery, settings, openState()),
        topicOf(body) {
          if ("slug" in body && "parent" in body && "display" in body) return categoryTopic;
          return "id" in body && "status" in body ? "product.updated" : undefined;
        },
      };
    case "commercetools":
      return {
        translate: (delivery, openState) => translateCommercetools(delivery, settings, openState()),
        topicOf(body) {
          const notification = unwrap(body);
          return notification && topicOf(notification.message);
        },
      };
    case "files":
      return createFilesTranslator(settings);
  }
};

/** Takes the formats of all platforms. A Google id of digits is that number, which a product of WooCommerce may have. */
const createFilesTranslator = (settings: FilesConnection): Translator => ({
  translate(delivery, openState) {
    if (googleTopics.has(delivery.topic)) return translateGoogle(delivery, settings, openState());
    if (shopifyTopics.has(delivery.topic)) return translateShopify(delivery, settings, openState());
    if (wooCommerceTopics.has(delivery.topic))
      return translateWooCommerce(delivery, settings, openState());
    throw new Error(`no format of files has the topic ${delivery.topic}`);
  },
});
