/**
 * A process of its own that writes into the generation named on its command line, batch after batch, until its
 * parent goes. Each batch gives every product the same new price, renames the shop after it, and lets one product
 * come or go: whoever sees two of these facts disagree saw two moments.
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
  // An id of its own: the parent process counts its events from 1 too.
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
