import type { ProductFacts } from "../events/product-facts.ts";
import type { Offer } from "../read-model/reader/offer.ts";
import type { ProductText, VariantMembers } from "../read-model/schema/documents.ts";

/** Field of GraphQL, member of the answer of `get_product`, and part of the page; null where a surface does not show the member. */
type MemberNames<Kind extends string> = readonly [
  kind: Kind,
  graphql: string | null,
  tool: string | null,
  page: PagePart | null,
];

/** `other` parts, such as title, line of the price and table of variants, are written by name. */
type PagePart = "identity" | "facts" | "offer" | "section" | "other";

/** Neither the key nor what only the read model uses. Facts are members of their own. */
type Unshown = "id" | "facts" | "descriptionHash" | "changedAt" | "shownAt";
type TextMember = Exclude<keyof ProductText, Unshown>;
type FactMember = Exclude<keyof ProductFacts, TextMember | keyof Offer>;

/** Every member of a product. Texts and facts are static; prices, stock and time change an offer. */
export const productMembers = {
  name: ["text", "name", "name", "other"],
  url: ["text", "url", "url", "other"],
  reference: ["text", "reference", "reference", "identity"],
  gtin: ["text", "gtin", "gtin", "identity"],
  brand: ["text", "brand", "brand", "identity"],
  // GraphQL lists the products of a category, and no categories of a product.
  categoryIds: ["text", null, "categories", "section"],
  specifications: ["text", "attributes", "specifications", "section"],
  images: ["text", "images", "images", "section"],
  options: ["text", "options", "options", "other"],
  mpn: ["fact", "mpn", "mpn", "facts"],
  condition: ["fact", "condition", "condition", "offer"],
  // Shown as the unit price of the offer.
  unitPricing: ["fact", null, null, null],
  rating: ["fact", "rating", "rating", "facts"],
  related: ["fact", "related", "related", "section"],
  releaseDate: ["fact", "releaseDate", "release_date", "facts"],
  delivery: ["fact", "delivery", "delivery", "offer"],
  tags: ["fact", "tags", "tags", "section"],
  highlights: ["fact", "highlights", "highlights", "section"],
  minimumAge: ["fact", "minimumAge", "minimum_age", "offer"],
  warnings: ["fact", "warnings", "warnings", "section"],
  returns: ["fact", "returns", "returns", "offer"],
  manufacturer: ["fact", "manufacturer", "manufacturer", "facts"],
  responsiblePerson: ["fact", "responsiblePerson", "responsible_person", "facts"],
  energyLabel: ["fact", "energyLabel", "energy_label", "facts"],
  media: ["fact", "media", "media", "section"],
  price: ["offer", "price", "price", "offer"],
  listPrice: ["offer", "listPrice", "list_price", "other"],
  listPriceKind: ["offer", "listPriceKind", "list_price_kind", "other"],
  priorPrice: ["offer", "priorPrice", "prior_price", "other"],
  discountPercent: ["offer", "discountPercent", "discount_percent", "other"],
  sale: ["offer", "sale", "sale", "other"],
  // Told by the change feed, where a list of those to come would change without a change.
  statedSales: ["offer", null, null, null],
  upcomingSales: ["offer", "upcomingSales", "upcoming_sales", "offer"],
  unitPrice: ["offer", "unitPrice", "unit_price", "offer"],
  availability: ["offer", "availability", "availability", "offer"],
  stock: ["offer", "stock", "stock_status", "other"],
  quantityRule: ["offer", "quantityRule", "quantity_rule", "offer"],
  range: ["offer", "priceRange", "price_range", "other"],
  // Tools and pages show the price of this variant as that of the product.
  featured: ["offer", "featuredVariant", null, null],
} as const satisfies Record<TextMember, MemberNames<"text">> &
  Record<FactMember, MemberNames<"fact">> &
  Record<keyof Offer, MemberNames<"offer">>;

/** What a variant states itself besides its options, name, address, pictures and prices. A surface that forgets one does not compile. */
export type VariantFact = Exclude<
  keyof VariantMembers,
  "optionSequence" | "name" | "url" | "images" | "unitPricing"
>;

type Table = typeof productMembers;
type Member = keyof Table;
type Column = { readonly graphql: 1; readonly tool: 2 };

/** Names that a surface gives to the members of a kind. */
export type NameIn<Surface extends keyof Column, Kind = Table[Member][0]> = {
  [M in Member]: Table[M][0] extends Kind ? NonNullable<Table[M][Column[Surface]]> : never;
}[Member];

/** Members that a part of the page shows. */
export type MemberOn<Part extends PagePart> = {
  [M in Member]: Table[M][3] extends Part ? M : never;
}[Member];
