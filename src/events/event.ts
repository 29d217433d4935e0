import type {
  ImageData,
  Money,
  PolicySettings,
  PriceMembers,
  ProductFacts,
  SpecificationData,
  StockAvailability,
  VariantData,
} from "./product-facts.ts";

/** The events that a shop may send, as one discriminated union (Contract §2). */

export type { Money, NameValue } from "./product-facts.ts";

export type CheckoutLink =
  | { readonly preset: "shopify" | "woocommerce" | "prestashop" }
  | { readonly template: string; readonly item: string; readonly separator: string };

export interface SettingsData extends PolicySettings {
  readonly name: string;
  readonly url: string;
  readonly language: string;
  readonly currency: string;
  readonly description?: string | null;
  readonly deprecationPolicy?: string | null;
  readonly freeShippingThreshold?: Money | null;
  readonly checkoutLink?: CheckoutLink | null;
  readonly contact?: { readonly email?: string | null; readonly url?: string | null } | null;
}

/** The complete core of a product. Ids are numbers, because decoding converts digit strings. */
export interface ProductData extends ProductFacts, PriceMembers {
  readonly id: number;
  readonly name: string;
  readonly descriptionHtml?: string | null;
  readonly url: string;
  readonly reference?: string | null;
  readonly gtin?: string | null;
  readonly brand?: string | null;
  readonly categoryIds?: readonly number[] | null;
  readonly specifications?: readonly SpecificationData[] | null;
  readonly images?: readonly ImageData[] | null;
  readonly active?: boolean | null;
  readonly variants?: readonly VariantData[] | null;
}

/** Members of the price group that are one amount. */
export type AmountMember = Exclude<keyof PriceMembers, "sales">;

/** A patch by RFC 7396: an absent member stays, null clears it. A price may be patched in part. */
export type ProductPatch = { readonly id: number } & {
  readonly [K in Exclude<keyof ProductData, "id" | AmountMember>]?: ProductData[K] | null;
} & { readonly [K in AmountMember]?: Partial<Money> | null };

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
  /** ISO 3166-1 alpha-2 in upper case, or `*`. */
  readonly countries: readonly string[];
  readonly price: { readonly min: string; readonly max: string; readonly currency: string };
  readonly deliveryDays: { readonly min: number; readonly max: number };
  readonly active?: boolean | null;
}

/** A price of a product, or of one of its variants. */
export interface PriceData extends PriceMembers {
  readonly productId: number;
  readonly variantId?: number;
  readonly price: Money | null;
}

/** The stock of a product, or of one of its variants. */
export interface StockData {
  readonly productId: number;
  readonly variantId?: number;
  readonly quantity: number | null;
  readonly orderable?: boolean | null;
  readonly availability?: StockAvailability | null;
  /** A date, or RFC 3339 with an offset. */
  readonly availabilityDate?: string | null;
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
  readonly "shop.variant.upserted": VariantData & { readonly productId: number };
  readonly "shop.variant.deleted": { readonly productId: number; readonly id: number };
  readonly "shop.price.changed": PriceData;
  readonly "shop.stock.changed": StockData;
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
  "shop.variant.upserted": true,
  "shop.variant.deleted": true,
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
  readonly logSequence: number;
  readonly data: EventData[T];
}

/** An event of any type; `EventOfType` selects some types and stays discriminated. */
export type ShopEvent = { readonly [T in EventType]: DecodedEvent<T> }[EventType];

export type EventOfType<T extends EventType> = Extract<ShopEvent, { readonly type: T }>;
