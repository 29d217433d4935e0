import type { OptionData, OptionValueData } from "../src/events/goods.ts";
import type { ProductOption } from "../src/read-model/schema/documents.ts";
import type { VariantContent } from "../src/read-model/schema/goods.ts";

/**
 * Lists the options of a product with all values: those of the shop in its sequence, then those that only variants have, in the
 * sequence of their first use.
 * @param stated options of the product's events
 * @param variants active variants
 */
export const completeOptions = (
  stated: readonly OptionData[],
  variants: readonly Pick<VariantContent, "options">[],
): readonly ProductOption[] => {
  const options = new Map(
    // An option without values is stored without the member.
    stated.map(({ name, code, values = [] }) => [
      name,
      { code: code ?? null, values: new Map(values.map(toEntry)) },
    ]),
  );
  for (const { name, value } of variants.flatMap((variant) => variant.options)) {
    const option = options.get(name) ?? { code: null, values: new Map() };
    options.set(name, option);
    if (!option.values.has(value)) option.values.set(value, { value });
  }
  return [...options].map(([name, { code, values }]) => ({
    name,
    code,
    values: [...values.values()],
  }));
};

const toEntry = (value: string | OptionValueData): readonly [string, OptionValueData] =>
  typeof value === "string" ? [value, { value }] : [value.value, value];
