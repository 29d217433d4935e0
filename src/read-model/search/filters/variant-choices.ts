import type { NameValue } from "../../../events/event.ts";
import type { SelectableVariant } from "../../../offers/option-selection.ts";
import type { VariantIndex } from "../../schema/documents.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";

/** A variant with its id and what a selection of options needs. */
export interface VariantChoice extends SelectableVariant {
  readonly id: number;
}

/** The options of a product and its variants, as far as a selection needs them. */
export interface VariantChoices {
  readonly options: readonly OptionValues[];
  readonly variants: readonly VariantChoice[];
}

/** Reads what filters and selections need of the variants, without parsing what each states itself. */
export const readVariantIndex = (stored: ReadTables, id: number): VariantIndex | undefined => {
  const json = stored.json(tables.variants, id);
  return json === undefined
    ? undefined
    : JSON.parse(json.slice(indexStart, json.indexOf(membersMark)));
};

const indexStart = '{"index":'.length;

/** JSON escapes quotes inside strings, and an index has no member of this name. */
const membersMark = ',"members":[';

/** Reads the variants of a product, as far as a selection needs them, in the order of the shop. */
export const readVariantChoices = (
  stored: ReadTables,
  id: number,
  index = readVariantIndex(stored, id),
): VariantChoices => {
  if (!index) return { options: [], variants: [] };
  const variants = index.entries.map(([variant, , stock], at) => ({
    id: variant,
    options: listOptions(index, at),
    orderable: index.stocks[stock]?.orderable ?? false,
  }));
  return { options: index.options, variants };
};

/** Lists the options of a variant, in its own sequence. */
export const listOptions = (
  { options, entries }: Pick<VariantIndex, "options" | "entries">,
  at: number,
  sequence: readonly number[] = options.map((_, option) => option),
): readonly NameValue[] => {
  const [, , , ...ordinals] = entries[at] ?? [];
  return sequence.flatMap((option) => {
    const [name, , values] = options[option] ?? [];
    const value = values?.[ordinals[option] ?? -1];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
};
