import { setTimeout as delay } from "node:timers/promises";
import { toMessage } from "../../src/events/envelope.ts";
import { built } from "./built.ts";
import { seeded } from "./seeded.ts";

/**
 * The projector's writing end at a steady pace: stock events, committed durably a hundred times a second.
 * Arguments: directory of the live generation, events a second, the highest product id.
 */

const { applyBatch } =
  await built<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");
const { createHtmlRenderer } = await built<typeof import("../../src/projector/rendering/index.ts")>(
  "projector/rendering/index",
);
const { openStore } =
  await built<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");
const { tables } = await built<typeof import("../../src/read-model/schema/tables.ts")>(
  "read-model/schema/tables",
);

const [directory = "", rate, products] = process.argv.slice(2);
const store = openStore(directory, { readOnly: false });
const identity = { name: "bench", created: new Date(0).toISOString() };
const rendering = createHtmlRenderer();
const chance = seeded(7);
let sequence = store.get(tables.meta, "checkpoint")?.sequence ?? 0;

const recordOf = (productId: number) => {
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
    // One in two sells out or comes back: far more than at most shops.
    data: { productId, quantity: chance.below(2) },
  });
  return { ...message, sequence, time };
};

process.once("disconnect", () => process.exit(0));
process.send?.({ port: 0 });
const begun = performance.now();
for (let done = 0; ; ) {
  const due = Math.floor(((performance.now() - begun) / 1000) * Number(rate)) - done;
  const batch = Array.from({ length: due }, () => recordOf(1 + chance.below(Number(products))));
  if (batch.length > 0) applyBatch(store, batch, { identity, rendering });
  done += due;
  await delay(10);
}
