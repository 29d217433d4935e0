import type { CarrierData, CheckoutLink, Money, PolicyTopic } from "../../events/event.ts";
import type { GoodsSettings, OptionValueData, ProductFacts } from "../../events/goods.ts";
import type { PriceTerms } from "../../offers/price.ts";
import type { OfferPeriod } from "../../offers/product-offer.ts";
import type { Image, Specification, VariantContent } from "./goods.ts";

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
  /** How prices and stock are shown; absent where the settings do not say. */
  readonly goods?: GoodsSettings;
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
  /** Absent for a product with a price alone, without variants and without a delivery date. */
  readonly offers?: ProductOffers;
}

/**
 * The prices of a product over all time. The members `price`, `updatedAt` and `lastmod` of the document are those before the first
 * edge; a reader replaces them by those of its instant.
 */
export interface ProductOffers {
  /** The product's own prices. */
  readonly terms: PriceTerms;
  readonly periods: readonly OfferPeriod[];
  /** Instants at which prices of the page change, ascending, milliseconds since 1970. */
  readonly edges: readonly number[];
  /** Lowest and highest amount of any variant at any instant; null without a price in the shop's currency. */
  readonly bounds: readonly [lowest: string, highest: string] | null;
  /** Instants at which dates of deliveries are past, ascending, milliseconds since 1970. */
  readonly dateEdges: readonly number[];
  /** True also when all variants are inactive: the product is then out of stock. */
  readonly hasVariants: boolean;
}

/** What a product has beyond its published members. */
export interface ProductGoods {
  readonly facts: Omit<ProductFacts, "options">;
  /** Options with all their values, also those that only variants have. */
  readonly options: readonly ProductOption[];
  /** Ids of the active variants, in the order of the shop. */
  readonly variantIds: readonly number[];
}

export interface ProductOption {
  readonly name: string;
  readonly code: string | null;
  readonly values: readonly OptionValueData[];
}

/** An active variant. `terms` are its own prices; absent where it has those of its product. */
export type VariantDocument = Omit<VariantContent, "active">;

/** Members by which a product is found with an exact match; the `reference` of a variant is its SKU. */
export const identifierMembers = ["reference", "gtin", "mpn"] as const;
export type IdentifierMember = (typeof identifierMembers)[number];

/** Members of a product that only its own page shows. */
export interface ProductDetail {
  readonly markdown: string | null;
  readonly categoryIds: readonly number[];
  readonly specifications: readonly Specification[];
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
  readonly specifications: readonly Specification[];
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
  /** Instants at which prices on the first page change, ascending, milliseconds since 1970; absent without any. */
  readonly edges?: readonly number[];
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

export type CarrierDocument = Omit<CarrierData, "active">;

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
