/** Members of events about variants, prices and facts of products (Contract §9). All are optional. */

/** A decimal amount without sign, never a float, and its ISO 4217 currency. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface NameValue {
  readonly name: string;
  readonly value: string;
}

/** A sale price with its window: in force from `from` on and before `to`, RFC 3339 with an offset. */
export interface Sale {
  readonly price: Money;
  readonly from?: string | null;
  readonly to?: string | null;
}

/** The price group. An absent member is not stated. */
export interface PriceMembers {
  readonly price?: Money | null;
  readonly listPrice?: Money | null;
  readonly priorPrice?: Money | null;
  readonly sales?: readonly Sale[] | null;
}

/** Every member of the price group; a missing or extra one does not compile. */
export const priceMembers = Object.keys({
  price: true,
  listPrice: true,
  priorPrice: true,
  sales: true,
} satisfies Record<keyof PriceMembers, true>) as readonly (keyof PriceMembers)[];

export interface OptionValueData {
  readonly value: string;
  readonly id?: string | null;
  readonly swatch?: { readonly color?: string | null; readonly imageUrl?: string | null } | null;
}

export interface OptionData {
  readonly name: string;
  readonly code?: string | null;
  readonly values: readonly (string | OptionValueData)[];
}

export interface Measure {
  /** Decimal text above 0. */
  readonly value: string;
  readonly unit: string;
}

export interface UnitPricing {
  /** Contents of one piece. */
  readonly measure: Measure;
  /** The amount that the unit price is for. */
  readonly base: Measure;
}

export interface QuantityRule {
  readonly min?: number | null;
  readonly max?: number | null;
  readonly step?: number | null;
}

export type Condition = "new" | "refurbished" | "used";

/** A specification; with one of the optional members it is an attribute. */
export interface SpecificationData extends NameValue {
  readonly code?: string | null;
  readonly numericValue?: string | number | null;
  readonly max?: string | number | null;
  readonly unit?: string | null;
  readonly group?: string | null;
}

export interface ImageData {
  readonly url: string;
  readonly alt?: string | null;
  readonly width?: number | null;
  readonly height?: number | null;
}

export interface VariantData extends PriceMembers {
  readonly id: number;
  readonly sku?: string | null;
  readonly gtin?: string | null;
  readonly mpn?: string | null;
  readonly name?: string | null;
  /** Absolute, or relative to the product's URL. */
  readonly url?: string | null;
  readonly options?: readonly NameValue[] | null;
  readonly unitPricing?: UnitPricing | null;
  readonly quantityRule?: QuantityRule | null;
  readonly images?: readonly ImageData[] | null;
  readonly specifications?: readonly SpecificationData[] | null;
  readonly condition?: Condition | null;
  readonly active?: boolean | null;
}

export type Relationship =
  | "part_of_set"
  | "required_part"
  | "often_bought_with"
  | "substitute"
  | "different_brand"
  | "accessory"
  | "similar";

export interface Returns {
  readonly accepted: boolean;
  readonly days?: number | null;
  readonly exchanges?: boolean | null;
  readonly fees?: "free" | "customer" | null;
  readonly countries?: readonly string[] | null;
}

export interface Warning {
  readonly text: string;
  readonly code?: string | null;
  readonly url?: string | null;
  readonly imageUrl?: string | null;
}

export interface Company {
  readonly name: string;
  readonly address?: string | null;
  readonly email?: string | null;
  readonly url?: string | null;
}

export interface EnergyLabel {
  readonly class: string;
  /** The best and the worst class. */
  readonly scale?: readonly string[] | null;
  readonly labelUrl?: string | null;
  readonly sheetUrl?: string | null;
  readonly eprelId?: string | null;
}

export interface Media {
  readonly type: "image" | "video" | "model_3d";
  readonly url: string;
  readonly alt?: string | null;
  readonly previewUrl?: string | null;
}

export interface Rating {
  readonly value?: number | null;
  readonly best?: number | null;
  readonly worst?: number | null;
  readonly count: number;
}

/** The scale of a rating that states none. */
export const defaultWorst = 1;
export const defaultBest = 5;

/** Facts of a product that its core holds only where an event has them. */
export interface ProductFacts {
  readonly mpn?: string | null;
  readonly condition?: Condition | null;
  readonly unitPricing?: UnitPricing | null;
  readonly quantityRule?: QuantityRule | null;
  readonly rating?: Rating | null;
  readonly related?:
    | readonly { readonly productId: number; readonly relationship: Relationship }[]
    | null;
  /** `2027-01-15` */
  readonly releaseDate?: string | null;
  readonly delivery?: "physical" | "digital" | "service" | "pickup" | null;
  readonly tags?: readonly string[] | null;
  readonly highlights?: readonly string[] | null;
  readonly minimumAge?: number | null;
  readonly warnings?: readonly Warning[] | null;
  readonly returns?: Returns | null;
  readonly manufacturer?: Company | null;
  readonly responsiblePerson?: Company | null;
  readonly energyLabel?: EnergyLabel | null;
  readonly media?: readonly Media[] | null;
  readonly options?: readonly OptionData[] | null;
}

/** Every fact; a missing or extra one does not compile. */
export const factNames = Object.keys({
  mpn: true,
  condition: true,
  unitPricing: true,
  quantityRule: true,
  rating: true,
  related: true,
  releaseDate: true,
  delivery: true,
  tags: true,
  highlights: true,
  minimumAge: true,
  warnings: true,
  returns: true,
  manufacturer: true,
  responsiblePerson: true,
  energyLabel: true,
  media: true,
  options: true,
} satisfies Record<keyof ProductFacts, true>) as readonly (keyof ProductFacts)[];

export type StockAvailability =
  | "in_stock"
  | "limited_stock"
  | "backorder"
  | "preorder"
  | "out_of_stock"
  | "discontinued";

/** Members of the settings that say how prices and stock are shown. */
export interface PolicySettings {
  readonly pricesVisible?: boolean;
  readonly listPriceKind?: "former" | "recommended" | null;
  readonly taxIncluded?: boolean | null;
  readonly quantityVisible?: "never" | "low" | "always" | null;
  readonly lowStockThreshold?: number | null;
  readonly upcomingSales?: "hidden" | "shown" | null;
  readonly returns?: Returns | null;
  readonly country?: string | null;
  readonly timeZone?: string | null;
}
