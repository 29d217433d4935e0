import { basename } from "node:path";
import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { DataDirectory } from "../read-model/generation.ts";
import { openReader } from "../read-model/open-reader.ts";
import { probe } from "../read-model/probe.ts";
import type { CurrentReader, Reader } from "../read-model/reader.ts";
import { openStore, type Store } from "../read-model/store.ts";

/**
 * Milliseconds. A request that began before a swap may still hold the former reader: it lives 16 s at most.
 * A generation that cannot be read is tried again after `again`, should it not be replaced before.
 */
const every = { look: 100, grace: 30_000, again: 5_000 };

export interface LiveReader {
  readonly current: CurrentReader;
  close(): Promise<void>;
}

/**
 * Follows which generation is live; resolves after the first look. A generation is probed before it is opened: one
 * that cannot be read changes nothing, the former one goes on answering, and the new one is tried again. When none is
 * live any more, because it was damaged, nothing answers.
 * @param onSwap told the name of the generation that answers from now on; null when none does.
 */
export const followLive = async (
  directory: DataDirectory,
  onSwap: (generation: string | null) => void,
  log: Logger,
): Promise<LiveReader> => {
  const closing = new AbortController();
  let open: { readonly store: Store; readonly reader: Reader } | undefined;
  let complaint = "";
  let refused: { readonly generation: string; readonly at: number } | undefined;
  const former = new Map<Store, NodeJS.Timeout>();
  const retire = (store: Store): void => {
    const timer = setTimeout(() => {
      former.delete(store);
      void store.close();
    }, every.grace);
    former.set(store, timer.unref());
  };
  const change = (next: typeof open): void => {
    if (open) retire(open.store);
    open = next;
    onSwap(next ? basename(next.store.directory) : null);
  };
  const look = async (): Promise<void> => {
    const live = directory.live();
    if (live === undefined) return open && change(undefined);
    if (live === open?.store.directory) return;
    if (refused?.generation === live && performance.now() < refused.at + every.again) return;
    try {
      const damage = await probe(live, "quick", closing.signal);
      if (closing.signal.aborted || directory.live() !== live) return;
      if (damage !== undefined) throw new Error(damage);
      const store = openStore(live, { readOnly: true });
      change({ store, reader: openReader(store) });
      complaint = "";
    } catch (error) {
      refused = { generation: live, at: performance.now() };
      if (messageOf(error) !== complaint) log.error({ err: error }, "a generation cannot be read");
      complaint = messageOf(error);
    }
  };
  let looking: Promise<void> | undefined = look();
  await looking;
  looking = undefined;
  const turns = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, every.look);
  return {
    current: () => open?.reader,
    async close() {
      closing.abort();
      clearInterval(turns);
      await looking;
      for (const timer of former.values()) clearTimeout(timer);
      const stores = [...former.keys(), ...(open ? [open.store] : [])];
      open = undefined;
      await Promise.all(stores.map((store) => store.close()));
    },
  };
};
