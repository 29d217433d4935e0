import type { CloudEvent } from "../../src/events/envelope.ts";
import { applyBatch } from "../../src/projector/batch/batch.ts";
import type { BatchResult } from "../../src/projector/context.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import { type Digest, openStore, type Store } from "../../src/read-model/store/store.ts";
import { temporaryDirectory } from "./directory.ts";
import { type ExampleRecord, recordOf } from "./events.ts";

/** Identity of the simulated log. */
export const identity = { name: "test", created: "2026-01-01T00:00:00.000Z" };
const rendering = createHtmlRenderer();

/** A read model in a temporary directory, fed with events as a log would deliver them. */
export interface TestModel {
  readonly store: Store;
  /** Appends events to the simulated log and applies them as one batch. */
  apply(...events: readonly CloudEvent[]): BatchResult;
  /** Applies records as one batch, whatever their sequences. */
  deliver(records: readonly ExampleRecord[]): BatchResult;
  /** Reads within one snapshot of the model. */
  read<T>(question: (snapshot: Snapshot) => T): T;
  digest(): Digest;
  close(): Promise<void>;
}

export const openModel = (): TestModel => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  const reader = openReader(store);
  let sequence = 0;
  const deliver = (records: readonly ExampleRecord[]) =>
    applyBatch(store, records, { identity, rendering });
  return {
    store,
    deliver,
    apply(...events) {
      return deliver(
        events.map((event) => {
          sequence += 1;
          return recordOf(event, sequence);
        }),
      );
    },
    read: (question) => reader.snapshot(question),
    digest: () => store.digest(),
    async close() {
      await store.close();
      directory.remove();
    },
  };
};
