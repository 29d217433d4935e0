import { closeAfter } from "../platform/async.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import { prepareOperatorState } from "../read-model/operator/create.ts";
import { assertOperatorStateIntact } from "../read-model/operator/integrity.ts";
import {
  type OperatorReader,
  type OperatorState,
  openOperatorReader,
} from "../read-model/operator/state.ts";

/**
 * Probes the operator state in a child process, then reads it.
 * @throws `operator_state_damaged`
 */
export const withOperatorReader = async <T>(
  dataDir: string,
  read: (operator: OperatorReader) => T | Promise<T>,
): Promise<T> => {
  await assertOperatorStateIntact(dataDir);
  return withProbedOperatorReader(dataDir, read);
};

/**
 * Opens the operator state, reads it and closes it.
 * Use it after a probe, or in a process that a damaged file may end.
 * @throws `operator_state_damaged` when the read reports damage
 */
export const withProbedOperatorReader = async <T>(
  dataDir: string,
  read: (operator: OperatorReader) => T | Promise<T>,
): Promise<T> => closeAfter(openOperatorReader(dataDir), read);

/** Opens the operator state, changes it and closes it. The caller holds the directory's lock. */
export const withOperatorState = async <T>(
  directory: DataDirectory,
  onLoss: (message: string) => void,
  work: (operator: OperatorState) => T | Promise<T>,
): Promise<T> => closeAfter(await prepareOperatorState(directory, onLoss), work);
