import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { recordOf } from "../../helpers/events.ts";
import { built } from "../built.ts";
import type { Text } from "./corpus.ts";
import type { Engine } from "./peers.ts";

const { applyBatch, batchLimits } =
  await built<typeof import("../../../src/projector/batch/batch.ts")>("projector/batch/batch");
const { createHtmlRenderer } = await built<
  typeof import("../../../src/projector/rendering/index.ts")
>("projector/rendering/index");
const { openReader } = await built<typeof import("../../../src/read-model/reader/open-reader.ts")>(
  "read-model/reader/open-reader",
);
const { openStore } =
  await built<typeof import("../../../src/read-model/store/store.ts")>("read-model/store/store");

const identity = { name: "bench", created: "2026-01-01T00:00:00.000Z" };

export interface Projected extends Engine {
  readonly store: Store;
  /** Seconds of CPU that the projector took, from the events' bytes to the last commit. */
  readonly projecting: number;
  ask<T>(question: (moment: Snapshot) => T): T;
  apply(events: readonly CloudEvent[]): void;
}

export const eventOf = (text: Text): CloudEvent => ({
  specversion: "1.0",
  id: `bench-${text.id}`,
  source: "/shops/bench",
  type: "shop.product.upserted",
  subject: `product/${text.id}`,
  time: "2026-10-01T08:00:00.000Z",
  datacontenttype: "application/json",
  data: {
    id: text.id,
    name: text.name,
    url: `https://shop.example/p/${text.id}`,
    brand: text.brand || null,
    reference: text.reference || null,
    gtin: text.gtin || null,
    descriptionHtml: text.description || null,
    price: { amount: `${(text.id % 500) + 1}.90`, currency: "EUR" },
    categoryIds: [1 + (text.id % 20)],
  },
});

/** Vitrine's read model of the texts: the projector as it is, with all its tables, from decoded bytes to commits. */
export const vitrine = async (texts: Iterable<Text>): Promise<Projected> => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  const context = { identity, rendering: createHtmlRenderer() };
  let sequence = 0;
  let projecting = 0;
  const apply = (events: readonly CloudEvent[]): void => {
    const records = events.map((event) => {
      sequence += 1;
      return recordOf(event, sequence);
    });
    const spent = cpuTime();
    const { deadLetters } = applyBatch(store, records, context);
    projecting += spent() / 1000;
    const [letter] = deadLetters;
    if (letter) throw new Error(`an event was refused: ${letter.reason}`);
  };
  let batch: CloudEvent[] = [];
  for (const text of texts) {
    batch.push(eventOf(text));
    if (batch.length < batchLimits.edits) continue;
    apply(batch);
    batch = [];
  }
  apply(batch);
  const reader = openReader(store);
  return {
    name: "Vitrine",
    store,
    projecting,
    apply,
    ask: (question) => reader.snapshot(question),
    find: (query, limit) =>
      reader.snapshot((moment) => {
        const { products, total } = moment.listing({
          query,
          relax: true,
          sort: "relevance",
          limit,
          offset: 0,
        });
        return { ids: products.map(({ id }) => id), total };
      }),
    async close() {
      await store.close();
      directory.remove();
    },
  };
};
