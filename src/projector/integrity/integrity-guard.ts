import { existsSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fsyncPath } from "../../platform/durable-fs.ts";
import {
  clearFlag,
  type Flag,
  flagForCheck,
  readFlag,
} from "../../read-model/store/damage-flag.ts";
import type { ProjectorContext } from "../context.ts";
import { runProjector } from "../run.ts";
import { findDamage, type GuardContext, quarantineDamaged } from "./quarantine.ts";

const flagPollIntervalMs = 1_000;

/**
 * Runs the projector on intact generations. Contract §2 (a damaged model): a damaged generation is quarantined, and the
 * projector continues from the previous one, or from the beginning of the log. A flagged generation, or one whose projector
 * died while it was open, is read fully while the projector runs.
 */
export const runGuarded = async (context: ProjectorContext): Promise<void> => {
  const { directory } = context;
  // The file exists while the projector runs, and afterwards if the projector ended without closing its generation.
  const uncleanFile = join(directory.path, "unclean");
  const current = directory.resumable();
  if (existsSync(uncleanFile) && current)
    flagForCheck(current, "its projector ended without closing it");
  writeFileSync(uncleanFile, "", { flush: true });
  // Makes the file name durable. If a power cut removed it, the next start would not check the generation.
  fsyncPath(directory.path);
  await runWhileIntact(context, (ended) => runProjector({ ...context, signal: ended }));
  rmSync(uncleanFile, { force: true });
};

/**
 * Runs `work` on an intact generation until the signal aborts, and restarts it after each quarantine.
 * @param work resolves when its signal aborts
 */
export const runWhileIntact = async (
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
export const runUntilResult = async <T>(
  context: GuardContext & { readonly signal: AbortSignal },
  work: (ended: AbortSignal) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const done = new AbortController();
  const signal = AbortSignal.any([context.signal, done.signal]);
  const { directory, logger } = context;
  let result: T | undefined;
  await runWhileIntact({ directory, logger, signal }, async (ended) => {
    result = await work(ended);
    if (result !== undefined) done.abort();
  });
  return result;
};

/** Reads a flagged generation fully while the projector uses it, and aborts the work when it is damaged. */
const watchForDamage = async (context: GuardContext, ended: AbortController): Promise<void> => {
  const { signal } = ended;
  while (!signal.aborted) {
    const current = context.directory.resumable();
    const flag = current && readFlag(current);
    if (current && flag && (await isFlagConfirmed(context, current, flag, signal))) ended.abort();
    await delay(flagPollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
};

/** Reads a flagged generation fully. The flag is cleared when the generation is intact. */
const isFlagConfirmed = async (
  { logger }: GuardContext,
  generation: string,
  flag: Flag,
  signal: AbortSignal,
): Promise<boolean> => {
  const { reason: why } = flag;
  logger.warn({ generation: basename(generation), why }, "a generation is checked completely");
  const reason = await findDamage(generation, "whole", signal);
  if (signal.aborted) return false;
  if (reason !== undefined) flagForCheck(generation, reason, "corrupt");
  // A flag that another process has written during the read causes another check.
  else if (readFlag(generation)?.reason === why) clearFlag(generation);
  return reason !== undefined;
};
