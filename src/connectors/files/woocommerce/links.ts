import { isVariableType } from "../../woocommerce/product.ts";
import { toSlug } from "../../woocommerce/variation.ts";
import type { BadRow } from "../items.ts";
import { readAttributes, readCell, readListCell, readTypes, type WooCommerceRow } from "./cells.ts";

/** What rows say of other rows. */
export interface Links {
  /** Id by SKU, of the SKUs by which rows name products; undefined for one that no row has. */
  readonly ids: Map<string, number | undefined>;
  /** Attributes of variations, divided by line breaks, by what the variations name their parent. */
  readonly options: Map<string, string>;
}

const referenceColumns = ["grouped_products", "upsell_ids", "cross_sell_ids"] as const;

export const addLinks = (row: WooCommerceRow, { ids, options }: Links): void => {
  for (const sku of listSkus(row)) ids.set(sku, undefined);
  const parent = readCell(row, "parent_id");
  if (parent === "") return;
  const names = readAttributes(row).map(({ name }) => toSlug(name));
  const before = options.get(parent)?.split("\n") ?? [];
  const all = [...new Set([...before, ...names])];
  if (all.length > before.length || before.length === 0) options.set(parent, all.join("\n"));
};

/** Lists the SKUs by which a row names other products. */
const listSkus = (row: WooCommerceRow): readonly string[] =>
  [
    readCell(row, "parent_id"),
    ...referenceColumns.flatMap((column) => readListCell(row, column)),
  ].filter((name) => name !== "" && !idForm.test(name));

const idForm = /^id:(\d+)$/;

export const addIds = async (
  rows: AsyncIterable<WooCommerceRow | BadRow>,
  { ids }: Links,
): Promise<void> => {
  for await (const row of rows) {
    const sku = "get" in row ? readCell(row, "sku") : "";
    if ("get" in row && ids.has(sku)) ids.set(sku, Number(readCell(row, "id")));
  }
};

/** Whether the body of a row needs other rows. */
export const isWaiting = (row: WooCommerceRow): boolean =>
  isVariableType(readTypes(row).type) || listSkus(row).length > 0;

/** Reads the products that a row names: `id:7`, or a SKU. One that the file lacks stays `{ sku }`. */
export const toReferences = (row: WooCommerceRow, { ids }: Links) => {
  const find = (name: string) => idForm.exec(name)?.[1] ?? ids.get(name) ?? { sku: name };
  const parent = readCell(row, "parent_id");
  return {
    parent_id: parent === "" ? undefined : find(parent),
    ...Object.fromEntries(
      referenceColumns.map((column) => [column, readListCell(row, column).map(find)]),
    ),
  };
};
