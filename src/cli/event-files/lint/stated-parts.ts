import type { Money, ShopEvent } from "../../../events/event.ts";
import type { VariantData } from "../../../events/product-facts.ts";
import { toRowKey, variantKey } from "../../../read-model/schema/variant-key.ts";
import { type LintWarning, warnOf } from "./model.ts";

export interface StatedPart {
  /** The key of its price row. */
  readonly key: number | string;
  readonly event: ShopEvent;
  /** Path of the object with the members: `data.variants[3]`. */
  readonly path: string;
  readonly data: PartData;
  /** Whether the members that are left out stay as they are. */
  readonly isPatch: boolean;
}

/** Members of an event that are checked. A patch may state an amount or a currency alone. */
interface PartData extends Pick<VariantData, "sales" | "mpn" | "quantityRule" | "unitPricing"> {
  readonly price?: Partial<Money> | null;
  readonly listPrice?: Partial<Money> | null;
  readonly priorPrice?: Partial<Money> | null;
}

/** Lists the product of an event first, then its variants. */
export const statedParts = (event: ShopEvent): readonly StatedPart[] => {
  const toPart = (key: number | string, data: PartData, path = "data", isPatch = false) => ({
    ...{ event, key, path, data, isPatch },
  });
  switch (event.type) {
    case "shop.product.upserted":
    case "shop.product.patched": {
      const { id, variants } = event.data;
      return [
        toPart(id, event.data, "data", event.type === "shop.product.patched"),
        ...(variants ?? []).map((variant, at) =>
          toPart(variantKey(id, variant.id), variant, `data.variants[${at}]`),
        ),
      ];
    }
    case "shop.variant.upserted":
      return [toPart(variantKey(event.data.productId, event.data.id), event.data)];
    case "shop.price.changed":
      return [toPart(toRowKey(event.data), event.data)];
    default:
      return [];
  }
};

export const nameOf = (key: number | string): string =>
  typeof key === "number" ? `product ${key}` : `variant ${key.replace("/", ".")}`;

export const warnOfPart = (
  { event, path }: StatedPart,
  member: string,
  reason: string,
): readonly LintWarning[] => warnOf(event, `${path}.${member}`, reason);
