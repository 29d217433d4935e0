import { unitPrice } from "../../../offers/unit-price.ts";
import type { LintWarning } from "./model.ts";
import { nameOf, type StatedPart, warnOfPart } from "./stated-parts.ts";

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
