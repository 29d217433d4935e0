import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import { prepareOperatorState } from "../read-model/operator/create.ts";
import { operatorStateMustBeSound } from "../read-model/operator/integrity.ts";
import {
  type OperatorReader,
  type OperatorState,
  openOperatorReader,
} from "../read-model/operator/state.ts";

/**
 * Probes the operator state of a data directory in a process of its own, then reads it.
 * @throws `operator_state_damaged`
 */
export const withOperatorReader = async <T>(
  dataDir: string,
  read: (operator: OperatorReader) => T | Promise<T>,
): Promise<T> => {
  await operatorStateMustBeSound(dataDir);
  return withProbedOperatorReader(dataDir, read);
};

/**
 * Reads the operator state of a data directory, which is open for as long as that takes: where it was probed before, or
 * where a damaged file may end this process.
 * @throws `operator_state_damaged` for what is seen to be damaged
 */
export const withProbedOperatorReader = async <T>(
  dataDir: string,
  read: (operator: OperatorReader) => T | Promise<T>,
): Promise<T> => {
  const operator = openOperatorReader(dataDir);
  try {
    return await read(operator);
  } finally {
    await operator.close();
  }
};

/** Changes the operator state of a data directory, for the holder of its lock. */
export const withOperatorState = async <T>(
  directory: DataDirectory,
  onLoss: (message: string) => void,
  work: (operator: OperatorState) => T | Promise<T>,
): Promise<T> => {
  const operator = await prepareOperatorState(directory, onLoss);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
};
