import { setTimeout as delay } from "node:timers/promises";
import { toMessage } from "../../src/events/envelope.ts";
import { importBuilt } from "./import-built.ts";
import { seeded } from "./seeded.ts";

/**
 * A process that projects stock events at a steady rate and commits them durably a hundred times a second.
 * Arguments: directory of the live generation, events per second, the highest product id.
 */

const { applyBatch } =
  await importBuilt<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");
const { createHtmlRenderer } = await importBuilt<
  typeof import("../../src/projector/rendering/index.ts")
>("projector/rendering/index");
const { openStore } =
  await importBuilt<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");
const { tables } = await importBuilt<typeof import("../../src/read-model/schema/tables.ts")>(
  "read-model/schema/tables",
);

const [directory = "", rate, products] = process.argv.slice(2);
const store = openStore(directory, { readOnly: false });
const identity = { name: "bench", created: new Date(0).toISOString() };
const rendering = createHtmlRenderer();
const chance = seeded(7);
let sequence = store.get(tables.meta, "checkpoint")?.sequence ?? 0;

const stockRecord = (productId: number) => {
  sequence += 1;
  const time = Date.now();
  const message = toMessage({
    specversion: "1.0",
    id: `bench-${sequence}`,
    source: "/shops/demo",
    type: "shop.stock.changed",
    subject: `stock/${productId}`,
    time: new Date(time).toISOString(),
    sequence: String(10_000_000 + sequence),
    datacontenttype: "application/json",
    // Half of the events change the availability, far more than in most shops.
    data: { productId, quantity: chance.below(2) },
  });
  return { ...message, sequence, time };
};

process.once("disconnect", () => process.exit(0));
process.send?.({ port: 0 });
const start = performance.now();
for (let done = 0; ; ) {
  const due = Math.floor(((performance.now() - start) / 1000) * Number(rate)) - done;
  const batch = Array.from({ length: due }, () => stockRecord(1 + chance.below(Number(products))));
  if (batch.length > 0) applyBatch(store, batch, { identity, rendering });
  done += due;
  await delay(10);
}
