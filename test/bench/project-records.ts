import type { LogRecord } from "../../src/event-log/event-log.ts";
import type { Store } from "../../src/read-model/store/store.ts";
import { importBuilt } from "./import-built.ts";

const { openBatch } =
  await importBuilt<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");
const { createHtmlRenderer } = await importBuilt<
  typeof import("../../src/projector/rendering/index.ts")
>("projector/rendering/index");

/** Records per chunk, as the event logs return them. */
const chunkSize = 1_000;

/** Projects records with the projector's batches into all tables, and commits them. @throws when an event is rejected */
export const projectRecords = (store: Store, records: readonly LogRecord[]): void => {
  const identity = { name: "bench", created: "2026-01-01T00:00:00.000Z" };
  const context = { identity, rendering: createHtmlRenderer() };
  let batch = openBatch(store, context);
  const commit = (): void => {
    const { rejected } = store.transaction((stored) => batch.commit(stored));
    if (rejected > 0) throw new Error(`${rejected} events were rejected`);
    store.refresh();
    batch = openBatch(store, context);
  };
  for (let start = 0; start < records.length; start += chunkSize) {
    for (let rest = records.slice(start, start + chunkSize); rest.length > 0; ) {
      rest = [...batch.add(rest)];
      if (batch.isFull()) commit();
    }
  }
  commit();
};
