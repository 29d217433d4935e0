import type { Sort } from "../schema/queries.ts";
import { noPriceKey, type SortPosition } from "../schema/sort-keys.ts";
import { forEachBlock } from "../search/doc-values/doc-values-scan.ts";
import { stepAt } from "../search/doc-values/price-column.ts";
import type { DocIds } from "../search/postings/doc-ids.ts";
import type { ReadTables } from "../store/store.ts";

/** Reads positions in the sorts that begin with the highest value. Products without a value come last. */
export const valuePositions = (
  stored: ReadTables,
  sort: Extract<Sort, "discount" | "rating" | "newest">,
  instant: number,
  ids: DocIds,
): readonly SortPosition[] => {
  const readValue = createValueReader(stored, sort, instant, ids);
  const factor = sort === "newest" ? 1 : precision;
  return Array.from(ids, (id) => ({ key: toDescendingKey(readValue(id), factor), id }));
};

const createValueReader = (
  stored: ReadTables,
  sort: "discount" | "rating" | "newest",
  instant: number,
  ids: DocIds,
): ((id: number) => number | undefined) => {
  if (sort === "discount") {
    const percents = readPercents(stored, instant, ids);
    return (id) => percents.get(id) || undefined;
  }
  const values = new Map<number, number>();
  forEachBlock(stored, ids, (block, { rows }) => {
    const column = block.ratings()[sort === "rating" ? "stars" : "released"];
    for (const row of rows) {
      const value = column[row] as number;
      if (!Number.isNaN(value)) values.set(block.ids[row] as number, value);
    }
  });
  return (id) => values.get(id);
};

const readPercents = (
  stored: ReadTables,
  instant: number,
  ids: DocIds,
): ReadonlyMap<number, number> => {
  const percents = new Map<number, number>();
  forEachBlock(stored, ids, (block) => {
    for (const [row, { steps }] of block.prices().timed) {
      percents.set(block.ids[row] as number, stepAt(steps, instant)?.[2] ?? 0);
    }
  });
  return percents;
};

/** Decimals of a rating or discount that count; dates are whole days, up to the year 9999. */
const precision = 1_000;
const highest = 1_000_000_000;

/** Converts a value to text that sorts the highest value first. */
const toDescendingKey = (value: number | undefined, factor: number): string =>
  value === undefined
    ? noPriceKey
    : String(highest - Math.round(value * factor)).padStart(String(highest).length, "0");
