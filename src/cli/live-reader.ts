import { basename } from "node:path";
import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { DataDirectory } from "../read-model/generation.ts";
import { openReader } from "../read-model/open-reader.ts";
import type { CurrentReader, Reader } from "../read-model/reader.ts";
import { openStore, type Store } from "../read-model/store.ts";

/** Milliseconds. A request that began before a swap may still hold the former reader: it lives 16 s at most. */
const every = { look: 100, grace: 30_000 };

export interface LiveReader {
  readonly current: CurrentReader;
  close(): Promise<void>;
}

interface Opened {
  readonly store: Store;
  readonly reader: Reader;
}

const openGeneration = (directory: string): Opened => {
  const store = openStore(directory, { readOnly: true });
  return { store, reader: openReader(store) };
};

/**
 * Follows which generation is live. A generation that cannot be opened changes nothing: the former one goes on
 * answering, and the new one is tried again.
 * @param onSwap told the name of the generation that answers from now on.
 */
export const followLive = (
  directory: DataDirectory,
  onSwap: (generation: string) => void,
  log: Logger,
): LiveReader => {
  let open: Opened | undefined;
  let unusable: string | undefined;
  let complaint = "";
  const former = new Map<string, Opened & { readonly timer: NodeJS.Timeout }>();
  const retire = ({ store, reader }: Opened): void => {
    const timer = setTimeout(() => {
      former.delete(store.directory);
      void store.close();
    }, every.grace);
    former.set(store.directory, { store, reader, timer: timer.unref() });
  };
  /** After a rollback the generation may be open still. */
  const takeBack = (directory: string): Opened | undefined => {
    const known = former.get(directory);
    clearTimeout(known?.timer);
    former.delete(directory);
    return known;
  };
  const look = (): void => {
    const live = directory.live();
    if (live === undefined || live === open?.store.directory || live === unusable) return;
    try {
      const next = takeBack(live) ?? openGeneration(live);
      if (open) retire(open);
      open = next;
      complaint = "";
    } catch (error) {
      unusable = live;
      if (messageOf(error) !== complaint) log.error({ err: error }, "a generation cannot be read");
      complaint = messageOf(error);
      return;
    }
    onSwap(basename(live));
  };
  look();
  const looking = setInterval(() => {
    unusable = undefined;
    look();
  }, every.look);
  return {
    // Looks at each request: the link is the one place where all processes see a swap in the same instant, so that
    // none gives an older answer after another gave a newer one. Reading it takes two microseconds.
    current() {
      look();
      return open?.reader;
    },
    async close() {
      clearInterval(looking);
      for (const { timer } of former.values()) clearTimeout(timer);
      const opened = [...former.values(), ...(open ? [open] : [])];
      open = undefined;
      await Promise.all(opened.map(({ store }) => store.close()));
    },
  };
};
