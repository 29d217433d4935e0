import type { Sort } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import { readEntries } from "../../search/goods/value-entries.ts";
import { stepAt } from "../../search/goods/variant-match.ts";
import type { DocIds } from "../../search/postings/doc-ids.ts";
import type { ReadTables } from "../../store/store.ts";
import { noPriceKey, type SortPosition } from "../sort-keys.ts";

/** Reads positions in the sorts that begin with the highest value. Products without a value come last. */
export const goodsPositions = (
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
    const offers = readEntries(stored, tables.offerValues, ([id]) => id, ids);
    return (id) => stepAt(offers.get(id)?.[3] ?? [], instant)?.[2] || undefined;
  }
  const facts = readEntries(stored, tables.factValues, ({ id }) => id, ids);
  return (id) => (sort === "rating" ? facts.get(id)?.stars : facts.get(id)?.released);
};

/** Decimals of a rating or discount that count; dates are whole days, up to the year 9999. */
const precision = 1_000;
const highest = 1_000_000_000;

/** Converts a value to text that sorts the highest value first. */
const toDescendingKey = (value: number | undefined, factor: number): string =>
  value === undefined
    ? noPriceKey
    : String(highest - Math.round(value * factor)).padStart(String(highest).length, "0");
