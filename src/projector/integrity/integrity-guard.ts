import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../log.ts";
import { syncPath } from "../../platform/durable-fs.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import {
  certain,
  clearSuspicion,
  deadly,
  suspect,
  suspicionOf,
} from "../../read-model/integrity/flag.ts";
import { type Depth, probe } from "../../read-model/integrity/probe.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { openStore } from "../../read-model/store/store.ts";
import type { ProjectorWorld } from "../context.ts";
import { runProjector } from "../run.ts";

/** How often it is looked whether a generation is suspected, in milliseconds. */
const lookEvery = 1_000;

/**
 * Runs the projector on generations that can be read (contract section 2, a damaged model). One that is damaged is
 * set aside: the projector goes on from the one before it, or from the beginning of the log. A generation that
 * somebody suspects, or that was being written when its projector died, is read through meanwhile.
 */
export const runOnSound = async (world: ProjectorWorld): Promise<void> => {
  const { directory } = world;
  const running = join(directory.path, "unclean");
  const current = directory.current();
  if (existsSync(running) && current) suspect(current, "its projector ended without closing it");
  writeFileSync(running, "", { flush: true });
  // A power cut must not take the name: the next start would read no generation through.
  syncPath(directory.path);
  await onSound(world, (ended) => runProjector({ ...world, signal: ended }));
  rmSync(running, { force: true });
};

/**
 * Does something on generations that can be read until the signal ends it, and anew whenever one was set aside.
 * @param work ends with its signal
 */
export const onSound = async (
  world: Sounding & { readonly signal: AbortSignal },
  work: (ended: AbortSignal) => Promise<void>,
): Promise<void> => {
  const { signal } = world;
  while (!signal.aborted) {
    // Also at the start, where it was done before the log was opened: that may have been long ago.
    await setDamagedAside(world);
    const ended = new AbortController();
    const end = (): void => ended.abort();
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    const watching = endWhenDamaged(world, ended);
    // It is awaited when the work has ended, which it ends where it cannot go on.
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

/** The same until it comes to something, which is returned; undefined when the signal came first. */
export const onSoundUntil = async <T>(
  world: Sounding & { readonly signal: AbortSignal },
  work: (ended: AbortSignal) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const done = new AbortController();
  const signal = AbortSignal.any([world.signal, done.signal]);
  const { directory, log } = world;
  let result: T | undefined;
  await onSound({ directory, log, signal }, async (ended) => {
    result = await work(ended);
    if (result !== undefined) done.abort();
  });
  return result;
};

export interface Sounding {
  readonly directory: DataDirectory;
  readonly log: Logger;
  /** Ends a reading; nothing is set aside then. */
  readonly signal?: AbortSignal;
}

/** Sets aside the generations the projector would go on from, until one can be read, or none is left. */
export const setDamagedAside = async ({ directory, log, signal }: Sounding): Promise<void> => {
  for (;;) {
    const generation = directory.current();
    if (generation === undefined || isUnwritten(directory, generation)) return;
    // What killed a process may do so again before it was read through beside the work.
    const isDeadly = suspicionOf(generation)?.includes(deadly) === true;
    const found = await damageOf(generation, isDeadly ? "whole" : "quick", signal);
    if (signal?.aborted) return;
    const reason = found ?? (isDeadly ? await diedAgain(generation) : undefined);
    if (reason === undefined) return;
    setAside({ directory, log }, generation, reason);
  }
};

/** Milliseconds: two deaths further apart have little to do with each other. */
const remembered = 3_600_000;

/**
 * A file may be whole to whoever reads it, and its free pages end whoever writes: the second time that the projector dies
 * at one event, with the file read through in between, it is that.
 */
const diedAgain = async (generation: string): Promise<string | undefined> => {
  const why = suspicionOf(generation) ?? "";
  const note = join(generation, "survived");
  const at = String(await checkpointIn(generation));
  const isFresh =
    Date.now() - (statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? 0) < remembered;
  const before = isFresh ? readFileSync(note, "utf8") : undefined;
  clearSuspicion(generation);
  if (!/^projector .*SIG(SEGV|BUS|FPE|ILL|ABRT|TRAP)/.test(why)) return undefined;
  if (before === at) return `the projector died of it twice behind event ${at}`;
  writeFileSync(note, at);
  return undefined;
};

const checkpointIn = async (generation: string): Promise<number> => {
  const store = openStore(generation, { readOnly: true });
  try {
    return store.get(tables.meta, "checkpoint")?.sequence ?? 0;
  } finally {
    await store.close();
  }
};

/** A directory that was made, and nothing more, when its projector ended. */
const isUnwritten = (directory: DataDirectory, generation: string): boolean =>
  directory.live() !== generation && !existsSync(join(generation, "data.mdb"));

/** What a whole reading found is found: it is not read a second time. */
const damageOf = async (
  generation: string,
  depth: Depth,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  const said = suspicionOf(generation);
  return said?.startsWith(certain) ? said.slice(certain.length) : probe(generation, depth, signal);
};

const setAside = ({ directory, log }: Sounding, generation: string, reason: string): void => {
  const place = directory.quarantine(generation);
  const next = directory.live();
  const answers = next ? `generation ${basename(next)} answers` : "nothing answers until it is";
  log.error(
    { generation: basename(generation), place },
    `a generation is damaged and was set aside: ${reason}; ${directory.until() ? "it stands still, and is not made anew" : `it is made anew from the event log, and ${answers}`}`,
  );
};

/** Reads a suspected generation through while it is in use, and ends that when it is damaged. */
const endWhenDamaged = async (world: Sounding, ended: AbortController): Promise<void> => {
  const { signal } = ended;
  while (!signal.aborted) {
    const current = world.directory.current();
    const why = current && suspicionOf(current);
    if (current && why !== undefined) {
      world.log.warn({ generation: basename(current), why }, "a generation is read through");
      const reason = await damageOf(current, "whole", signal);
      if (signal.aborted) return;
      if (reason !== undefined) {
        suspect(current, certain + reason);
        ended.abort();
      }
      // What somebody met while it was read is looked at anew.
      else if (suspicionOf(current) === why) clearSuspicion(current);
    }
    await delay(lookEvery, undefined, { signal }).catch(() => undefined);
  }
};
