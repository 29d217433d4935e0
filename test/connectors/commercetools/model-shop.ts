import fc from "fast-check";
import { money, uuid } from "./bodies.ts";

/** A project as commercetools keeps it, and the messages that it sends for each change. */

export const windows = {
  none: {},
  past: { validFrom: "2025-01-01T00:00:00.000Z", validUntil: "2025-06-01T00:00:00.000Z" },
  now: { validFrom: "2026-08-01T00:00:00.000Z", validUntil: "2026-10-01T00:00:00.000Z" },
  next: { validFrom: "2026-10-01T00:00:00.000Z", validUntil: "2098-01-01T00:00:00.000Z" },
  far: { validFrom: "2098-01-01T00:00:00.000Z" },
} as const;

/** Scopes of prices, the preferred first; the others are of somebody else. */
export const scopes = ["both", "channel", "country", "all"] as const;
const otherScopes = ["otherCountry", "otherChannel", "group", "otherCurrency"] as const;

export const priceChannel = uuid(500);

const scopeMembers: Readonly<Record<ModelPrice["scope"], object>> = {
  both: { country: "DE", channel: { typeId: "channel", id: priceChannel } },
  channel: { channel: { typeId: "channel", id: priceChannel } },
  country: { country: "DE" },
  all: {},
  otherCountry: { country: "FR" },
  otherChannel: { channel: { typeId: "channel", id: uuid(501) } },
  group: { customerGroup: { typeId: "customer-group", id: uuid(600) } },
  otherCurrency: {},
};

export interface ModelPrice {
  readonly scope: (typeof scopes)[number] | (typeof otherScopes)[number];
  readonly window: keyof typeof windows;
  readonly cents: number;
  readonly discounted: number | null;
}

export interface ModelVariant {
  readonly id: number;
  sku: string;
  readonly size: string;
  prices: readonly ModelPrice[];
}

export interface ModelProduct {
  readonly id: string;
  name: string;
  state: "published" | "unpublished" | "deleted";
  variants: ModelVariant[];
  sequence: number;
  /** Variant ids are given once. */
  lastVariantId: number;
}

/** An entry of inventory. A SKU has one at most with each channel. */
export interface ModelEntry {
  readonly id: string;
  readonly sku: string;
  readonly channel: string | undefined;
  /** Null: deleted. */
  quantity: number | null;
  sequence: number;
}

export interface Notification {
  readonly body: object;
  /** Whether a later message mends its loss. */
  readonly isMended: boolean;
}

const target = { product: fc.integer({ min: 0, max: 2 }), variant: fc.integer({ min: 0, max: 2 }) };

const price: fc.Arbitrary<ModelPrice> = fc.record({
  scope: fc.constantFrom(...scopes, ...otherScopes),
  window: fc.constantFrom("none", "none", "past", "now", "next", "far"),
  cents: fc.integer({ min: 1, max: 5 }).map((units) => units * 199),
  discounted: fc.option(fc.integer({ min: 1, max: 5 }).map((units) => units * 150)),
});

/** The platform refuses two prices of one scope that hold at one time. */
const prices = fc.uniqueArray(price, {
  maxLength: 8,
  selector: ({ scope, window }) => `${scope}/${window}`,
});

export const change = fc.oneof(
  fc.record({
    ...{ kind: fc.constant("name" as const), ...target },
    name: fc.constantFrom("Tee", "Top"),
  }),
  fc.record({ kind: fc.constant("prices" as const), ...target, prices }),
  fc.record({ kind: fc.constant("prices" as const), ...target, prices }),
  fc.record({
    ...{ kind: fc.constant("variants" as const), ...target },
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constantFrom("newSku" as const, "swap" as const), ...target }),
  fc.record({ kind: fc.constant("move" as const), ...target }),
  fc.record({
    ...{ kind: fc.constant("quantity" as const), ...target },
    channel: fc.constantFrom("a", "b", "none"),
    quantity: fc.integer({ min: -1, max: 5 }),
  }),
  fc.record({
    ...{ kind: fc.constant("quantity" as const), ...target },
    channel: fc.constantFrom("a", "b", "none"),
    quantity: fc.integer({ min: -1, max: 5 }),
  }),
  fc.record({
    ...{ kind: fc.constant("entryDeletion" as const), ...target },
    channel: fc.constantFrom("a", "b", "none"),
  }),
  fc.record({
    kind: fc.constantFrom("publication" as const, "unpublication" as const),
    ...target,
  }),
  fc.record({ kind: fc.constant("deletion" as const), ...target }),
);

