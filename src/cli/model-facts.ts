import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../errors.ts";
import type { Checkpoint } from "../read-model/checkpoint.ts";
import { type DataDirectory, openDataDirectory } from "../read-model/generation.ts";
import { probe } from "../read-model/probe.ts";
import { openStore, type Store } from "../read-model/store.ts";
import { type CounterName, tables } from "../read-model/tables.ts";

/** What the files say of the live generation. */
export interface ModelFacts {
  readonly generation: string;
  /** Bytes on disk. */
  readonly bytes: number;
  /** The generation before it, kept for going back. */
  readonly previous: string | null;
  readonly checkpoint: Checkpoint | undefined;
  readonly counts: {
    readonly products: number;
    readonly inStock: number;
    readonly categories: number;
    readonly orphans: number;
    readonly deadLetters: number;
  };
}

/**
 * A data directory to look at: nothing is made.
 * @returns undefined for one that is absent or empty
 * @throws VitrineError `data_dir` when it is something else
 */
export const lookAtDirectory = (path: string): DataDirectory | undefined => {
  try {
    if (readdirSync(path).length === 0) return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  }
  return openDataDirectory(path);
};

/**
 * Reads the live generation beside its writer; undefined when there is none yet.
 * @throws VitrineError `data_dir` when it is damaged
 */
export const readModelFacts = async (directory: DataDirectory): Promise<ModelFacts | undefined> => {
  const live = directory.live();
  if (live === undefined) return undefined;
  const damage = await probe(live, "quick");
  if (damage !== undefined) {
    throw new VitrineError(
      "data_dir",
      `the read model in ${live} is damaged: ${damage}`,
      "start vitrine serve: it sets it aside and makes a new one from the event log",
    );
  }
  const previous = directory.previous();
  const store = openStore(live, { readOnly: true });
  try {
    return {
      generation: basename(live),
      bytes: statSync(join(live, "data.mdb")).size,
      previous: previous === undefined ? null : basename(previous),
      checkpoint: store.get(tables.meta, "checkpoint"),
      counts: countsOf(store),
    };
  } finally {
    await store.close();
  }
};

const countsOf = (store: Store): ModelFacts["counts"] => {
  const count = (name: CounterName): number => store.get(tables.counters, name) ?? 0;
  return {
    products: count("products"),
    inStock: count("inStock"),
    categories: store.get(tables.categoryOrder, "order")?.length ?? 0,
    orphans: count("orphans"),
    deadLetters: count("deadLetters"),
  };
};
