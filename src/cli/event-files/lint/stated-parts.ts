import type { Money, ShopEvent } from "../../../events/event.ts";
import type { VariantData } from "../../../events/product-facts.ts";
import { unitPrice } from "../../../offers/unit-price.ts";
import { toRowKey, variantKey } from "../../../read-model/schema/keys.ts";
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

/** Finds facts of a product or variant that shops and feeds do not accept. */
export const checkFacts = (part: StatedPart): readonly LintWarning[] => [
  ...findLongMpn(part),
  ...findOddRule(part),
  ...findOddUnits(part),
];

/** Limit of the product feeds of Google and OpenAI. */
const maxMpn = 70;

const findLongMpn = (part: StatedPart): readonly LintWarning[] => {
  const { length } = part.data.mpn ?? "";
  if (length <= maxMpn) return [];
  const reason = `the mpn of ${nameOf(part.key)} has ${length} characters, and product feeds take ${maxMpn} at most: shorten it`;
  return warnOfPart(part, "mpn", reason);
};

/** Finds amounts that a shop refuses which counts multiples of the step. */
const findOddRule = (part: StatedPart): readonly LintWarning[] => {
  const { quantityRule: rule } = part.data;
  const [min, step] = [rule?.min ?? 1, rule?.step ?? 1];
  if (min % step === 0) return [];
  const reason = `${nameOf(part.key)} has min ${min}, which is no multiple of step ${step}: send min ${Math.ceil(min / step) * step}, because most shops count multiples of the step`;
  return warnOfPart(part, "quantityRule.min", reason);
};

/** Finds a measure and a base in units that are not converted into each other. */
const findOddUnits = (part: StatedPart): readonly LintWarning[] => {
  const { unitPricing: pricing } = part.data;
  if (!pricing || unitPrice({ amount: "1", currency: "EUR" }, pricing)) return [];
  const reason = `${nameOf(part.key)} has its measure in ${pricing.measure.unit} and its base in ${pricing.base.unit}, which cannot be converted, so no unit price is shown: send both in units of one kind, such as ml and l`;
  return warnOfPart(part, "unitPricing", reason);
};