export type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const channels = { a: uuid(400), b: uuid(401), none: undefined };

export interface ModelShop {
  readonly products: ReadonlyMap<number, ModelProduct>;
  readonly entries: readonly ModelEntry[];
  readonly notifications: readonly Notification[];
  apply(change: Change): void;
  /** Publishes every public product again, and sets the quantity of every entry. */
  restateAll(): void;
}

/** @param firstId numbers of the product ids are `firstId` to `firstId + 2` */
export const openModelShop = (firstId: number): ModelShop => {
  const products = new Map<number, ModelProduct>();
  const entries: ModelEntry[] = [];
  const notifications: Notification[] = [];
  let seconds = 0;
  let ids = firstId * 1000;
  const nextId = (): number => {
    ids += 1;
    return ids;
  };
  const now = (): string => new Date(Date.UTC(2026, 8, 1) + seconds * 1000).toISOString();

  const send = (
    type: string,
    typeId: string,
    resource: { readonly id: string; sequence: number },
    members: object,
    isMended = true,
  ): void => {
    seconds += 1;
    // Messages without goods have numbers too.
    resource.sequence += 1 + (seconds % 3);
    const body = {
      ...{ id: uuid(nextId()), type, version: 1, sequenceNumber: resource.sequence },
      ...{ resource: { typeId, id: resource.id }, createdAt: now(), lastModifiedAt: now() },
      ...members,
    };
    notifications.push({ body, isMended });
  };

  const publish = (product: ModelProduct): void => {
    product.state = "published";
    const productProjection = toProjection(product, entries);
    send("ProductPublished", "product", product, { productProjection, scope: "All" });
  };

  const addVariant = (product: ModelProduct): void => {
    product.lastVariantId += 1;
    const sizes = ["S", "M", "L"].filter((size) =>
      product.variants.every((each) => each.size !== size),
    );
    product.variants.push({
      ...{ id: product.lastVariantId, sku: `SKU-${nextId()}`, size: sizes[0] ?? "XL" },
      prices: [{ scope: "all", window: "none", cents: 1000, discounted: null }],
    });
  };

  const create = (number: number): ModelProduct => {
    const product: ModelProduct = {
      ...{ id: uuid(number), name: "New", state: "published", variants: [], sequence: 0 },
      lastVariantId: 0,
    };
    products.set(number, product);
    addVariant(product);
    publish(product);
    return product;
  };

  const setQuantity = (sku: string, channel: string | undefined, quantity: number): void => {
    const existing = entries.find(
      (entry) => entry.sku === sku && entry.channel === channel && entry.quantity !== null,
    );
    const entry = existing ?? { id: uuid(nextId()), sku, channel, quantity, sequence: 0 };
    entry.quantity = quantity;
    if (!existing) entries.push(entry);
    if (existing) sendQuantity(entry);
    else sendEntry("InventoryEntryCreated", entry, { inventoryEntry: toEntry(entry) });
  };

  const sendQuantity = (entry: ModelEntry): void => {
    const { availableQuantity: newAvailableQuantity, ...members } = toEntry(entry);
    sendEntry("InventoryEntryQuantitySet", entry, { ...members, newAvailableQuantity });
  };

  const sendEntry = (type: string, entry: ModelEntry, members: object, isMended = true): void =>
    send(type, "inventory-entry", entry, members, isMended);

  const deleteEntry = (sku: string, channel: string | undefined): void => {
    for (const entry of entries) {
      if (entry.sku !== sku || entry.channel !== channel || entry.quantity === null) continue;
      entry.quantity = null;
      const { availableQuantity: _, ...members } = toEntry(entry);
      sendEntry("InventoryEntryDeleted", entry, members, false);
    }
  };

  /** Gives the SKU of a variant to one of another product. */
  const move = (product: ModelProduct, variant: ModelVariant): void => {
    const other = [...products.values()].find(
      (each) => each !== product && each.state === "published",
    );
    const [receiver] = other?.variants ?? [];
    if (!other || !receiver || product.state !== "published") return;
    receiver.sku = variant.sku;
    variant.sku = `SKU-${nextId()}`;
    publish(product);
    publish(other);
  };

  const changeVariant = (product: ModelProduct, variant: ModelVariant, change: Change): void => {
    const [first, second] = product.variants;
    switch (change.kind) {
      case "prices":
        variant.prices = change.prices;
        publish(product);
        break;
      case "newSku":
        variant.sku = `SKU-${nextId()}`;
        publish(product);
        break;
      case "swap":
        if (first && second) [first.sku, second.sku] = [second.sku, first.sku];
        publish(product);
        break;
      case "move":
        move(product, variant);
        break;
      case "quantity":
        setQuantity(variant.sku, channels[change.channel], change.quantity);
        break;
      case "entryDeletion":
        deleteEntry(variant.sku, channels[change.channel]);
        break;
      default:
        changeProduct(product, change);
        break;
    }
  };

  const changeProduct = (product: ModelProduct, change: Change): void => {
    switch (change.kind) {
      case "name":
        product.name = change.name;
        publish(product);
        break;
      case "variants":
        product.variants = product.variants.slice(0, change.count);
        while (product.variants.length < change.count) addVariant(product);
        publish(product);
        break;
      case "publication":
        publish(product);
        break;
      case "unpublication":
        product.state = "unpublished";
        send("ProductUnpublished", "product", product, {}, false);
        break;
      case "deletion":
        product.state = "deleted";
        sendDeletion(product);
        break;
    }
  };

  /** A subscription to messages and changes sends both. */
  const sendDeletion = (product: ModelProduct): void => {
    const { id } = product;
    send("ProductDeleted", "product", product, {}, false);
    const thin = { notificationType: "ResourceDeleted", resource: { typeId: "product", id } };
    notifications.push({ body: { ...thin, modifiedAt: now() }, isMended: false });
  };

  return {
    products,
    entries,
    notifications,
    apply(change) {
      const number = firstId + change.product;
      const product = products.get(number) ?? create(number);
      const variant = product.variants[change.variant % product.variants.length];
      if (variant && product.state !== "deleted") changeVariant(product, variant, change);
    },
    restateAll() {
      for (const product of products.values()) {
        if (product.state === "published") publish(product);
      }
      for (const entry of entries) if (entry.quantity !== null) sendQuantity(entry);
    },
  };
};

