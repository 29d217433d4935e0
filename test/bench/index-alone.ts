import type { LogRecord } from "../../src/event-log/event-log.ts";
import type { ProductData } from "../../src/events/event.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { built } from "./built.ts";
import { projectRecords } from "./projecting-records.ts";

const { openCounters } = await built<typeof import("../../src/projector/derive/counters.ts")>(
  "projector/derive/counters",
);
const { openSearchIndex } = await built<
  typeof import("../../src/projector/derive/search-index.ts")
>("projector/derive/search-index");
const { openStore } =
  await built<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");

const { batchLimits } =
  await built<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");

const settings = { language: "en", currency: "EUR" };

/** What is searched of a product. */
export type Searched = Pick<
  ProductData,
  "id" | "name" | "brand" | "descriptionHtml" | "reference" | "gtin"
>;

/** What the projector does of a first load for the search index alone, of products it has otherwise done with. */
export const indexAlone = async (
  records: readonly LogRecord[],
): Promise<{ readonly texts: readonly Searched[]; run(): Promise<void> }> => {
  const products = await productsOf(records);
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
    for (let at = 0; at < products.length; at += batchLimits.edits) {
      store.transaction((stored) => {
        const counters = openCounters(stored);
        const index = openSearchIndex(stored, counters, {
          before: settings,
          after: settings,
        });
        for (const visible of products.slice(at, at + batchLimits.edits)) {
          index.update(visible.product.id, undefined, visible);
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

const productsOf = async (records: readonly LogRecord[]) => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  projectRecords(store, records);
  const products = [...store.entries(tables.products)].map(([id, product]) => {
    const core = store.get(tables.productCores, id)?.group?.content;
    if (!core) throw new Error(`product ${id} is shown, and its event is not known`);
    return { product, core };
  });
  await store.close();
  directory.remove();
  return products;
};
