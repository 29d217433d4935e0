import type { NameValue } from "../events/event.ts";

/** Selection of variants by their options. Case and outer blanks make no difference. */

/** An option or attribute, as far as a request names it. */
export type NamedOption = readonly [name: string, code: string | null, ...members: unknown[]];

/** An option of a product with the values that a selection may name. */
export type SelectableOption = readonly [
  name: string,
  code: string | null,
  values: readonly string[],
  /** Whether a variant leaves the option out and the product lists no values of it, so that any text is a value. */
  open: boolean,
];

/** A variant, as far as a selection needs it. An option that it does not have may have any value. */
export interface SelectableVariant {
  readonly options: readonly NameValue[];
  readonly orderable: boolean;
}

/** Selected values by the name of their option, in each spelling that is meant; none for a value that it does not have. */
export type SelectedOptions = ReadonlyMap<string, readonly string[]>;

/**
 * Resolves selected values: an option may be named by its code.
 * @returns undefined when no option has one of the names
 */
export const resolveSelection = (
  options: readonly SelectableOption[],
  selected: readonly NameValue[],
): SelectedOptions | undefined => {
  const selection = new Map<string, readonly string[]>();
  for (const { name, value } of selected) {
    const option = findOption(options, name);
    if (!option) return undefined;
    const [own, , values, open] = option;
    const alike = findValues(values, value);
    selection.set(own, alike.length === 0 && open ? [value] : alike);
  }
  return selection;
};

/** Finds an option as its name is spelled, else by its name in other letters or by its code. */
export const findOption = <O extends NamedOption>(
  options: readonly O[],
  requested: string,
): O | undefined =>
  options.find(([name]) => name === requested) ??
  options.find((option) => isNamed(option, requested));

export const isNamed = ([name, code]: NamedOption, requested: string): boolean =>
  foldText(name) === foldText(requested) || code === foldText(requested);

/** Finds the values that a text names: the one that is spelled so, else those that differ in case alone. */
export const findValues = (values: readonly string[], text: string): readonly string[] =>
  selectSpelling(
    values.filter((value) => foldText(value) === foldText(text)),
    text,
  );

const selectSpelling = (alike: readonly string[], text: string): readonly string[] =>
  alike.includes(text) ? [text] : alike;

/** Folds differences that do not matter between a stated and a requested text. */
export const foldText = (text: string): string => {
  const existing = folded.get(text);
  if (existing !== undefined) return existing;
  const result = text.normalize("NFKC").trim().toLowerCase();
  if (folded.size >= maxFolded) folded.clear();
  if (text.length <= maxFoldedLength) folded.set(text, result);
  return result;
};

/** Folded texts, because the products of a shop share the names and values of their options. */
const folded = new Map<string, string>();
const maxFolded = 10_000;
const maxFoldedLength = 100;

export const hasSelection = (
  { options }: Pick<SelectableVariant, "options">,
  selection: SelectedOptions,
): boolean => countExact(options, selection) >= 0;

/** Counts the selected values that a variant states. @returns -1 when it has another value */
const countExact = (options: readonly NameValue[], selection: SelectedOptions): number => {
  let exact = 0;
  for (const [name, values] of selection) {
    const stated = options.find((option) => option.name === name);
    if (stated ? !values.includes(stated.value) : values.length === 0) return -1;
    if (stated) exact += 1;
  }
  return exact;
};

/**
 * Finds the variant for a selection: the one that states most of the values, the first of these.
 * @returns undefined when there is none
 */
export const selectVariant = <V extends Pick<SelectableVariant, "options">>(
  variants: readonly V[],
  selection: SelectedOptions,
): V | undefined => {
  let best: { readonly variant: V; readonly exact: number } | undefined;
  for (const variant of variants) {
    const exact = countExact(variant.options, selection);
    if (exact >= 0 && exact > (best?.exact ?? -1)) best = { variant, exact };
  }
  return best?.variant;
};

/** What is there when a value replaces that of its option in a selection. */
export interface ValueState {
  readonly exists: boolean;
  readonly available: boolean;
}

/**
 * Evaluates the values of one option together with the values that are selected of the other options.
 * @returns a function that gives the state of a value
 */
export const evaluateOption = (
  variants: readonly SelectableVariant[],
  selection: SelectedOptions,
  [option, , values, open]: SelectableOption,
): ((value: string) => ValueState) => {
  const others = new Map(selection);
  others.delete(option);
  const states = new Map<string | undefined, ValueState>();
  for (const variant of variants) {
    if (!hasSelection(variant, others)) continue;
    const value = variant.options.find(({ name }) => name === option)?.value;
    const available = variant.orderable || (states.get(value)?.available ?? false);
    states.set(value, { exists: true, available });
  }
  const spellings = new Map<string, string[]>();
  for (const value of values) {
    const alike = spellings.get(foldText(value));
    if (alike) alike.push(value);
    else spellings.set(foldText(value), [value]);
  }
  return (value) => {
    const named = selectSpelling(spellings.get(foldText(value)) ?? [], value);
    // Variants that leave the option out have any value of it.
    const any = named.length > 0 || open ? [undefined] : [];
    const found = [...named, ...any].flatMap((each) => states.get(each) ?? []);
    return { exists: found.length > 0, available: found.some(({ available }) => available) };
  };
};