const toEntry = ({ sku, channel, quantity }: ModelEntry) => ({
  sku,
  ...(channel === undefined ? {} : { supplyChannel: { typeId: "channel", id: channel } }),
  availableQuantity: quantity,
});

const toPrice = ({ scope, window, cents, discounted }: ModelPrice): object => ({
  ...scopeMembers[scope],
  ...windows[window],
  value: money(cents, scope === "otherCurrency" ? { currencyCode: "USD" } : {}),
  ...(discounted === null ? {} : { discounted: { value: money(discounted) } }),
});

const toProjection = (
  { id, name, variants }: ModelProduct,
  entries: readonly ModelEntry[],
): object => {
  const [masterVariant, ...others] = variants.map((variant) => ({
    ...{ id: variant.id, sku: variant.sku, images: [] },
    prices: variant.prices.map(toPrice),
    attributes: [{ name: "size", value: variant.size }],
    ...toAvailability(entries.filter((entry) => entry.sku === variant.sku)),
  }));
  return {
    ...{ id, name: { en: name }, slug: { en: `product-${id}` }, categories: [] },
    ...{ masterVariant, variants: others },
  };
};

/** The platform states the supply without a channel. */
const toAvailability = (entries: readonly ModelEntry[]): object => {
  const entry = entries.find(({ channel, quantity }) => channel === undefined && quantity !== null);
  if (!entry) return {};
  const { quantity: availableQuantity } = entry;
  return { availability: { isOnStock: (availableQuantity ?? 0) > 0, availableQuantity } };
};
