import type { NameValue } from "../../events/event.ts";
import type { SelectableVariant } from "../../offers/option-selection.ts";
import type { PriceGroup } from "../../offers/price.ts";
import { lazy } from "../../platform/memo.ts";
import type { VariantIndex, VariantMembers, VariantsRow } from "../schema/documents.ts";
import type { OptionValues } from "../schema/filter-values.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";

/** The stored variants of a product. Prices and members are parsed in groups, because a page shows a few of 2,048. */
export interface StoredVariants {
  readonly index: VariantIndex;
  priceGroup(at: number): PriceGroup;
  members(at: number): VariantMembers;
}

/** The members of a `VariantsRow`, in stored order. JSON escapes quotes inside strings, so no text contains a mark. */
const [indexMark, pricesMark, membersMark] = ['{"index":', ',"prices":[', '],"members":['];

/** A row of at most this many bytes is read once and parsed whole: a second read and locating its entries take a tenth of a page. */
const maxCopied = 8192;

/**
 * Opens the variants of a product. Most fields need the index alone, and a row may have megabytes, so the rest of a large one is read
 * with the first entry: before the snapshot ends.
 */
export const openVariants = (stored: ReadTables, id: number): StoredVariants | undefined => {
  const opened = stored.readJson(tables.variants, id, (json) => {
    const end = json.indexOf(pricesMark);
    const index: VariantIndex = JSON.parse(json.toString("utf8", indexMark.length, end));
    return { index, end, rest: json.length <= maxCopied ? json.toString("utf8", end + 1) : "" };
  });
  if (!opened) return undefined;
  const { index, end, rest } = opened;
  const entries = lazy((): Omit<StoredVariants, "index"> => {
    if (rest !== "") {
      const { prices, members }: Omit<VariantsRow, "index"> = JSON.parse(`{${rest}`);
      return {
        priceGroup: (at) => prices[at] as PriceGroup,
        members: (at) => members[at] as VariantMembers,
      };
    }
    const bytes = stored.readJson(tables.variants, id, (json) => Buffer.from(json.subarray(end)));
    if (!bytes) throw stored.missingRow(tables.variants, id);
    return openEntries(bytes, index.bytes);
  });
  return {
    index,
    priceGroup: (at) => entries().priceGroup(at),
    members: (at) => entries().members(at),
  };
};

/** Opens the prices and the members of variants. @param json the row from the mark of the prices on */
const openEntries = (json: Buffer, { prices, members }: VariantIndex["bytes"]) => {
  const pricePositions = locateEntries(pricesMark.length, prices);
  const membersStart = (pricePositions.at(-1) ?? 0) - 1 + membersMark.length;
  return {
    priceGroup: createEntryReader<PriceGroup>(json, pricePositions),
    members: createEntryReader<VariantMembers>(json, locateEntries(membersStart, members)),
  };
};

/** Returns the position of each entry of a list, and that of one more. A comma is between entries. */
const locateEntries = (start: number, lengths: readonly number[]): readonly number[] => {
  const positions = [start];
  for (const length of lengths) positions.push((positions.at(-1) ?? 0) + length + 1);
  return positions;
};

/** Creates a function that returns an entry of a list, and parses some entries behind it with it. */
const createEntryReader = <V>(json: Buffer, positions: readonly number[]): ((at: number) => V) => {
  const parsed: V[] = [];
  return (at) => {
    if (parsed[at] === undefined) {
      const [start, end] = [positions[at] ?? 0, findGroupEnd(positions, at)];
      const group: readonly V[] = JSON.parse(`[${json.toString("utf8", start, end - 1)}]`);
      for (const [next, entry] of group.entries()) parsed[at + next] = entry;
    }
    return parsed[at] as V;
  };
};

/** Returns the position behind the entries that are parsed together, and a comma. A call for each entry takes longer than parsing it. */
const findGroupEnd = (positions: readonly number[], first: number): number => {
  let last = first + 1;
  const [start = 0, most] = [positions[first], Math.min(positions.length - 1, first + maxEntries)];
  while (last < most && (positions[last] ?? 0) - start < fullBytes) last += 1;
  return positions[last] ?? 0;
};

/** A group ends with one of this many entries, or with the entry that reaches this many bytes. */
const [maxEntries, fullBytes] = [32, 4096];

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
