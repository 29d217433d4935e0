import type { ProductDocument } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";

/**
 * Reads a product that an index row refers to. Index and document are written in one transaction, so a missing document
 * means that the file is damaged.
 * @throws the error of `missingRow` when there is no document
 */
export const requireProduct = (stored: ReadTables, id: number): ProductDocument => {
  const product = stored.get(tables.products, id);
  if (product) return product;
  throw stored.missingRow(tables.products, id);
};

/**
 * Reads the stored JSON of a product that an index row refers to.
 * @throws the error of `missingRow` when there is no document
 */
export const requireProductJson = (stored: ReadTables, id: number): string => {
  const json = stored.rawJson(tables.products, id);
  if (json !== undefined) return json;
  throw stored.missingRow(tables.products, id);
};

/**
 * Asserts that a product without a document, requested by a client, is not visible.
 * @throws the error of `missingRow` when its core is active, because a visible product has a document
 */
export const assertNotVisible = (stored: ReadTables, id: number): undefined => {
  if (stored.get(tables.productCores, id)?.group?.content?.active)
    throw stored.missingRow(tables.products, id);
};
