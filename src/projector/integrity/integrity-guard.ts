import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../log.ts";
import { fsyncPath } from "../../platform/durable-fs.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import {
  clearFlag,
  corruptPrefix,
  crashPhrase,
  flagForCheck,
  readFlag,
} from "../../read-model/store/damage-flag.ts";
import { type ModelProbeDepth, probeGeneration } from "../../read-model/integrity/probe.ts";
import { readCheckpoint } from "../../read-model/store/read-checkpoint.ts";
import { openStore } from "../../read-model/store/store.ts";
import type { ProjectorContext } from "../context.ts";
import { runProjector } from "../run.ts";

/** Interval between two checks for a damage flag. */
const flagPollIntervalMs = 1_000;

/**
 * Runs the projector on intact generations. Contract §2 (a damaged model): a damaged generation is quarantined, and the
 * projector continues from the previous one, or from the beginning of the log. A flagged generation, or one whose projector
 * died while it was open, is read fully while the projector runs.
 */
export const runGuarded = async (context: ProjectorContext): Promise<void> => {
  const { directory } = context;
  const running = join(directory.path, "unclean");
  const current = directory.resumable();
  if (existsSync(running) && current)
    flagForCheck(current, "its projector ended without closing it");
  writeFileSync(running, "", { flush: true });
  // Makes the file name durable. If a power cut removed it, the next start would not check the generation.
  fsyncPath(directory.path);
  await whileIntact(context, (ended) => runProjector({ ...context, signal: ended }));
  rmSync(running, { force: true });
};

/**
 * Runs `work` on an intact generation until the signal aborts, and restarts it after each quarantine.
 * @param work resolves when its signal aborts
 */
export const whileIntact = async (
  context: GuardContext & { readonly signal: AbortSignal },
  work: (ended: AbortSignal) => Promise<void>,
): Promise<void> => {
  const { signal } = context;
  while (!signal.aborted) {
    // Repeated at the start, because the caller checked before it opened the log, which may have taken long.
    await quarantineDamaged(context);
    const ended = new AbortController();
    const end = (): void => ended.abort();
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    const watching = watchForDamage(context, ended);
    // An error of the watch ends the work. It is awaited, and thrown, after the work.
    watching.catch(end);
    try {
      await work(ended.signal);
    } finally {
      end();
      signal.removeEventListener("abort", end);
      await watching;
    }
  }
};

/**
 * Runs `work` on an intact generation until it returns a result, and restarts it after each quarantine.
 * @returns undefined when the signal aborted first
 */
export const whileIntactUntil = async <T>(
  context: GuardContext & { readonly signal: AbortSignal },
  work: (ended: AbortSignal) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const done = new AbortController();
  const signal = AbortSignal.any([context.signal, done.signal]);
  const { directory, logger } = context;
  let result: T | undefined;
  await whileIntact({ directory, logger, signal }, async (ended) => {
    result = await work(ended);
    if (result !== undefined) done.abort();
  });
  return result;
};

export interface GuardContext {
  readonly directory: DataDirectory;
  readonly logger: Logger;
  /** Aborts a check; nothing is quarantined then. */
  readonly signal?: AbortSignal;
}

/** Quarantines damaged generations until the one that the projector continues from is intact, or none remains. */
export const quarantineDamaged = async ({
  directory,
  logger,
  signal,
}: GuardContext): Promise<void> => {
  for (;;) {
    const generation = directory.resumable();
    if (generation === undefined || isUnwritten(directory, generation)) return;
    // Damage that killed a process may kill the next one, so the file is read fully before the work starts.
    const hasCrashed = readFlag(generation)?.includes(crashPhrase) === true;
    const damage = await findDamage(generation, hasCrashed ? "whole" : "quick", signal);
    if (signal?.aborted) return;
    const reason = damage ?? (hasCrashed ? await crashedTwiceAtCheckpoint(generation) : undefined);
    if (reason === undefined) return;
    quarantine({ directory, logger }, generation, reason);
  }
};

/** Maximum time between two crashes that are counted as the same fault. */
const maxCrashGapMs = 3_600_000;

/**
 * Detects damaged free pages, which are invisible to readers and crash the writer. The file counts as damaged when the projector
 * crashed twice at the same checkpoint although a full read found nothing.
 * @returns undefined after a first crash
 */
const crashedTwiceAtCheckpoint = async (generation: string): Promise<string | undefined> => {
  const why = readFlag(generation) ?? "";
  const file = join(generation, "survived");
  const sequence = String(await readSequence(generation));
  const isRecent =
    Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < maxCrashGapMs;
  const previous = isRecent ? readFileSync(file, "utf8") : undefined;
  clearFlag(generation);
  if (!/^projector .*SIG(SEGV|BUS|FPE|ILL|ABRT|TRAP)/.test(why)) return undefined;
  if (previous === sequence) return `the projector died of it twice behind event ${sequence}`;
  writeFileSync(file, sequence);
  return undefined;
};

const readSequence = async (generation: string): Promise<number> => {
  const store = openStore(generation, { readOnly: true });
  try {
    return readCheckpoint(store)?.sequence ?? 0;
  } finally {
    await store.close();
  }
};

/** Checks whether the projector ended after it created the generation's directory, and before it wrote to it. */
const isUnwritten = (directory: DataDirectory, generation: string): boolean =>
  directory.live() !== generation && !existsSync(join(generation, "data.mdb"));

/**
 * Checks a generation for damage. Damage that an earlier full read has recorded in the flag is not checked again.
 * @returns undefined when the generation is intact
 */
const findDamage = async (
  generation: string,
  depth: ModelProbeDepth,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  const flag = readFlag(generation);
  return flag?.startsWith(corruptPrefix)
    ? flag.slice(corruptPrefix.length)
    : probeGeneration(generation, depth, signal);
};

const quarantine = (
  { directory, logger }: GuardContext,
  generation: string,
  reason: string,
): void => {
  const path = directory.quarantine(generation);
  const next = directory.live();
  const answers = next ? `generation ${basename(next)} answers` : "nothing answers until it is";
  const outlook = directory.frozenAt()
    ? "it stands still, and is not made anew"
    : `it is made anew from the event log, and ${answers}`;
  logger.error(
    { generation: basename(generation), place: path },
    `a generation is damaged and was set aside: ${reason}; ${outlook}`,
  );
};

/** Reads a flagged generation fully while the projector uses it, and aborts the work when it is damaged. */
const watchForDamage = async (context: GuardContext, ended: AbortController): Promise<void> => {
  const { signal } = ended;
  while (!signal.aborted) {
    const current = context.directory.resumable();
    const why = current && readFlag(current);
    if (current && why !== undefined) {
      context.logger.warn({ generation: basename(current), why }, "a generation is read through");
      const reason = await findDamage(current, "whole", signal);
      if (signal.aborted) return;
      if (reason !== undefined) {
        flagForCheck(current, corruptPrefix + reason);
        ended.abort();
      }
      // A flag that another process has written during the read causes another check.
      else if (readFlag(current) === why) clearFlag(current);
    }
    await delay(flagPollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
};
