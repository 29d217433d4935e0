import type { CarrierData, CheckoutLink, Money, PolicyTopic } from "../../events/event.ts";
import type { OptionValueData, ProductFacts } from "../../events/product-facts.ts";
import type { OfferPolicy } from "../../offers/policy.ts";
import type { PriceGroup } from "../../offers/price.ts";
import type { PricePeriod } from "../../offers/price-periods.ts";
import type { ShownStock } from "../../offers/stock.ts";
import type { AttributeValue, OptionValues } from "./filter-values.ts";
import type { Image, Specification, VariantContent } from "./product-parts.ts";

/** Documents in the form that readers serve. The projector builds them. */

export type Availability = "IN_STOCK" | "OUT_OF_STOCK";

export interface ShopDocument extends OfferPolicy {
  readonly name: string;
  readonly url: string;
  readonly language: string;
  readonly currency: string;
  readonly description: string | null;
  readonly deprecationPolicy: string | null;
  readonly freeShippingThreshold: Money | null;
  readonly checkoutLink: CheckoutLink | null;
  readonly contact: { readonly email: string | null; readonly url: string | null } | null;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * What prices, stock and time do not change of a visible product: its texts, codes, facts, options, images and categories. The order of
 * the members is the stored form; those up to `brand` are copied out of it.
 */
export interface ProductText {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly reference: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
  readonly categoryIds: readonly number[];
  readonly specifications: readonly Specification[];
  readonly images: readonly Image[];
  readonly facts: Omit<ProductFacts, "options">;
  /** Options with all their values, also those that only variants have. */
  readonly options: readonly ProductOption[];
  /** Hash of the description's HTML; null without a description. The description itself is a row of `productTexts`. */
  readonly descriptionHash: string | null;
  /** When an event last changed the core, milliseconds since 1970. */
  readonly changedAt: number;
  /** When an event last changed the core or the name of a category on the page, milliseconds since 1970. */
  readonly shownAt: number;
}

export interface ProductOption {
  readonly name: string;
  readonly code: string | null;
  readonly values: readonly OptionValueData[];
}

/** What prices, stock and time change of a visible product. */
export interface OfferRow {
  /** When an event last changed the prices or the variants, milliseconds since 1970; 0 when none did. */
  readonly changedAt: number;
  /** When an event last changed the prices, the variants or the stock that is shown, milliseconds since 1970. */
  readonly shownAt: number;
  /** As the shop shows it, with its date also when that is past; that of a product with variants is the best of theirs. */
  readonly stock: ShownStock;
  /** The prices over all time: at least one period, ascending. */
  readonly periods: readonly PricePeriod[];
  /** Absent for a product without variants whose price and stock hold for all time. */
  readonly changes?: OfferChanges;
}

export interface OfferChanges {
  /** The product's own prices, as stated; null without sales and in a shop that does not show sales to come. */
  readonly priceGroup: PriceGroup | null;
  /** Instants at which prices of the page change, ascending, milliseconds since 1970. */
  readonly changesAt: readonly number[];
  /** Lowest and highest amount of any variant at any instant; null without a price in the shop's currency. */
  readonly bounds: readonly [lowest: string, highest: string] | null;
  /** Instants at which dates of deliveries are past, ascending, milliseconds since 1970. */
  readonly dateChangesAt: readonly number[];
  /** True also when all variants are inactive: the product is then out of stock. */
  readonly hasVariants: boolean;
}

/** The active variants of a product, in the order of the shop. */
export interface VariantsRow {
  readonly index: VariantIndex;
  /** Distinct prices: those of the product where a variant states none. */
  readonly prices: readonly PriceGroup[];
  readonly members: readonly VariantMembers[];
  /** Distinct attributes and conditions that variants state themselves, with an index for each variant; absent where none does. */
  readonly attributes?: {
    readonly distinct: readonly (readonly AttributeValue[])[];
    readonly of: readonly number[];
  };
}

/** What selections read of the variants. */
export interface VariantIndex {
  readonly options: readonly OptionValues[];
  /** Distinct stocks: that of the product where a variant states none. */
  readonly stocks: readonly ShownStock[];
  readonly entries: readonly VariantEntry[];
  /** Whether a variant has a unit price or a quantity rule of its own. */
  readonly hasOwnTexts: boolean;
  /** Length of the JSON of each price and of the members of each variant, in bytes of UTF-8. */
  readonly bytes: { readonly prices: readonly number[]; readonly members: readonly number[] };
}

export type VariantEntry = readonly [
  id: number,
  /** Index in `prices`. */
  price: number,
  /** Index in `stocks`. */
  stock: number,
  /** Index of the value of each option; -1 for an option that the variant leaves out. */
  ...values: number[],
];

/** What a variant states itself, without its options, prices and stock. Members that an event does not have are absent. */
export interface VariantMembers
  extends Omit<VariantContent, "id" | "options" | "active" | "priceGroup"> {
  /** Indexes of its options in its own sequence, where that is not the product's. */
  readonly optionSequence?: readonly number[];
}

/** Members by which a product is found with an exact match; the `reference` of a variant is its SKU. */
const identifierMembers = ["reference", "gtin", "mpn"] as const;
export type IdentifierMember = (typeof identifierMembers)[number];

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
  readonly changesAt?: readonly number[];
}

/** Number of products on one page of a category. */
export const categoryPageSize = 50;

/** Members of a category that only its own page shows. */
export interface CategoryDetail {
  /** Plain text. */
  readonly description: string | null;
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
export interface PageDocument extends Omit<PolicyDocument, "topic"> {
  readonly policy: PolicyTopic | null;
  readonly markdown: string;
  readonly lastmod: string;
}

export type CarrierDocument = Omit<CarrierData, "active">;

/** Revocation state of an agent label: tokens of a lower epoch are invalid, and all tokens when `revoked` is true. */
export interface AgentDocument {
  readonly label: string;
  readonly tokenEpoch: number;
  readonly revoked: boolean;
}

/** Identifies a page that an agent may fetch by its address in the shop. */
export interface PageAddress {
  readonly kind: "product" | "category" | "page";
  readonly id: number;
}

export interface RobotsDocument {
  readonly text: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}
