import type { CommercetoolsConnection } from "../../../src/connectors/commercetools/state.ts";

/** Notifications of subscriptions, with the members that the platform sends. */

export const connection: CommercetoolsConnection = {
  url: "https://shop.example",
  productUrl: "https://shop.example/p/{slug}",
  currency: "EUR",
  language: "en",
};

export const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** The product of the examples, 7, and the numbers of its events. */
export const productId = uuid(7);

export const minutesLater = (minutes: number): string =>
  new Date(Date.UTC(2026, 9, 1, 8, minutes)).toISOString();

interface MessageMembers {
  readonly [name: string]: unknown;
  readonly sequenceNumber?: number;
}

/** @param minutes time of the message after 8 o'clock */
export const message = (type: string, minutes: number, members: MessageMembers = {}) => ({
  notificationType: "Message",
  projectKey: "shop",
  id: uuid(90_000 + minutes),
  version: 1,
  sequenceNumber: minutes + 1,
  resource: { typeId: "product", id: productId },
  resourceVersion: minutes + 1,
  resourceUserProvidedIdentifiers: {},
  type,
  createdAt: minutesLater(minutes),
  lastModifiedAt: minutesLater(minutes),
  ...members,
});

export const money = (centAmount: number | string, members: object = {}) => ({
  type: "centPrecision",
  currencyCode: "EUR",
  centAmount,
  fractionDigits: 2,
  ...members,
});

export const variantBody = (id: number, members: object = {}) => ({
  id,
  sku: `TEE-${id}`,
  key: `tee-${id}`,
  prices: [{ id: uuid(500 + id), value: money(1999) }],
  images: [],
  attributes: [{ name: "size", value: { key: `s${id}`, label: ["S", "M", "L"][id - 1] ?? "XL" } }],
  assets: [],
  ...members,
});

export const projection = (members: object = {}) => ({
  id: productId,
  version: 3,
  productType: { typeId: "product-type", id: uuid(1) },
  name: { de: "Hemd", en: "Tee" },
  description: { en: "<p>Soft.</p>" },
  slug: { de: "hemd", en: "tee" },
  categories: [{ typeId: "category", id: uuid(12) }],
  masterVariant: variantBody(1),
  variants: [variantBody(2)],
  published: true,
  hasStagedChanges: false,
  createdAt: minutesLater(0),
  lastModifiedAt: minutesLater(0),
  ...members,
});

export const published = (minutes: number, product: object = {}, members: MessageMembers = {}) =>
  message("ProductPublished", minutes, {
    productProjection: projection(product),
    removedImageUrls: [],
    scope: "All",
    ...members,
  });

/** A message of the entry of inventory with a number, which has one SKU and one channel. */
const entryMessage = (type: string, minutes: number, entry: number, members: object) =>
  message(type, minutes, { resource: { typeId: "inventory-entry", id: uuid(entry) }, ...members });

const reference = (channel: number | undefined) =>
  channel === undefined ? {} : { supplyChannel: { typeId: "channel", id: uuid(channel) } };

export interface Entry {
  readonly entry?: number;
  readonly sku?: string;
  readonly channel?: number | undefined;
}

const defaults = { entry: 300, sku: "TEE-1", channel: undefined };

export const entryCreated = (minutes: number, availableQuantity: unknown, options: Entry = {}) => {
  const { entry, sku, channel } = { ...defaults, ...options };
  const quantities = { quantityOnStock: 99, availableQuantity };
  const inventoryEntry = { id: uuid(entry), sku, ...reference(channel), ...quantities };
  return entryMessage("InventoryEntryCreated", minutes, entry, { inventoryEntry });
};

export const quantitySet = (
  minutes: number,
  newAvailableQuantity: unknown,
  options: Entry = {},
) => {
  const { entry, sku, channel } = { ...defaults, ...options };
  const quantities = {
    ...{ oldQuantityOnStock: 0, newQuantityOnStock: 99 },
    ...{ oldAvailableQuantity: 0, newAvailableQuantity },
  };
  const members = { sku, ...reference(channel), ...quantities };
  return entryMessage("InventoryEntryQuantitySet", minutes, entry, members);
};

export const entryDeleted = (minutes: number, options: Entry = {}) => {
  const { entry, sku, channel } = { ...defaults, ...options };
  return entryMessage("InventoryEntryDeleted", minutes, entry, { sku, ...reference(channel) });
};

export const resourceDeleted = (minutes: number, typeId: string, id: string) => ({
  notificationType: "ResourceDeleted",
  projectKey: "shop",
  resource: { typeId, id },
  resourceUserProvidedIdentifiers: {},
  version: 9,
  modifiedAt: minutesLater(minutes),
});

export const categoryMessage = (type: string, minutes: number, members: object) =>
  message(type, minutes, { resource: { typeId: "category", id: uuid(12) }, ...members });

export const categoryCreated = (minutes: number, members: object = {}) =>
  categoryMessage("CategoryCreated", minutes, {
    category: {
      id: uuid(12),
      version: 1,
      name: { en: "Shirts" },
      slug: { en: "shirts" },
      ancestors: [],
      parent: { typeId: "category", id: uuid(11) },
      ...members,
    },
  });
