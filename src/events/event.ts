/** The events that a shop may send, as one discriminated union (Contract §2). */

/** A decimal amount without sign, never a float, and its ISO 4217 currency. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface NameValue {
  readonly name: string;
  readonly value: string;
}

export interface Image {
  readonly url: string;
  readonly alt?: string | null;
}

export type CheckoutLink =
  | { readonly preset: "shopify" | "woocommerce" | "prestashop" }
  | { readonly template: string; readonly item: string; readonly separator: string };

export interface SettingsData {
  readonly name: string;
  readonly url: string;
  readonly language: string;
  readonly currency: string;
  readonly description?: string | null;
  readonly deprecationPolicy?: string | null;
  readonly pricesVisible?: boolean;
  readonly freeShippingThreshold?: Money | null;
  readonly checkoutLink?: CheckoutLink | null;
  readonly contact?: { readonly email?: string | null; readonly url?: string | null } | null;
}

/** The complete core of a product. Ids are numbers, because decoding converts digit strings. */
export interface ProductData {
  readonly id: number;
  readonly name: string;
  readonly descriptionHtml?: string | null;
  readonly url: string;
  readonly reference?: string | null;
  readonly gtin?: string | null;
  readonly brand?: string | null;
  readonly price?: Money | null;
  readonly categoryIds?: readonly number[] | null;
  readonly specifications?: readonly NameValue[] | null;
  readonly images?: readonly Image[] | null;
  readonly active?: boolean | null;
}

/** A patch by RFC 7396: an absent member stays, null clears it. A price may be patched in part. */
export type ProductPatch = { readonly id: number } & {
  readonly [K in Exclude<keyof ProductData, "id" | "price">]?: ProductData[K] | null;
} & { readonly price?: Partial<Money> | null };

export interface CategoryData {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly parentId?: number | null;
  readonly descriptionHtml?: string | null;
  readonly active?: boolean | null;
}

export type PolicyTopic =
  | "returns"
  | "shipping"
  | "payment"
  | "terms"
  | "privacy"
  | "contact"
  | "other";

export interface PageData {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly contentHtml: string;
  readonly policy?: PolicyTopic | null;
  readonly published?: boolean | null;
}

export interface CarrierData {
  readonly id: number;
  readonly name: string;
  readonly countries: readonly string[];
  readonly price: { readonly min: string; readonly max: string; readonly currency: string };
  readonly deliveryDays: { readonly min: number; readonly max: number };
  readonly active?: boolean | null;
}

interface Deleted {
  readonly id: number;
}

interface TokenData {
  readonly label: string;
  readonly generation: number;
}

/** Every event type and its data. A type missing in a `switch` does not compile. */
export interface EventData {
  readonly "shop.settings.updated": SettingsData;
  readonly "shop.product.upserted": ProductData;
  readonly "shop.product.patched": ProductPatch;
  readonly "shop.product.deleted": Deleted;
  readonly "shop.price.changed": { readonly productId: number; readonly price: Money | null };
  readonly "shop.stock.changed": {
    readonly productId: number;
    readonly quantity: number | null;
    readonly orderable?: boolean | null;
  };
  readonly "shop.category.upserted": CategoryData;
  readonly "shop.category.deleted": Deleted;
  readonly "shop.page.upserted": PageData;
  readonly "shop.page.deleted": Deleted;
  readonly "shop.carrier.upserted": CarrierData;
  readonly "shop.carrier.deleted": Deleted;
  readonly "shop.robots.updated": { readonly text: string };
  readonly "agent.token.regenerated": TokenData;
  readonly "agent.token.revoked": TokenData;
}

export type EventType = keyof EventData;

/** Every event type at run time; a missing or extra type does not compile. */
export const eventTypes = Object.keys({
  "shop.settings.updated": true,
  "shop.product.upserted": true,
  "shop.product.patched": true,
  "shop.product.deleted": true,
  "shop.price.changed": true,
  "shop.stock.changed": true,
  "shop.category.upserted": true,
  "shop.category.deleted": true,
  "shop.page.upserted": true,
  "shop.page.deleted": true,
  "shop.carrier.upserted": true,
  "shop.carrier.deleted": true,
  "shop.robots.updated": true,
  "agent.token.regenerated": true,
  "agent.token.revoked": true,
} satisfies Record<EventType, true>) as readonly EventType[];

/** A decoded event. `time` is in milliseconds since 1970, clamped to the time of the log. */
export interface DecodedEvent<T extends EventType> {
  readonly type: T;
  readonly id: string;
  readonly source: string;
  /** `<entity>/<id>`, or `settings`, `robots`. */
  readonly subject: string;
  readonly time: number;
  /** Digits of the time below the millisecond (`EventTime`). */
  readonly subMillis?: string;
  /** The shop's version of the entity (CloudEvents Sequence extension). */
  readonly sequence?: string;
  /** Stream sequence of the event in the log. */
  readonly logSequence: number;
  readonly data: EventData[T];
}

/** An event of any type; `EventOfType` selects some types and stays discriminated. */
export type ShopEvent = { readonly [T in EventType]: DecodedEvent<T> }[EventType];

export type EventOfType<T extends EventType> = Extract<ShopEvent, { readonly type: T }>;
