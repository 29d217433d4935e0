import type { ShopEvent } from "../../../events/event.ts";
import { quoteForMessage } from "../../../events/rejection.ts";
import { foldText } from "../../../offers/option-selection.ts";
import { createOptionState, type ProductOptions } from "./option-state.ts";
import type { LintWarningLine } from "./warning.ts";

/** Finds option values that no variant has, and names and values in several spellings. */
export interface OptionCheck {
  add(event: ShopEvent, line: number): void;
  /** Lists the warnings after the last event of each product, each with the last line that caused it. */
  warnings(): readonly LintWarningLine[];
}

export const createOptionCheck = (): OptionCheck => {
  const state = createOptionState();
  return {
    add: state.add,
    warnings: () =>
      [...state.products]
        .flatMap(([id, product]) => [
          ...findSpellings(id, product),
          ...findUnusedValues(id, product),
        ])
        .sort((a, b) => a.line - b.line),
  };
};

/** An option as the product and its variants write it, under its folded name. */
interface Spellings {
  readonly names: Set<string>;
  /** By folded value. */
  readonly values: Map<string, Set<string>>;
}

const findSpellings = (id: number, product: ProductOptions): readonly LintWarningLine[] => {
  const differing = [...collectSpellings(product).values()].flatMap(({ names, values }) => {
    const name = quoteForMessage([...names][0]);
    return [
      ...(names.size > 1 ? [`the option names ${joinQuoted(names)}, which count as one`] : []),
      ...[...values.values()]
        .filter(({ size }) => size > 1)
        .map((each) => `the values ${joinQuoted(each)} of ${name}, which count as different`),
    ];
  });
  return differing.map((texts) => ({
    line: product.line,
    field: product.field,
    reason: `product ${id} has ${texts}: write them alike`,
  }));
};

const collectSpellings = ({ declared, variants }: ProductOptions): Map<string, Spellings> => {
  const options = new Map<string, Spellings>();
  const add = (name: string, value?: string): void => {
    const folded = foldText(name);
    const option = options.get(folded) ?? { names: new Set(), values: new Map() };
    options.set(folded, option);
    option.names.add(name);
    if (value === undefined) return;
    const texts = option.values.get(foldText(value)) ?? new Set();
    option.values.set(foldText(value), texts.add(value));
  };
  for (const { name, values } of declared) {
    add(name);
    for (const value of values) add(name, value);
  }
  for (const { choices } of variants.values()) {
    for (const { name, value } of choices) add(name, value);
  }
  return options;
};

/** Finds values that no variant has. A variant that leaves an option out has any value of it. */
const findUnusedValues = (id: number, product: ProductOptions): readonly LintWarningLine[] => {
  const { declared, variants, line, field } = product;
  if (variants.size === 0) return [];
  return declared.flatMap(({ name, values }) => {
    const folded = foldText(name);
    const chosen = [...variants.values()].map(({ choices }) =>
      choices.find((choice) => foldText(choice.name) === folded),
    );
    if (chosen.includes(undefined)) return [];
    const used = new Set(chosen.map((choice) => foldText(choice?.value ?? "")));
    const unused = values.filter((value) => !used.has(foldText(value)));
    if (unused.length === 0) return [];
    const reason = `no variant of product ${id} in the file has ${quoteForMessage(name)} ${joinQuoted(unused)}: leave the value out of options, or send its variant`;
    return [{ line, field, reason }];
  });
};

const maxQuoted = 10;

const joinQuoted = (texts: Iterable<string>): string => {
  const all = [...texts];
  const more = all.length > maxQuoted ? [`${all.length - maxQuoted} more`] : [];
  return [...all.slice(0, maxQuoted).map(quoteForMessage), ...more].join(", ");
};
