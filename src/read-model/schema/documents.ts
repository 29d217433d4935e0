import type { CheckoutLink, Image, Money, NameValue, PolicyTopic } from "../../events/event.ts";

/** Documents in the form that readers serve. The projector builds them. */

export type Availability = "IN_STOCK" | "OUT_OF_STOCK";

export interface ShopDocument {
  readonly name: string;
  readonly url: string;
  readonly language: string;
  readonly currency: string;
  readonly description: string | null;
  readonly deprecationPolicy: string | null;
  readonly pricesVisible: boolean;
  readonly freeShippingThreshold: Money | null;
  readonly checkoutLink: CheckoutLink | null;
  readonly contact: { readonly email: string | null; readonly url: string | null } | null;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** A visible product, as lists show it. */
export interface ProductDocument {
  readonly id: number;
  readonly name: string;
  /** Plain text, markup stripped. */
  readonly description: string | null;
  readonly url: string;
  readonly reference: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
  readonly price: Money | null;
  readonly availability: Availability;
  /** ISO 8601: time of the latest event that changed the core or the price. */
  readonly updatedAt: string;
  /** ISO 8601: time of the latest event that changed the bytes of the page. */
  readonly lastmod: string;
}

/** Members by which a product is found with an exact match. */
export const identifierMembers = ["reference", "gtin"] as const;
export type IdentifierMember = (typeof identifierMembers)[number];

/** Members of a product that only its own page shows. */
export interface ProductDetail {
  readonly markdown: string | null;
  readonly categoryIds: readonly number[];
  readonly specifications: readonly NameValue[];
  readonly images: readonly Image[];
}

/**
 * What the page of a product and the answer of `get_product` show of its core and its text, in the form in which it is served. Events
 * of prices, stock and categories change none of it.
 */
export interface ProductFragments {
  /** Hash of the other members. */
  readonly digest: string;
  readonly categoryIds: readonly number[];
  readonly specifications: readonly NameValue[];
  readonly images: readonly { readonly url: string; readonly alt: string | null }[];
  /** Heading of the page. */
  readonly title: string;
  /** Lines of the page from the brand to the id. */
  readonly identity: string;
  /** Line of the page with its URL at the shop. */
  readonly pageLink: string;
  /** The sections Description and Specifications of the page; empty when it has neither. */
  readonly sections: string;
  /** The section Images of the page; empty when it has none. */
  readonly gallery: string;
}

/** A visible category, as lists show it: it and all its ancestors exist and are active. */
export interface ListedCategory {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** 1 for a root. */
  readonly depth: number;
  readonly parentId: number | null;
}

export interface CategoryDocument extends ListedCategory {
  /** ISO 8601: time of the latest event that changed the bytes of the category's page. */
  readonly lastmod: string;
}

/** Number of products on one page of a category. */
export const categoryPageSize = 50;

/** Members of a category that only its own page shows. */
export interface CategoryDetail {
  readonly markdown: string | null;
}

export interface PolicyDocument {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly topic: PolicyTopic;
  /** First paragraph, plain text. */
  readonly summary: string | null;
}

/** A published CMS page. */
export interface PageDocument {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly policy: PolicyTopic | null;
  readonly summary: string | null;
  readonly markdown: string;
  readonly lastmod: string;
}

export interface CarrierDocument {
  readonly id: number;
  readonly name: string;
  /** ISO 3166-1 alpha-2 in upper case, or `*`. */
  readonly countries: readonly string[];
  readonly price: { readonly min: string; readonly max: string; readonly currency: string };
  readonly deliveryDays: { readonly min: number; readonly max: number };
}

/** Revocation state of an agent label: tokens of a lower generation are invalid, and all tokens when `revoked` is true. */
export interface AgentDocument {
  readonly label: string;
  readonly generation: number;
  readonly revoked: boolean;
}

/** Identifies a page that an agent may fetch by its address in the shop. */
export interface PageAddress {
  readonly kind: "product" | "category" | "page";
  readonly id: number;
}

/** The shop's robots.txt. */
export interface RobotsDocument {
  readonly text: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}
