import { type Delivery, ignored, type Outcome, refused, type StateReader } from "../delivery.ts";
import { type Members, readMembers, readText } from "../members.ts";
import { openTranslation } from "../translation.ts";
import { deleteCategory, upsertCategory } from "./category-messages.ts";
import { readMessage } from "./message.ts";
import { publishProduct, removeProduct } from "./product-messages.ts";
import type { CommercetoolsConnection, CommercetoolsTables, MessageHandler } from "./state.ts";
import { changeEntry } from "./stock.ts";
import { unwrap } from "./unwrap.ts";

/** Translates a notification of commercetools (README.md). */
export const translateCommercetools = (
  delivery: Delivery,
  connection: CommercetoolsConnection,
  state: StateReader<CommercetoolsTables>,
): Outcome => {
  if (readMembers(delivery.body)?.["Type"] === "SubscriptionConfirmation") {
    return ignored("confirm the subscription of SNS: request the address in SubscribeURL");
  }
  const body = unwrap(delivery.body)?.message;
  if (!body) return refused("", "must be a message of commercetools, or have one in an envelope");
  const type = topicOf(body);
  const handle = handlers.get(type);
  if (!handle) {
    return ignored(isPartial(type) ? "a change without its product" : "a message without goods");
  }
  if (readMembers(body["payloadNotIncluded"])) return ignored("the payload was too large");
  const message = readMessage(body);
  if ("outcome" in message) return message;
  const translation = openTranslation(state);
  return handle(translation, connection, message) ?? translation.finish();
};

/** Reads the type of a message. One without its payload, or a thin notification, states it elsewhere. */
export const topicOf = (body: Members): string =>
  readText(body["type"]) ??
  readText(readMembers(body["payloadNotIncluded"])?.["payloadType"]) ??
  readText(body["notificationType"]) ??
  "";

const isPartial = (type: string): boolean =>
  type === "" || /^(Resource|Product|StandalonePrice|Category|InventoryEntry)/.test(type);

const deleteResource: MessageHandler = (translation, connection, message) => {
  if (message.typeId === "product") return removeProduct(translation, connection, message);
  if (message.typeId === "category") return deleteCategory(translation, connection, message);
  return ignored("a message without goods");
};

const handlers: ReadonlyMap<string, MessageHandler> = new Map([
  ["ProductPublished", publishProduct],
  ["ProductUnpublished", removeProduct],
  ["ProductDeleted", removeProduct],
  ["ResourceDeleted", deleteResource],
  ["InventoryEntryCreated", changeEntry],
  ["InventoryEntryQuantitySet", changeEntry],
  ["InventoryEntryDeleted", changeEntry],
  ["CategoryCreated", upsertCategory],
  ["CategorySlugChanged", upsertCategory],
]);

/** Types of messages whose deliveries the gateway stores. */
export const commercetoolsTopics: ReadonlySet<string> = new Set(handlers.keys());
