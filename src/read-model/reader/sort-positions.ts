import { periodAt } from "../../offers/price-periods.ts";
import {
  nameKey,
  noPriceKey,
  priceKey,
  priceKeyFromMillionths,
  type SortPosition,
} from "../schema/keys.ts";
import type { Sort } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import type { DocValuesBlock } from "../search/doc-values/doc-values-block.ts";
import { forEachBlock } from "../search/doc-values/doc-values-scan.ts";
import type { DocIds } from "../search/postings/doc-ids.ts";
import type { ReadTables } from "../store/store.ts";
import type { View } from "./offer.ts";

/** Reads the sort positions of products by their ids. */
export const sortPositionsOf = (
  stored: ReadTables,
  sort: Sort,
  { instant, language }: View,
  ids: DocIds,
): Iterable<SortPosition> => {
  if (sort === "name") return namePositions(stored, language, ids);
  const positions: SortPosition[] = [];
  forEachBlock(stored, ids, instant, (block, { rows }) => {
    const keyOf =
      sort === "price_asc" || sort === "price_desc"
        ? priceKeys(stored, block)
        : valueKeys(block, sort);
    for (const row of rows) positions.push({ key: keyOf(row), id: block.ids[row] as number });
  });
  return positions;
};

type KeyOf = (row: number) => string;

function* namePositions(
  stored: ReadTables,
  language: string | undefined,
  ids: DocIds,
): Iterable<SortPosition> {
  for (const id of ids) yield { key: nameKey(readName(stored, id), language), id };
}

/** Matches the stored JSON of a product, as latin1, up to the end of its name. */
const jsonUpToName = /^\{"id":\d+,"name":("(?:[^"\\]|\\.)*")/;

/** Reads the name without parsing the rest of the document, which takes longer than everything else. */
const readName = (stored: ReadTables, id: number): string => {
  const [, name] = jsonUpToName.exec(stored.rawJson(tables.products, id) ?? "") ?? [];
  if (name === undefined) return stored.get(tables.products, id)?.name ?? "";
  return JSON.parse(Buffer.from(name, "latin1").toString("utf8")) as string;
};

const priceKeys = (stored: ReadTables, { ids, instant, prices }: DocValuesBlock): KeyOf => {
  const { amounts } = prices();
  return (row) => readPriceKey(stored, instant, ids[row] as number, amounts[row] as number);
};

/** Returns the key of a price in millionths. From 2^53 on a float is inexact, so the key is made from the document's digits. */
const readPriceKey = (stored: ReadTables, instant: number, id: number, price: number): string => {
  if (Number.isNaN(price)) return noPriceKey;
  if (Number.isSafeInteger(price)) return priceKeyFromMillionths(price);
  const { periods = [] } = stored.get(tables.offers, id) ?? {};
  return priceKey(periodAt(periods, instant).price);
};

/** Keys of the sorts that begin with the highest value. Products without a value come last. */
const valueKeys = (
  block: DocValuesBlock,
  sort: Extract<Sort, "discount" | "rating" | "newest">,
): KeyOf => {
  if (sort === "discount") {
    const { percents } = block.prices();
    return (row) => toDescendingKey(percents[row] || Number.NaN, precision);
  }
  const { stars, released } = block.ratings();
  return sort === "rating"
    ? (row) => toDescendingKey(stars[row] as number, precision)
    : (row) => toDescendingKey(released[row] as number, 1);
};

/** Decimals of a rating or discount that count; dates are whole days, up to the year 9999. */
const precision = 1_000;
const highest = 1_000_000_000;

/** Converts a value to text that sorts the highest value first. @param value NaN without one */
const toDescendingKey = (value: number, factor: number): string =>
  Number.isNaN(value)
    ? noPriceKey
    : String(highest - Math.round(value * factor)).padStart(String(highest).length, "0");
