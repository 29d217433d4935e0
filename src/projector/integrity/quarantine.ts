import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Logger } from "../../log.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { type ModelProbeDepth, probeGeneration } from "../../read-model/integrity/probe.ts";
import { clearFlag, type Flag, readFlag } from "../../read-model/store/damage-flag.ts";
import { openStore, readCheckpoint } from "../../read-model/store/store.ts";

export interface GuardContext {
  readonly directory: DataDirectory;
  readonly logger: Logger;
  /** Aborts a check; nothing is quarantined then. */
  readonly signal?: AbortSignal;
}

/** Quarantines damaged generations until the one that the projector continues from is intact, or none remains. */
export const quarantineDamaged = async (context: GuardContext): Promise<void> => {
  const { directory, signal } = context;
  for (;;) {
    const generation = directory.resumable();
    if (generation === undefined || isUnwritten(directory, generation)) return;
    const reason = await findReason(generation, signal);
    if (reason === undefined || signal?.aborted) return;
    quarantine(context, generation, reason);
  }
};

/** Checks whether the projector ended after it created the generation's directory, and before it wrote to it. */
const isUnwritten = (directory: DataDirectory, generation: string): boolean =>
  directory.live() !== generation && !existsSync(join(generation, "data.mdb"));

/** @returns undefined when the generation need not be quarantined */
const findReason = async (
  generation: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  const flag = readFlag(generation);
  // Damage that killed a process may kill the next one, so the file is read fully before the work starts.
  const hasCrashed = flag?.kind === "reader-crash" || flag?.kind === "writer-crash";
  const damage = await findDamage(generation, hasCrashed ? "whole" : "quick", signal);
  if (damage !== undefined || !hasCrashed || signal?.aborted) return damage;
  return crashedTwiceAtCheckpoint(generation, flag);
};

/**
 * Checks a generation for damage. A generation that is flagged as corrupt is not read again.
 * @returns undefined when the generation is intact
 */
export const findDamage = async (
  generation: string,
  depth: ModelProbeDepth,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  const flag = readFlag(generation);
  return flag?.kind === "corrupt" ? flag.reason : probeGeneration(generation, depth, signal);
};

/** Maximum time between two crashes that are counted as the same fault. */
const maxCrashGapMs = 3_600_000;

/**
 * Detects damaged free pages, which are invisible to readers and crash the writer. The file counts as damaged when the projector
 * crashed twice at the same checkpoint although a full read found nothing.
 * @returns undefined after a first crash
 */
const crashedTwiceAtCheckpoint = async (
  generation: string,
  { kind }: Flag,
): Promise<string | undefined> => {
  const sequence = String(await readSequence(generation));
  clearFlag(generation);
  if (kind !== "writer-crash") return undefined;
  const file = join(generation, "survived");
  if (readRecentCrash(file) === sequence)
    return `the projector crashed twice while it used the generation, behind event ${sequence}`;
  writeFileSync(file, sequence);
  return undefined;
};

/** Reads the checkpoint at which the projector crashed last. @returns undefined when that was long ago */
const readRecentCrash = (file: string): string | undefined => {
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < maxCrashGapMs ? readFileSync(file, "utf8") : undefined;
};

const readSequence = async (generation: string): Promise<number> => {
  const store = openStore(generation, { readOnly: true });
  try {
    return readCheckpoint(store)?.sequence ?? 0;
  } finally {
    await store.close();
  }
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
    ? "it stays as it is, and is not rebuilt"
    : `it is rebuilt from the event log, and ${answers}`;
  logger.error(
    { generation: basename(generation), path },
    `a generation is damaged and was set aside: ${reason}; ${outlook}`,
  );
};
