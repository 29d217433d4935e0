import type { LogRecord } from "../../src/event-log/event-log.ts";
import type { Store } from "../../src/read-model/store/store.ts";
import { built } from "./built.ts";

const { openBatch } =
  await built<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");
const { createHtmlRenderer } = await built<typeof import("../../src/projector/rendering/index.ts")>(
  "projector/rendering/index",
);

/** Records to a chunk, as logs give them. */
const chunk = 1_000;

/** The projector as it is, with all its tables, from event bytes to the last commit. */
export const projectRecords = (store: Store, records: readonly LogRecord[]): void => {
  const identity = { name: "bench", created: "2026-01-01T00:00:00.000Z" };
  const context = { identity, rendering: createHtmlRenderer() };
  let folding = openBatch(store, context);
  const commit = (): void => {
    const { rejected } = store.transaction((stored) => folding.commit(stored));
    if (rejected > 0) throw new Error(`${rejected} events were refused`);
    store.refresh();
    folding = openBatch(store, context);
  };
  for (let at = 0; at < records.length; at += chunk) {
    for (let left = records.slice(at, at + chunk); left.length > 0; ) {
      left = [...folding.add(left)];
      if (folding.isFull()) commit();
    }
  }
  commit();
};
