import type { QuantityRule } from "../../../events/goods.ts";

/** Maximum quantity of one product or variant in a link, over all items. */
export const maxQuantity = 999;

/** Whether one order may have a number of pieces: min, min + step and so on up to max. */
export const isLegalQuantity = (quantity: number, rule: QuantityRule): boolean => {
  const { min, max, step } = limitsOf(rule);
  return quantity >= min && quantity <= max && (quantity - min) % step === 0;
};

/** Names the numbers that a rule allows in a link: `6, 12, 18 or 24`, `6, 12, 18 and so on`. */
export const nameLegalQuantities = (rule: QuantityRule): string => {
  const { min, step, ...limits } = limitsOf(rule);
  const max = Math.min(limits.max, maxQuantity);
  const numbers: number[] = [];
  for (let number = min; number <= max && numbers.length <= maxNamed; number += step) {
    numbers.push(number);
  }
  if (numbers.length > maxNamed) return `${numbers.slice(0, 3).join(", ")} and so on`;
  const last = numbers.at(-1) ?? min;
  return numbers.length > 1 ? `${numbers.slice(0, -1).join(", ")} or ${last}` : String(last);
};

const maxNamed = 6;

const limitsOf = ({ min, max, step }: QuantityRule) => ({
  min: min ?? 1,
  max: max ?? Number.POSITIVE_INFINITY,
  step: step ?? 1,
});
