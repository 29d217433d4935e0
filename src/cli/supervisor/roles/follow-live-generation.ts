import { basename } from "node:path";
import { messageOf } from "../../../errors.ts";
import type { Logger } from "../../../log.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { probeGeneration } from "../../../read-model/integrity/probe.ts";
import { emptyOperatorState } from "../../../read-model/operator/state.ts";
import type { CurrentReader } from "../../../read-model/reader/reader.ts";
import type { Synonym } from "../../../read-model/search/text/synonyms.ts";
import {
  createRetiredGenerations,
  type OpenGeneration,
  openGenerationReader,
  type Revocations,
} from "./generation-readers.ts";

const pollIntervalMs = 100;

interface LiveReader {
  readonly current: CurrentReader;
  close(): Promise<void>;
}

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
  let unreadable: UnreadableGeneration | undefined;
  const { retire, reclaim, all } = createRetiredGenerations();
  const logFailure = createFailureLog(log);
  const markUnreadable = (generation: string, why: unknown): void => {
    unreadable = { generation, at: performance.now() };
    logFailure.report(why);
  };
  const switchTo = (next: OpenGeneration | undefined): void => {
    if (current) retire(current);
    current = next;
    unreadable = undefined;
    logFailure.reset();
    onSwap(next ? basename(next.store.directory) : null);
  };
  /** Takes the next step, except a probe, because no request waits for one. @returns the generation to probe */
  const update = (): string | undefined => {
    const step = chooseStep(
      current?.store.directory,
      unreadable,
      directory.live(),
      performance.now(),
    );
    if (step.kind === "probe") return step.generation;
    if (step.kind === "close") switchTo(undefined);
    if (step.kind !== "open") return undefined;
    try {
      switchTo(
        reclaim(step.generation) ?? openGenerationReader(step.generation, synonyms, operator),
      );
    } catch (error) {
      markUnreadable(step.generation, error);
    }
    return undefined;
  };
  /** Each is probed once at a time: a hanging disk or a large file delays a probe past the next retry. */
  const probing = new Set<string>();
  /** Probes a generation that may be damaged, and opens it when it is intact. */
  const probeAndOpen = async (generation: string): Promise<void> => {
    unreadable = { generation, at: performance.now() };
    probing.add(generation);
    const damage = await probeGeneration(generation, "quick", closing.signal).finally(() =>
      probing.delete(generation),
    );
    if (closing.signal.aborted || directory.live() !== generation) return;
    if (damage !== undefined) return markUnreadable(generation, new Error(damage));
    unreadable = undefined;
    update();
  };
  const poll = (): void => {
    const suspect = update();
    if (suspect !== undefined && !probing.has(suspect)) void probeAndOpen(suspect);
  };
  // Another generation may be swapped in during the probe. The first request after the start must find a model.
  for (let lastProbed: string | undefined, attemptsLeft = 5; attemptsLeft > 0; attemptsLeft -= 1) {
    const live = directory.live();
    if (current || live === undefined || live === lastProbed) break;
    await probeAndOpen(live);
    lastProbed = live;
  }
  const pollTimer = setInterval(poll, pollIntervalMs);
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

/** Logs each failure to read a generation once, although it repeats at each retry. */
const createFailureLog = (log: Logger) => {
  let lastMessage = "";
  return {
    report(error: unknown): void {
      const message = messageOf(error);
      if (message !== lastMessage) log.error({ err: error }, "a generation cannot be read");
      lastMessage = message;
    },
    reset(): void {
      lastMessage = "";
    },
  };
};

/** Milliseconds. An unreadable generation is probed again after this time, unless it is replaced. */
const retryMs = 5_000;

interface UnreadableGeneration {
  readonly generation: string;
  /** Start of the probe or time of the failure, on a monotonic clock, in milliseconds. */
  readonly at: number;
}

/** Next step of a follower of the live link. `probe`: the generation is opened only after a probe. */
type Step =
  | { readonly kind: "keep" }
  | { readonly kind: "close" }
  | { readonly kind: "open" | "probe"; readonly generation: string };

/**
 * Decides the next step. Pure.
 * @param current generation that answers; undefined when none does
 * @param live generation that the link names; undefined when no generation is live
 * @param now monotonic clock, in milliseconds
 */
export const chooseStep = (
  current: string | undefined,
  unreadable: UnreadableGeneration | undefined,
  live: string | undefined,
  now: number,
): Step => {
  if (live === current) return { kind: "keep" };
  if (live === undefined) return { kind: "close" };
  if (live === unreadable?.generation) {
    const isDue = now > unreadable.at + retryMs;
    return isDue ? { kind: "probe", generation: live } : { kind: "keep" };
  }
  // The predecessor of a damaged generation may be damaged too, so it is probed first.
  const isSuspect = unreadable !== undefined && current === undefined;
  return { kind: isSuspect ? "probe" : "open", generation: live };
};
