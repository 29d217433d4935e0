import type { NameValue } from "../../events/event.ts";
import type { SelectableVariant } from "../../offers/option-selection.ts";
import type { PriceGroup } from "../../offers/price.ts";
import type { VariantIndex, VariantMembers } from "../schema/documents.ts";
import type { OptionValues } from "../schema/filter-values.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { toText } from "./product-json.ts";

/** The stored variants of a product. Prices and members are parsed in chunks, because a page shows a few of 2,048. */
export interface StoredVariants {
  readonly index: VariantIndex;
  priceGroup(at: number): PriceGroup;
  members(at: number): VariantMembers;
}

/** The members of a `VariantsRow`, in stored order. JSON escapes quotes inside strings, so no text contains a mark. */
const [indexMark, pricesMark, membersMark] = ['{"index":', ',"prices":[', '],"members":['];

/** Opens the variants of a product. */
export const openVariants = (stored: ReadTables, id: number): StoredVariants | undefined => {
  const json = stored.rawJson(tables.variants, id);
  if (json === undefined) return undefined;
  const end = json.indexOf(pricesMark);
  const index: VariantIndex = JSON.parse(toText(json.slice(indexMark.length, end)));
  const { prices, members } = index.bytes;
  const pricesStart = end + pricesMark.length;
  const membersStart = locate(prices, prices.length) - 1 + membersMark.length;
  return {
    index,
    priceGroup: createEntryReader(json, pricesStart, prices),
    members: createEntryReader(json, pricesStart + membersStart, members),
  };
};

/** Returns the position of an entry in a list, behind the entries and commas before it. */
const locate = (lengths: readonly number[], at: number): number => {
  let position = at;
  for (let before = 0; before < at; before += 1) position += lengths[before] as number;
  return position;
};

/** Creates a function that returns an entry of a list, and parses the entries around it with it. */
const createEntryReader = <V>(
  json: string,
  start: number,
  lengths: readonly number[],
): ((at: number) => V) => {
  const chunks: (readonly V[])[] = [];
  const parse = (first: number): readonly V[] => {
    const end = locate(lengths, Math.min(first + chunkSize, lengths.length)) - 1;
    return JSON.parse(`[${toText(json.slice(start + locate(lengths, first), start + end))}]`);
  };
  return (at) => {
    const chunk = Math.floor(at / chunkSize);
    chunks[chunk] ??= parse(chunk * chunkSize);
    return chunks[chunk][at % chunkSize] as V;
  };
};

/** Entries that are parsed together, because a call for each takes longer than most entries do. */
const chunkSize = 32;

/** The options of a product and its variants, as far as a selection needs them. */
export interface VariantChoices {
  readonly options: readonly OptionValues[];
  readonly variants: readonly VariantChoice[];
}

/** A variant with its id and what a selection of options needs. */
interface VariantChoice extends SelectableVariant {
  readonly id: number;
}

export const toVariantChoices = (index: VariantIndex): VariantChoices => ({
  options: index.options,
  variants: index.entries.map(([id, , stock], at) => ({
    id,
    options: listOptions(index, at),
    orderable: index.stocks[stock]?.orderable ?? false,
  })),
});

/** Lists the options of a variant, in its own sequence. */
export const listOptions = (
  { options, entries }: VariantIndex,
  at: number,
  sequence: readonly number[] = options.map((_, option) => option),
): readonly NameValue[] => {
  const listed: NameValue[] = [];
  for (const option of sequence) {
    const value = options[option]?.[2][entries[at]?.[option + firstOrdinal] ?? -1];
    if (value !== undefined) listed.push({ name: options[option]?.[0] ?? "", value });
  }
  return listed;
};

/** Position of the values of options in a `VariantEntry`. */
const firstOrdinal = 3;
