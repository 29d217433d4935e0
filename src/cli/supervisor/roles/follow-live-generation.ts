import { basename } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import type { Logger } from "../../../log.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { probeGeneration } from "../../../read-model/integrity/probe.ts";
import { emptyOperatorState, type OperatorReader } from "../../../read-model/operator/state.ts";
import { openReader } from "../../../read-model/reader/open-reader.ts";
import type { CurrentReader, Reader } from "../../../read-model/reader/reader.ts";
import { modelLayout } from "../../../read-model/schema/checkpoint.ts";
import type { Synonym } from "../../../read-model/search/text/synonyms.ts";
import { readCheckpoint } from "../../../read-model/store/read-checkpoint.ts";
import { openStore, type Store } from "../../../read-model/store/store.ts";

/**
 * Milliseconds. `grace`: a request that began before a swap may use the previous reader, for 16 s at most. `retry`: an
 * unreadable generation is tried again after this time, unless it is replaced.
 */
const timingMs = { poll: 100, grace: 30_000, retry: 5_000 };

export interface LiveReader {
  readonly current: CurrentReader;
  close(): Promise<void>;
}

interface OpenGeneration {
  readonly store: Store;
  readonly reader: Reader;
}

type Revocations = Pick<OperatorReader, "revocation">;

const openGeneration = (
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

/**
 * Opens the live generation and follows each swap; resolves after the first attempt.
 * The first generation is probed before it is opened, because it may have been damaged while no process read it. Later
 * ones were complete when they were swapped in. While a new generation is unreadable, the previous one keeps answering
 * and the new one is tried again. When no generation is live, because it was damaged, there is no reader.
 * @param onSwap receives the name of the generation that answers from now on; null when none does
 * @param operator revoked tokens, which apply to every generation
 */
export const followLiveGeneration = async (
  directory: DataDirectory,
  onSwap: (generation: string | null) => void,
  log: Logger,
  synonyms: readonly Synonym[] = [],
  operator: Revocations = emptyOperatorState,
): Promise<LiveReader> => {
  const closing = new AbortController();
  let current: OpenGeneration | undefined;
  let unreadable: { readonly generation: string; readonly at: number } | undefined;
  let lastError = "";
  /**
   * Generations that are being probed. A hanging disk or a large file delays a probe, and a second one must not start.
   */
  const probing = new Set<string>();
  const { retire, reclaim, all } = createRetiredGenerations();
  const markUnreadable = (generation: string, why: unknown): void => {
    unreadable = { generation, at: performance.now() };
    if (messageOf(why) !== lastError) log.error({ err: why }, "a generation cannot be read");
    lastError = messageOf(why);
  };
  const switchTo = (next: OpenGeneration | undefined): void => {
    if (current) retire(current);
    current = next;
    unreadable = undefined;
    lastError = "";
    onSwap(next ? basename(next.store.directory) : null);
  };
  const update = (): void => {
    const live = directory.live();
    if (live === current?.store.directory || live === unreadable?.generation) return;
    if (live === undefined) {
      switchTo(undefined);
      return;
    }
    // The predecessor of a damaged generation may be damaged too, so it is probed first.
    if (unreadable && !current) return;
    try {
      switchTo(reclaim(live) ?? openGeneration(live, synonyms, operator));
    } catch (error) {
      markUnreadable(live, error);
    }
  };
  /** Probes a generation that may be damaged, and opens it when it is intact. */
  const probeAndOpen = async (generation: string): Promise<void> => {
    unreadable = { generation, at: performance.now() };
    probing.add(generation);
    const damage = await probeGeneration(generation, "quick", closing.signal);
    probing.delete(generation);
    if (closing.signal.aborted || directory.live() !== generation) return;
    if (damage !== undefined) return markUnreadable(generation, new Error(damage));
    unreadable = undefined;
    update();
  };
  const poll = (): void => {
    const live = directory.live();
    if (!unreadable || !live) {
      update();
      return;
    }
    const isDue = performance.now() > unreadable.at + timingMs.retry;
    const isWanted = live === unreadable.generation ? isDue : !current;
    if (!isWanted) update();
    else if (!probing.has(live)) void probeAndOpen(live);
  };
  // Another generation may be swapped in during the probe. The first request after the start must find a model.
  for (let lastProbed: string | undefined, attemptsLeft = 5; attemptsLeft > 0; attemptsLeft -= 1) {
    const live = directory.live();
    if (current || live === undefined || live === lastProbed) break;
    await probeAndOpen(live);
    lastProbed = live;
  }
  const pollTimer = setInterval(poll, timingMs.poll);
  return {
    // Reads the link at each request, in 2 µs: all processes see a swap there at the same instant, so that none gives
    // an older answer after another gave a newer one.
    current() {
      update();
      return current?.reader;
    },
    async close() {
      closing.abort();
      clearInterval(pollTimer);
      const openGenerations = [...all(), ...(current ? [current] : [])];
      current = undefined;
      await Promise.all(openGenerations.map(({ store }) => store.close()));
    },
  };
};

/** Keeps retired generations open: running requests may read them, and a rollback may reuse one. */
const createRetiredGenerations = () => {
  const retired = new Map<string, OpenGeneration & { readonly timer: NodeJS.Timeout }>();
  return {
    retire({ store, reader }: OpenGeneration): void {
      const timer = setTimeout(() => {
        retired.delete(store.directory);
        void store.close();
      }, timingMs.grace);
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
