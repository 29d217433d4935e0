import type { LogRecord } from "../../src/event-log/event-log.ts";
import type { ProductData } from "../../src/events/event.ts";
import { toGoodsPolicy } from "../../src/offers/policy.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { importBuilt } from "./import-built.ts";
import { projectRecords } from "./project-records.ts";

const { openCounters } = await importBuilt<typeof import("../../src/projector/derive/counters.ts")>(
  "projector/derive/counters",
);
const { openSearchIndex } = await importBuilt<
  typeof import("../../src/projector/derive/search-index.ts")
>("projector/derive/search-index");
const { openStore } =
  await importBuilt<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");

const { batchLimits } =
  await importBuilt<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");

const settings = { language: "en", currency: "EUR", policy: toGoodsPolicy(undefined) };

/** The fields of a product that the search index contains. */
export type SearchableFields = Pick<
  ProductData,
  "id" | "name" | "brand" | "descriptionHtml" | "reference" | "gtin"
>;

/** Prepares products so that `run` builds only the search index of a first load, in the projector's batches. */
export const prepareSearchIndexing = async (
  records: readonly LogRecord[],
): Promise<{ readonly texts: readonly SearchableFields[]; run(): Promise<void> }> => {
  const products = await projectProducts(records);
  const texts = products.map(({ product }) => ({
    id: product.id,
    name: product.name,
    brand: product.brand,
    descriptionHtml: product.description,
    reference: product.reference,
    gtin: product.gtin,
  }));
  const run = async (): Promise<void> => {
    const directory = temporaryDirectory();
    const store = openStore(directory.path, { readOnly: false });
    for (let start = 0; start < products.length; start += batchLimits.edits) {
      store.transaction((stored) => {
        const counters = openCounters(stored);
        const index = openSearchIndex(stored, counters, {
          before: settings,
          after: settings,
        });
        for (const product of products.slice(start, start + batchLimits.edits)) {
          index.update(product.product.id, undefined, product);
        }
        index.flush();
        counters.flush();
      });
      store.refresh();
    }
    await store.close();
    directory.remove();
  };
  return { texts, run };
};

const projectProducts = async (records: readonly LogRecord[]) => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  projectRecords(store, records);
  const products = [...store.entries(tables.products)].map(([id, product]) => {
    const core = store.get(tables.productCores, id)?.group?.content;
    if (!core) throw new Error(`product ${id} has a document and no core`);
    return { product, core, variants: [] };
  });
  await store.close();
  directory.remove();
  return products;
};
