import type { ShopEvent } from "../../../events/event.ts";
import type { QuantityRule, VariantData } from "../../../events/goods.ts";
import { unitPrice } from "../../../offers/unit-price.ts";
import type { LintWarning } from "./warning.ts";

/** Finds facts of products and variants that shops and feeds do not accept. */
export const checkFacts = (event: ShopEvent): readonly LintWarning[] => {
  switch (event.type) {
    case "shop.product.upserted":
    case "shop.product.patched": {
      const { data } = event;
      const variants = (data.variants ?? []).flatMap((variant, at) =>
        findFaults(variant, `data.variants[${at}]`, `variant ${data.id}.${variant.id}`),
      );
      return [...findFaults(data, "data", `product ${data.id}`), ...variants];
    }
    case "shop.variant.upserted":
      return findFaults(event.data, "data", `variant ${event.data.productId}.${event.data.id}`);
    default:
      return [];
  }
};

type Facts = Pick<VariantData, "mpn" | "quantityRule" | "unitPricing">;

const findFaults = (
  { mpn, quantityRule, unitPricing }: Facts,
  path: string,
  name: string,
): readonly LintWarning[] => [
  ...findLongMpn(mpn, path, name),
  ...findOddRule(quantityRule, path, name),
  ...findOddUnits(unitPricing, path, name),
];

/** Limit of the product feeds of Google and OpenAI. */
const maxMpn = 70;

const findLongMpn = (
  mpn: string | null | undefined,
  path: string,
  name: string,
): readonly LintWarning[] =>
  mpn != null && mpn.length > maxMpn
    ? [
        {
          field: `${path}.mpn`,
          reason: `the mpn of ${name} has ${mpn.length} characters, and product feeds take ${maxMpn} at most: shorten it`,
        },
      ]
    : [];

/** Finds amounts that a shop refuses which counts multiples of the step. */
const findOddRule = (
  rule: QuantityRule | null | undefined,
  path: string,
  name: string,
): readonly LintWarning[] => {
  const [min, step] = [rule?.min ?? 1, rule?.step ?? 1];
  if (min % step === 0) return [];
  const reason = `${name} has min ${min}, which is no multiple of step ${step}: send min ${Math.ceil(min / step) * step}, because most shops count multiples of the step`;
  return [{ field: `${path}.quantityRule.min`, reason }];
};

/** Finds a measure and a base in units that are not converted into each other. */
const findOddUnits = (pricing: Facts["unitPricing"], path: string, name: string) => {
  if (!pricing || unitPrice({ amount: "1", currency: "EUR" }, pricing)) return [];
  const reason = `${name} has its measure in ${pricing.measure.unit} and its base in ${pricing.base.unit}, which cannot be converted, so no unit price is shown: send both in units of one kind, such as ml and l`;
  return [{ field: `${path}.unitPricing`, reason }];
};
