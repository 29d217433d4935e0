import { ownProgram } from "../../package-info.ts";
import { type Found, lookFromOutside } from "../../platform/child-probe.ts";
import { damagedOperatorState, hasOperatorState, operatorDirectory } from "./directory.ts";
import { type OperatorTables, openOperatorTables } from "./tables.ts";

/**
 * Makes sure that the operator state of a data directory can be read, if it has one.
 * @throws `operator_state_damaged` when it is damaged
 */
export const operatorStateMustBeSound = async (
  dataDir: string,
  signal?: AbortSignal,
): Promise<void> => {
  if (!hasOperatorState(dataDir)) return;
  const directory = operatorDirectory(dataDir);
  const reason = await probeOperatorState(directory, signal);
  if (reason !== undefined) throw damagedOperatorState(directory, reason);
};

/**
 * Reads every row in a process of its own, because a damaged file may end that process.
 * @returns what is wrong; undefined when nothing is
 */
export const probeOperatorState = async (
  directory: string,
  signal?: AbortSignal,
): Promise<Found> => {
  const program = ownProgram("read-model/operator/integrity-process");
  const found = await lookFromOutside(program, [directory], signal);
  return found?.replace(damagedOperatorState(directory, "").message, "");
};

/** Reads every row. @throws what is wrong */
export const readOperatorStateThrough = async (directory: string): Promise<void> => {
  const tables = openOperatorTables(directory, true);
  try {
    readAll(directory, "revocations", tables.revocations);
    readAll(directory, "discards", tables.discards);
  } finally {
    await tables.close();
  }
};

/** A page that says it holds fewer rows than it does hides the others. */
const readAll = (
  directory: string,
  name: string,
  table: OperatorTables["revocations"] | OperatorTables["discards"],
): void => {
  const [rows, expected] = [[...table.entries()].length, table.count()];
  if (rows === expected) return;
  throw damagedOperatorState(
    directory,
    `${rows} of the ${expected} rows of the table "${name}" can be reached`,
  );
};
