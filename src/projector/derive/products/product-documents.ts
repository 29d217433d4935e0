import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { type PageRecord, tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { Counters } from "../counters.ts";
import { countPage } from "../page-index.ts";
import { setMember } from "../set-diff.ts";
import { listEdges } from "./product-edges.ts";

type MaybeDocument = ProductDocument | undefined;

/** Stores the document of a product, and counts it; undefined while the product is not visible. */
export const updateDocument = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  if (after) stored.put(tables.products, id, after);
  else stored.remove(tables.products, id);
  counters.add("products", Number(after !== undefined) - Number(before !== undefined));
  updateInStock(stored, counters, id, before, after);
  countPage(counters, "product", id, toPageRecord(before), toPageRecord(after));
};

const toPageRecord = (document: MaybeDocument): PageRecord | undefined =>
  document && {
    url: document.url,
    lastmod: document.lastmod,
    ...(document.offers && { edges: listEdges(document) }),
  };

const updateInStock = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  if (before?.availability === after?.availability) return;
  const member = after?.availability === "IN_STOCK";
  counters.add("inStock", setMember(stored, tables.inStock, id, member));
};
