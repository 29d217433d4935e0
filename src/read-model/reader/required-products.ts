import type { ProductDocument } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";

/**
 * Products that something else of the same moment names: one that is not there is no product that is gone, but a page of
 * the file that no longer tells all its rows.
 * @throws what `lost` gives
 */
export const namedProduct = (stored: Tables, id: number): ProductDocument => {
  const product = stored.get(tables.products, id);
  if (product) return product;
  throw stored.lost(tables.products, id);
};

/** The same as it is stored. Throws as that does. */
export const namedText = (stored: Tables, id: number): string => {
  const text = stored.text(tables.products, id);
  if (text !== undefined) return text;
  throw stored.lost(tables.products, id);
};

/** For whoever was told an id by a client and found nothing. Throws as `namedProduct` does, where it is told to be visible. */
export const mustBeAbsent = (stored: Tables, id: number): undefined => {
  if (stored.get(tables.cores, id)?.group?.content?.active) throw stored.lost(tables.products, id);
};
