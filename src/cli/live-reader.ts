import { basename } from "node:path";
import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { DataDirectory } from "../read-model/generation.ts";
import { openReader } from "../read-model/open-reader.ts";
import type { CurrentReader, Reader } from "../read-model/reader.ts";
import type { Synonym } from "../read-model/search/synonyms.ts";
import { openStore, type Store } from "../read-model/store.ts";

/** Milliseconds. A request that began before a swap may still hold the former reader: it lives 16 s at most. */
const every = { look: 100, grace: 30_000 };

export interface LiveReader {
  readonly current: CurrentReader;
  close(): Promise<void>;
}

/**
 * Follows which generation is live. A generation that cannot be opened changes nothing: the former one goes on
 * answering, and the new one is tried again.
 * @param onSwap told the name of the generation that answers from now on.
 */
export const followLive = (
  directory: DataDirectory,
  onSwap: (generation: string) => void,
  log: Logger,
  synonyms: readonly Synonym[] = [],
): LiveReader => {
  let open: { readonly store: Store; readonly reader: Reader } | undefined;
  let complaint = "";
  const former = new Map<Store, NodeJS.Timeout>();
  const retire = (store: Store): void => {
    const timer = setTimeout(() => {
      former.delete(store);
      void store.close();
    }, every.grace);
    former.set(store, timer.unref());
  };
  const look = (): void => {
    const live = directory.live();
    if (live === undefined || live === open?.store.directory) return;
    try {
      const store = openStore(live, { readOnly: true });
      if (open) retire(open.store);
      open = { store, reader: openReader(store, synonyms) };
      complaint = "";
    } catch (error) {
      if (messageOf(error) !== complaint) log.error({ err: error }, "a generation cannot be read");
      complaint = messageOf(error);
      return;
    }
    onSwap(basename(live));
  };
  look();
  const looking = setInterval(look, every.look);
  return {
    current: () => open?.reader,
    async close() {
      clearInterval(looking);
      for (const timer of former.values()) clearTimeout(timer);
      const stores = [...former.keys(), ...(open ? [open.store] : [])];
      open = undefined;
      await Promise.all(stores.map((store) => store.close()));
    },
  };
};
