import { VitrineError } from "../../../errors.ts";
import type { OperatorReader } from "../../../read-model/operator/state.ts";
import { openReader } from "../../../read-model/reader/open-reader.ts";
import type { Reader } from "../../../read-model/reader/reader.ts";
import { modelLayout } from "../../../read-model/schema/checkpoint.ts";
import type { Synonym } from "../../../read-model/search/text/synonyms.ts";
import { openStore, readCheckpoint, type Store } from "../../../read-model/store/store.ts";

/** Milliseconds. A request that began before a swap may use the previous reader, for 16 s at most. */
const graceMs = 30_000;

export interface OpenGeneration {
  readonly store: Store;
  readonly reader: Reader;
}

export type Revocations = Pick<OperatorReader, "revocation">;

/** Opens a generation to read. @throws `outdated` when another version wrote it */
export const openGenerationReader = (
  directory: string,
  synonyms: readonly Synonym[],
  operator: Revocations,
): OpenGeneration => {
  const store = openStore(directory, { readOnly: true });
  try {
    assertCurrentLayout(store);
    return { store, reader: openReader(store, synonyms, operator) };
  } catch (error) {
    void store.close();
    throw error;
  }
};

const assertCurrentLayout = (store: Store): void => {
  if (readCheckpoint(store)?.layout === modelLayout) return;
  throw new VitrineError(
    "outdated",
    `another version of Vitrine wrote ${store.directory}`,
    "nothing answers from it; the projector rebuilds the model from the event log",
  );
};

/** Keeps retired generations open: running requests may read them, and a rollback may reuse one. */
export const createRetiredGenerations = () => {
  const retired = new Map<string, OpenGeneration & { readonly timer: NodeJS.Timeout }>();
  return {
    retire({ store, reader }: OpenGeneration): void {
      const timer = setTimeout(() => {
        retired.delete(store.directory);
        void store.close();
      }, graceMs);
      retired.set(store.directory, { store, reader, timer: timer.unref() });
    },
    reclaim(directory: string): OpenGeneration | undefined {
      const entry = retired.get(directory);
      clearTimeout(entry?.timer);
      retired.delete(directory);
      return entry;
    },
    /** Lists the retired generations and stops their timers. */
    all(): readonly OpenGeneration[] {
      for (const { timer } of retired.values()) clearTimeout(timer);
      return [...retired.values()];
    },
  };
};
