import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { syncPath } from "../../platform/durable-fs.ts";
import type { DataDirectory } from "../generations/data-directory.ts";
import { rowsOfDirectory } from "./collect-rows.ts";
import { hasOperatorState, operatorDirectory } from "./directory.ts";
import { operatorStateMustBeSound } from "./integrity.ts";
import type { OperatorRow } from "./rows.ts";
import { addAll, type OperatorState, openOperatorState } from "./state.ts";
import { makeOperatorTables } from "./tables.ts";

/**
 * Opens the operator state of a data directory to write to it, for the holder of the directory's lock. Where there is none
 * yet it is made, of what the generations know: earlier versions kept it in them.
 * @param onLoss told of each generation that could not be read whole
 * @throws `operator_state_damaged`; `not_writable` when it cannot be made or opened
 */
export const prepareOperatorState = async (
  directory: DataDirectory,
  onLoss: (message: string) => void,
): Promise<OperatorState> => {
  const { path } = directory;
  if (hasOperatorState(path)) await operatorStateMustBeSound(path);
  else await inNewPlace(path, async (place) => rowsOfDirectory(directory, place, onLoss));
  return openOperatorState(path);
};

/** Makes the operator state of a data directory that has none. */
export const makeOperatorState = (dataDir: string, rows: readonly OperatorRow[]): Promise<void> =>
  inNewPlace(dataDir, async () => rows);

/** Gives the directory its name when all that is in it is durable. A crash leaves no part of it under that name. */
const inNewPlace = async (
  dataDir: string,
  rowsFor: (place: string) => Promise<readonly OperatorRow[]>,
): Promise<void> => {
  const place = join(dataDir, `.operator.${process.pid}.new`);
  try {
    sweep(dataDir);
    mkdirSync(place);
    await fill(place, await rowsFor(place));
    renameSync(place, operatorDirectory(dataDir));
    syncPath(dataDir);
  } catch (cause) {
    rmSync(place, { recursive: true, force: true });
    if (cause instanceof VitrineError) throw cause;
    throw new VitrineError(
      "not_writable",
      `cannot make the operator state of ${dataDir}: ${messageOf(cause)}`,
      "give this user the right to write there and room on the disk",
      cause,
    );
  }
};

const fill = async (place: string, rows: readonly OperatorRow[]): Promise<void> => {
  const tables = makeOperatorTables(place);
  try {
    tables.write(() => addAll(tables, rows));
  } finally {
    await tables.close();
  }
  syncPath(join(place, "data.mdb"));
  syncPath(place);
};

/** Removes what a process left that was killed. */
const sweep = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    if (/^\.operator\.\d+\.new$/.test(name)) {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    }
  }
};
