import type { NameValue } from "../../events/event.ts";
import type { UnitPricing, VariantData } from "../../events/product-facts.ts";
import type { PriceGroup } from "../../offers/price.ts";

/** Parts of products and variants that rows and documents share. */

/** A specification. Only an attribute has `typed`. */
export interface Specification extends NameValue {
  readonly typed?: AttributeValues;
}

/** What makes a specification an attribute. Members that an event does not have are absent. */
export interface AttributeValues {
  readonly code?: string;
  /** Decimal text. */
  readonly numericValue?: string;
  /** Decimal text: the upper end of a range. */
  readonly max?: string;
  readonly unit?: string;
  readonly group?: string;
}

/** A picture; `width` and `height` in pixels are both present, or both absent. */
export interface Image {
  readonly url: string;
  readonly alt?: string | null;
  readonly width?: number | null;
  readonly height?: number | null;
}

/** A variant as one event states it. Members that the event does not have are absent, except `options` and `active`. */
export interface VariantContent {
  readonly id: number;
  readonly options: readonly NameValue[];
  readonly active: boolean;
  readonly sku?: string;
  readonly gtin?: string;
  readonly mpn?: string;
  readonly name?: string;
  /** Absolute, or relative to the product's URL. */
  readonly url?: string;
  readonly unitPricing?: UnitPricing;
  readonly quantityRule?: NonNullable<VariantData["quantityRule"]>;
  readonly images?: readonly Image[];
  readonly specifications?: readonly Specification[];
  readonly condition?: NonNullable<VariantData["condition"]>;
  /** Absent when the event has no member of the price group. */
  readonly priceGroup?: PriceGroup;
}
