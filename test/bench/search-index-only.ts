import type { LogRecord } from "../../src/event-log/event-log.ts";
import type { ProductData } from "../../src/events/event.ts";
import { defaultPolicy } from "../../src/offers/policy.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { importBuilt } from "./import-built.ts";
import { projectRecords } from "./project-records.ts";

const { openCounters } = await importBuilt<
  typeof import("../../src/projector/derive/derivation.ts")
>("projector/derive/derivation");
const { openSearchIndex } = await importBuilt<
  typeof import("../../src/projector/derive/search-index.ts")
>("projector/derive/search-index");
const { openUnitOfWork } = await importBuilt<
  typeof import("../../src/projector/unit-of-work/unit-of-work.ts")
>("projector/unit-of-work/unit-of-work");
const { readVisibleProduct } = await importBuilt<
  typeof import("../../src/projector/derive/products/visible-product.ts")
>("projector/derive/products/visible-product");
const { openStore } =
  await importBuilt<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");

const { batchLimits } =
  await importBuilt<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");

const settings = { language: "en", currency: "EUR", policy: defaultPolicy };

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
  const texts = products.map(({ visible: { text }, description }) => ({
    id: text.id,
    name: text.name,
    brand: text.brand,
    descriptionHtml: description ?? null,
    reference: text.reference,
    gtin: text.gtin,
  }));
  const descriptions = new Map(
    products.map(({ visible, description }) => [visible.text.id, description]),
  );
  const run = async (): Promise<void> => {
    const directory = temporaryDirectory();
    const store = openStore(directory.path, { readOnly: false });
    for (let start = 0; start < products.length; start += batchLimits.edits) {
      store.transaction((stored) => {
        const counters = openCounters(stored);
        const unit = openUnitOfWork(stored);
        const productTexts = {
          ...unit.productTexts,
          original: () => undefined,
          get: (id: number) => descriptions.get(id),
        };
        const change = { before: settings, after: settings };
        const index = openSearchIndex({ ...unit, productTexts }, stored, counters, change);
        for (const { visible } of products.slice(start, start + batchLimits.edits)) {
          index.update(visible.text.id, undefined, visible);
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
  const products = [...store.keys(tables.products)].map((id) => {
    const visible = readVisibleProduct(store, id);
    if (!visible) throw new Error(`product ${id} has a text and no offer`);
    return { visible, description: store.get(tables.productTexts, id) };
  });
  await store.close();
  directory.remove();
  return products;
};
