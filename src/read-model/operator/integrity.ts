import { probeUnlessMarked } from "../../lmdb/intact-marker.ts";
import { ownProgram } from "../../package-info.ts";
import {
  type ProbeOptions,
  type ProbeResult,
  runProbeProcess,
} from "../../platform/child-probe.ts";
import { damagedOperatorState, hasOperatorState, operatorDirectory } from "./directory.ts";
import { type OperatorTables, openOperatorTables } from "./tables.ts";

/**
 * Asserts that the operator state of a data directory is readable, if one exists.
 * @throws `operator_state_damaged` when it is damaged
 */
export const assertOperatorStateIntact = async (
  dataDir: string,
  signal?: AbortSignal,
): Promise<void> => {
  if (!hasOperatorState(dataDir)) return;
  const directory = operatorDirectory(dataDir);
  const reason = await probeUnlessMarked(directory, (onIntact) =>
    probeOperatorState(directory, { signal, onIntact }),
  );
  if (reason !== undefined) throw damagedOperatorState(directory, reason);
};

/**
 * Reads every row in a child process, because a damaged file may crash it.
 * @returns a description of the damage; undefined for an intact state
 */
export const probeOperatorState = async (
  directory: string,
  options?: ProbeOptions,
): Promise<ProbeResult> => {
  const program = ownProgram("read-model/operator/integrity-process");
  const damage = await runProbeProcess(program, [directory], options);
  return damage?.replace(damagedOperatorState(directory, "").message, "");
};

/**
 * Reads every row within the child process.
 * @throws `operator_state_damaged` when a row or a table is damaged
 */
export const readOperatorStateFully = async (directory: string): Promise<void> => {
  const tables = openOperatorTables(directory, true);
  try {
    readAll(directory, "revocations", tables.revocations);
    readAll(directory, "discards", tables.discards);
  } finally {
    await tables.close();
  }
};

/** Reads a table and compares the row count with LMDB's metadata: a page with a wrong row count hides rows. */
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
