import type { NameValue } from "../events/event.ts";

/** Selection of variants by their options. Case and outer blanks make no difference. */

/** An option of a product, as far as a selection needs it. */
export interface NamedOption {
  readonly name: string;
  readonly code: string | null;
}

/** A variant, as far as a selection needs it. An option that it does not have may have any value. */
export interface SelectableVariant {
  readonly options: readonly NameValue[];
  readonly orderable: boolean;
}

/** Selected values by the name of their option. */
export type Selection = ReadonlyMap<string, string>;

/**
 * Resolves selected values: an option may be named by its code.
 * @returns the name that no option has, when there is one
 */
export const resolveSelection = (
  options: readonly NamedOption[],
  selected: readonly NameValue[],
): Selection | { readonly unknown: string } => {
  const selection = new Map<string, string>();
  for (const { name, value } of selected) {
    const option = options.find((each) => isNamed(each, name));
    if (!option) return { unknown: name };
    selection.set(option.name, value);
  }
  return selection;
};

export const isNamed = ({ name, code }: NamedOption, requested: string): boolean =>
  foldText(name) === foldText(requested) || code === requested.trim();

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

/** Whether a variant has all selected values. */
export const hasSelection = (
  { options }: Pick<SelectableVariant, "options">,
  selection: Selection,
): boolean => countExact(options, selection) >= 0;

/** Counts the selected values that a variant states. @returns -1 when it states another value */
const countExact = (options: readonly NameValue[], selection: Selection): number => {
  let exact = 0;
  for (const [name, value] of selection) {
    const stated = options.find((option) => option.name === name);
    if (!stated) continue;
    if (foldText(stated.value) !== foldText(value)) return -1;
    exact += 1;
  }
  return exact;
};

/**
 * Finds the variant for a selection: the one that states most of the values, the first of these.
 * @returns undefined when there is none
 */
export const selectVariant = <V extends Pick<SelectableVariant, "options">>(
  variants: readonly V[],
  selection: Selection,
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
  selection: Selection,
  option: string,
): ((value: string) => ValueState) => {
  const others = new Map(selection);
  others.delete(option);
  const states = new Map<string | undefined, ValueState>();
  for (const variant of variants) {
    if (!hasSelection(variant, others)) continue;
    const stated = variant.options.find(({ name }) => name === option)?.value;
    const value = stated === undefined ? undefined : foldText(stated);
    const available = variant.orderable || (states.get(value)?.available ?? false);
    states.set(value, { exists: true, available });
  }
  // Variants that leave the option out have any value of it.
  const any = states.get(undefined) ?? noState;
  return (value) => {
    const own = states.get(foldText(value)) ?? noState;
    return { exists: own.exists || any.exists, available: own.available || any.available };
  };
};

const noState: ValueState = { exists: false, available: false };
