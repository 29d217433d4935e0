import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { recordOf } from "../../helpers/events.ts";
import { importBuilt } from "../import-built.ts";
import type { ProductText } from "./corpus.ts";
import type { Engine } from "./peers.ts";

const { applyBatch, batchLimits } =
  await importBuilt<typeof import("../../../src/projector/batch/batch.ts")>(
    "projector/batch/batch",
  );
const { createHtmlRenderer } = await importBuilt<
  typeof import("../../../src/projector/rendering/index.ts")
>("projector/rendering/index");
const { openReader } = await importBuilt<
  typeof import("../../../src/read-model/reader/open-reader.ts")
>("read-model/reader/open-reader");
const { openStore } =
  await importBuilt<typeof import("../../../src/read-model/store/store.ts")>(
    "read-model/store/store",
  );

const identity = { name: "bench", created: "2026-01-01T00:00:00.000Z" };

export interface VitrineEngine extends Engine {
  readonly store: Store;
  /** Seconds of CPU time of the projector, from decoded events to the last commit. */
  readonly cpuSeconds: number;
}

export const toProductEvent = (text: ProductText): CloudEvent => ({
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

/** Opens Vitrine's read model, into which the projector's batches have projected the texts with all tables. */
export const vitrine = async (texts: Iterable<ProductText>): Promise<VitrineEngine> => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  const context = { identity, rendering: createHtmlRenderer() };
  let sequence = 0;
  let cpuSeconds = 0;
  const apply = (events: readonly CloudEvent[]): void => {
    const records = events.map((event) => {
      sequence += 1;
      return recordOf(event, sequence);
    });
    const spent = cpuTime();
    const { deadLetters } = applyBatch(store, records, context);
    cpuSeconds += spent() / 1000;
    const [deadLetter] = deadLetters;
    if (deadLetter) throw new Error(`an event was rejected: ${deadLetter.reason}`);
  };
  let batch: CloudEvent[] = [];
  for (const text of texts) {
    batch.push(toProductEvent(text));
    if (batch.length < batchLimits.edits) continue;
    apply(batch);
    batch = [];
  }
  apply(batch);
  const reader = openReader(store);
  return {
    name: "Vitrine",
    store,
    cpuSeconds,
    find: (query, limit) =>
      reader.snapshot((snapshot) => {
        const { products, total } = snapshot.listing({
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
