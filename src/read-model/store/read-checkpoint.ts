import type { Checkpoint } from "../schema/checkpoint.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "./store.ts";

/**
 * Reads the checkpoint of a generation.
 * @returns undefined for a generation to which no batch was committed
 */
export const readCheckpoint = (stored: Pick<ReadTables, "get">): Checkpoint | undefined =>
  stored.get(tables.meta, "checkpoint");
