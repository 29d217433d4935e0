import { basename } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import type { Logger } from "../../../log.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { probe } from "../../../read-model/integrity/probe.ts";
import { noOperatorState, type OperatorReader } from "../../../read-model/operator/state.ts";
import { openReader } from "../../../read-model/reader/open-reader.ts";
import type { CurrentReader, Reader } from "../../../read-model/reader/reader.ts";
import { layout } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { Synonym } from "../../../read-model/search/text/synonyms.ts";
import { openStore, type Store } from "../../../read-model/store/store.ts";

/**
 * Milliseconds. A request that began before a swap may still hold the former reader: it lives 16 s at most.
 * A generation that cannot be read is tried again after `again`, should it not be replaced before.
 */
const every = { look: 100, grace: 30_000, again: 5_000 };

export interface LiveReader {
  readonly current: CurrentReader;
  close(): Promise<void>;
}

interface Opened {
  readonly store: Store;
  readonly reader: Reader;
}

type Revocations = Pick<OperatorReader, "revocation">;

const openGeneration = (
  directory: string,
  synonyms: readonly Synonym[],
  operator: Revocations,
): Opened => {
  const store = openStore(directory, { readOnly: true });
  try {
    mustBeOfThisLayout(store);
    return { store, reader: openReader(store, synonyms, operator) };
  } catch (error) {
    void store.close();
    throw error;
  }
};

const mustBeOfThisLayout = (store: Store): void => {
  if (store.get(tables.meta, "checkpoint")?.layout === layout) return;
  throw new VitrineError(
    "outdated",
    `another version of Vitrine wrote ${store.directory}`,
    "nothing answers from it; the projector makes the model anew from the event log",
  );
};

/**
 * Follows which generation is live; resolves after the first look. The first one is probed before it is opened, as
 * it may have been damaged while nobody looked; those swapped in later were whole a moment ago. A generation that
 * cannot be read changes nothing: the former one goes on answering, and the new one is tried again. When none is
 * live any more, because it was damaged, nothing answers.
 * @param onSwap told the name of the generation that answers from now on; null when none does.
 * @param operator which tokens are dead, whichever generation answers
 */
export const followLive = async (
  directory: DataDirectory,
  onSwap: (generation: string | null) => void,
  log: Logger,
  synonyms: readonly Synonym[] = [],
  operator: Revocations = noOperatorState,
): Promise<LiveReader> => {
  const closing = new AbortController();
  let open: Opened | undefined;
  let refused: { readonly generation: string; readonly at: number } | undefined;
  let complaint = "";
  /** A disk that hangs, or a large file, may keep a look for long: no other is taken at the same meanwhile. */
  const trying = new Set<string>();
  const { retire, takeBack, all } = keepFormer();
  const refuse = (generation: string, why: unknown): void => {
    refused = { generation, at: performance.now() };
    if (messageOf(why) !== complaint) log.error({ err: why }, "a generation cannot be read");
    complaint = messageOf(why);
  };
  const change = (next: Opened | undefined): void => {
    if (open) retire(open);
    open = next;
    refused = undefined;
    complaint = "";
    onSwap(next ? basename(next.store.directory) : null);
  };
  const look = (): void => {
    const live = directory.live();
    if (live === open?.store.directory || live === refused?.generation) return;
    if (live === undefined) return change(undefined);
    // Beside a damaged one, the one before it may be damaged too.
    if (refused && !open) return;
    try {
      change(takeBack(live) ?? openGeneration(live, synonyms, operator));
    } catch (error) {
      refuse(live, error);
    }
  };
  /** Opens a generation that may be damaged, if it is not. */
  const tryOut = async (generation: string): Promise<void> => {
    refused = { generation, at: performance.now() };
    trying.add(generation);
    const damage = await probe(generation, "quick", closing.signal);
    trying.delete(generation);
    if (closing.signal.aborted || directory.live() !== generation) return;
    if (damage !== undefined) return refuse(generation, new Error(damage));
    refused = undefined;
    look();
  };
  const turn = (): void => {
    const live = directory.live();
    if (!refused || !live) return look();
    const isDue = performance.now() > refused.at + every.again;
    const isWanted = live === refused.generation ? isDue : !open;
    if (!isWanted) look();
    else if (!trying.has(live)) void tryOut(live);
  };
  // Another one may be swapped in while the first is probed: whoever is let in after this finds a model.
  for (let tried: string | undefined, left = 5; left > 0; left -= 1) {
    const live = directory.live();
    if (open || live === undefined || live === tried) break;
    await tryOut(live);
    tried = live;
  }
  const looking = setInterval(turn, every.look);
  return {
    // Looks at each request: the link is the one place where all processes see a swap in the same instant, so that
    // none gives an older answer after another gave a newer one. Reading it takes two microseconds.
    current() {
      look();
      return open?.reader;
    },
    async close() {
      closing.abort();
      clearInterval(looking);
      const opened = [...all(), ...(open ? [open] : [])];
      open = undefined;
      await Promise.all(opened.map(({ store }) => store.close()));
    },
  };
};

/** Generations that answered until a moment ago: requests may still read them, and a rollback may bring one back. */
const keepFormer = () => {
  const former = new Map<string, Opened & { readonly timer: NodeJS.Timeout }>();
  return {
    retire({ store, reader }: Opened): void {
      const timer = setTimeout(() => {
        former.delete(store.directory);
        void store.close();
      }, every.grace);
      former.set(store.directory, { store, reader, timer: timer.unref() });
    },
    takeBack(directory: string): Opened | undefined {
      const known = former.get(directory);
      clearTimeout(known?.timer);
      former.delete(directory);
      return known;
    },
    /** Those there are; none of them closes by itself any more. */
    all(): readonly Opened[] {
      for (const { timer } of former.values()) clearTimeout(timer);
      return [...former.values()];
    },
  };
};
