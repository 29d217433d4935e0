import type { NameValue, OptionData, OptionValueData } from "../src/events/product-facts.ts";
import { findOption, foldText } from "../src/offers/option-selection.ts";
import type { ProductOption } from "../src/read-model/schema/documents.ts";

type Option = readonly [name: string, code: string | null, values: Map<string, OptionValueData>];

/**
 * Lists the options of a product with all values: those of the shop in its sequence, then those that only variants have, in the
 * sequence of their first use. A variant may name an option in other letters or by its code; where it names one twice, the first counts.
 * @param stated options of the product's events
 * @param variants active variants
 * @returns the options, and the variants with the names of these options
 */
export const completeOptions = <V extends { readonly options: readonly NameValue[] }>(
  stated: readonly OptionData[],
  variants: readonly V[],
): { readonly options: readonly ProductOption[]; readonly variants: readonly V[] } => {
  const options: Option[] = [];
  const add = (name: string, code: string | null): Option => {
    const option: Option = [name, code, new Map()];
    options.push(option);
    return option;
  };
  // An option without values is stored without the member.
  for (const { name, code = null, values = [] } of stated) {
    const existing = options.find(([own]) => foldText(own) === foldText(name));
    const [, , all] = existing ?? add(name, code);
    for (const value of values.map(toValue)) all.set(value.value, value);
  }
  const nameOptions = (own: readonly NameValue[]): readonly NameValue[] => {
    const named = new Map<string, string>();
    for (const { name, value } of own) {
      const [option, , values] = findOption(options, name) ?? add(name, null);
      if (named.has(option)) continue;
      if (!values.has(value)) values.set(value, { value });
      named.set(option, value);
    }
    return [...named].map(([name, value]) => ({ name, value }));
  };
  const named = variants.map((each) => ({ ...each, options: nameOptions(each.options) }));
  return {
    options: options.map(([name, code, values]) => ({ name, code, values: [...values.values()] })),
    variants: named,
  };
};

const toValue = (value: string | OptionValueData): OptionValueData =>
  typeof value === "string" ? { value } : value;
