/**
 * A process that writes batches into the generation of its command line until its parent exits. Each batch
 * sets the same new price for every product, then renames the shop, and adds or deletes one product: an
 * answer in which two of these facts disagree has read two snapshots.
 */
import type { CloudEvent } from "../../src/events/envelope.ts";
import { applyBatch } from "../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import {
  priceChanged,
  productDeleted,
  productUpserted,
  recordOf,
  settingsUpdated,
} from "../helpers/events.ts";
import { productsThere } from "./writing.ts";

const store = openStore(process.argv[2] ?? "", { readOnly: false });
const rendering = createHtmlRenderer();
const identity = { name: "test", created: "2026-01-01T00:00:00.000Z" };
let sequence = store.get(tables.meta, "checkpoint")?.sequence ?? 0;

const batch = (number: number): readonly CloudEvent[] => [
  // The id is explicit, because the counter of ids in the parent process also starts at 1.
  settingsUpdated({ name: `Shop ${number}` }, { id: `shop-${number}` }),
  ...productsThere.map((productId) =>
    priceChanged({ productId, price: { amount: `${number}.00`, currency: "EUR" } }),
  ),
  number % 2 === 0
    ? productDeleted(1000)
    : productUpserted({ id: 1000, price: { amount: `${number}.00`, currency: "EUR" } }),
];

const write = (number: number): void => {
  const records = batch(number).map((event) => {
    sequence += 1;
    return recordOf(event, sequence);
  });
  applyBatch(store, records, { identity, rendering });
  setImmediate(write, number + 1);
};

process.on("disconnect", () => process.exit());
write(1);
