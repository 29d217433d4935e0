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
 * Milliseconds. `grace`: a request that began before a swap may use the previous reader, for 16 s at most. `retry`: an
 * unreadable generation is tried again after this time, unless it is replaced.
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
 * Opens the live generation and follows each swap; resolves after the first attempt.
 * The first generation is probed before it is opened, because it may have been damaged while no process read it. Later
 * ones were complete when they were swapped in. While a new generation is unreadable, the previous one keeps answering
 * and the new one is tried again. When no generation is live, because it was damaged, there is no reader.
 * @param onSwap receives the name of the generation that answers from now on; null when none does
 * @param operator revoked tokens, which apply to every generation
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
  /**
   * Generations that are being probed. A hanging disk or a large file delays a probe, and a second one must not start.
   */
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
    // The predecessor of a damaged generation may be damaged too, so it is probed first.
    if (refused && !open) return;
    try {
      change(takeBack(live) ?? openGeneration(live, synonyms, operator));
    } catch (error) {
      refuse(live, error);
    }
  };
  /** Probes a generation that may be damaged, and opens it when it is intact. */
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
  // Another generation may be swapped in during the probe. The first request after the start must find a model.
  for (let tried: string | undefined, left = 5; left > 0; left -= 1) {
    const live = directory.live();
    if (open || live === undefined || live === tried) break;
    await tryOut(live);
    tried = live;
  }
  const looking = setInterval(turn, every.look);
  return {
    // Reads the link at each request, in 2 µs: all processes see a swap there at the same instant, so that none gives
    // an older answer after another gave a newer one.
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

/** Keeps retired generations open: running requests may read them, and a rollback may reuse one. */
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
    /** Lists the retired generations and stops their timers. */
    all(): readonly Opened[] {
      for (const { timer } of former.values()) clearTimeout(timer);
      return [...former.values()];
    },
  };
};
