import type { NameValue } from "../../../events/event.ts";
import { findOption, findValues } from "../../../offers/option-selection.ts";
import { memoize } from "../../../platform/memo.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import type { AttributeFilter } from "../../schema/queries.ts";
import { optionsOf, type ProductFacts } from "../doc-values/attribute-scan.ts";
import {
  type AttributeMatcher,
  type AttributeTest,
  createAttributeMatcher,
  toAttributeTest,
} from "./attribute-match.ts";
import type { VariantFilter, WantedValues } from "./variant-match.ts";

/** What a query asks of variants. */
export interface VariantConditions
  extends Omit<VariantFilter, "options" | "attributes" | "isCounted"> {
  readonly options: readonly NameValue[];
  /** A condition is one of them. */
  readonly attributes: readonly AttributeFilter[];
  /** Whether words, a code or an address may name variants: these match also where the price of the product does not count them. */
  readonly namesVariants: boolean;
}

/**
 * Selects what one variant of a product has to meet together. An attribute meets an option that the product does not have.
 * @returns undefined when the product meets an option or an attribute in no way
 */
export type SelectVariantFilter = (facts: ProductFacts | undefined) => VariantFilter | undefined;

export const createSelection = (conditions: VariantConditions): SelectVariantFilter => {
  const { prices, inStockOnly, statuses, onSale, namesVariants } = conditions;
  const wanted = conditions.attributes.map(createAttributeMatcher);
  const selectOptions = createOptionSelection(conditions.options);
  return (facts) => {
    const selected = selectOptions(optionsOf(facts));
    if (!selected) return undefined;
    const { options, others } = selected;
    const open = toTests(others.length > 0 ? [...wanted, ...others] : wanted, facts);
    if (!open) return undefined;
    const isChosen = namesVariants || statuses !== undefined || options.length + open.length > 0;
    const isCounted = onSale || (prices !== undefined && !isChosen);
    // Members by name, because a spread takes longer than the rest of this function, which runs for each product.
    return { options, prices, inStockOnly, statuses, onSale, attributes: open, isCounted };
  };
};

/** Finds requested values among options, once for all products that share these. */
const createOptionSelection = (requested: readonly NameValue[]) => {
  const all = requested.map((each) => ({ ...each, asAttribute: createAttributeMatcher(each) }));
  const select = (options: readonly OptionValues[]) => {
    const selected: WantedValues[number][] = [];
    const others: AttributeMatcher[] = [];
    for (const { name, value, asAttribute } of all) {
      const option = findOption(options, name);
      if (!option) {
        others.push(asAttribute);
        continue;
      }
      const [, , values, open] = option;
      const fitting = findValues(values, value).map((text) => values.indexOf(text));
      if (fitting.length === 0 && !open) return undefined;
      selected.push([options.indexOf(option), new Set(fitting)]);
    }
    return { options: selected, others };
  };
  return memoize(select, (options) => options);
};

/** @returns the tests of what variants state; undefined when none has one of the attributes */
const toTests = (
  wanted: readonly AttributeMatcher[],
  facts: ProductFacts | undefined,
): readonly AttributeTest[] | undefined => {
  const tests: AttributeTest[] = [];
  for (const each of wanted) {
    const test = facts && toAttributeTest(each, facts);
    if (!test) return undefined;
    if (test !== true) tests.push(test);
  }
  return tests;
};
