import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { fsyncPath } from "../../platform/durable-fs.ts";
import type { DataDirectory } from "../generations/data-directory.ts";
import { collectOperatorRows } from "./collect-rows.ts";
import { hasOperatorState, operatorDirectory } from "./directory.ts";
import { assertOperatorStateIntact } from "./integrity.ts";
import type { OperatorRow } from "./rows.ts";
import { addRows, type OperatorState, openOperatorState } from "./state.ts";
import { createOperatorTables } from "./tables.ts";

/**
 * Opens the operator state of a data directory for writing. Only for the holder of the directory's lock. A missing state is
 * created from the rows in the generations, where earlier versions stored it.
 * @param onLoss called with a message for each generation that could not be read completely
 * @throws `operator_state_damaged` when it is damaged; `not_writable` when it cannot be created or opened
 */
export const prepareOperatorState = async (
  directory: DataDirectory,
  onLoss: (message: string) => void,
): Promise<OperatorState> => {
  const { path } = directory;
  if (hasOperatorState(path)) await assertOperatorStateIntact(path);
  else
    await createAtomically(path, async (scratch) =>
      collectOperatorRows(directory, scratch, onLoss),
    );
  return openOperatorState(path);
};

export const createOperatorState = (dataDir: string, rows: readonly OperatorRow[]): Promise<void> =>
  createAtomically(dataDir, async () => rows);

/** Creates the directory under a temporary name and renames it when durable, so that a crash leaves no partial state. */
const createAtomically = async (
  dataDir: string,
  readRows: (scratch: string) => Promise<readonly OperatorRow[]>,
): Promise<void> => {
  const scratch = join(dataDir, `.operator.${process.pid}.new`);
  try {
    sweep(dataDir);
    mkdirSync(scratch);
    await writeRows(scratch, await readRows(scratch));
    renameSync(scratch, operatorDirectory(dataDir));
    fsyncPath(dataDir);
  } catch (cause) {
    rmSync(scratch, { recursive: true, force: true });
    if (cause instanceof VitrineError) throw cause;
    throw new VitrineError(
      "not_writable",
      `cannot make the operator state of ${dataDir}: ${messageOf(cause)}`,
      "give this user the right to write there and room on the disk",
      cause,
    );
  }
};

const writeRows = async (directory: string, rows: readonly OperatorRow[]): Promise<void> => {
  const tables = createOperatorTables(directory);
  try {
    tables.write(() => addRows(tables, rows));
  } finally {
    await tables.close();
  }
  fsyncPath(join(directory, "data.mdb"));
  fsyncPath(directory);
};

/** Removes temporary directories of killed processes. */
const sweep = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    if (/^\.operator\.\d+\.new$/.test(name)) {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    }
  }
};
