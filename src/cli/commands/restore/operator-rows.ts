import { mapWriteError } from "../../../projector/rebuild/replay.ts";
import { removeLockFile } from "../../../read-model/generations/backup.ts";
import { readModelRows } from "../../../read-model/operator/model-rows.ts";
import {
  emptyOperatorState,
  type OperatorState,
  openOperatorCopy,
} from "../../../read-model/operator/state.ts";
import { openStore } from "../../../read-model/store/store.ts";
import type { StagedBackup } from "./stage-backup.ts";

/**
 * Adds the operator rows of a backup: those of its operator state and those of its model.
 * In a backup of an earlier version the model holds all of them. Nothing is removed, so that a token revoked since
 * stays revoked.
 */
export const addBackupRows = async (
  { model, operator: copyDirectory }: StagedBackup,
  operator: OperatorState,
): Promise<void> => {
  const store = openStore(model, { readOnly: true });
  const copy = copyDirectory === undefined ? emptyOperatorState : openOperatorCopy(copyDirectory);
  try {
    mapWriteError({ store: operator }, () =>
      operator.add([...copy.rows(), ...readModelRows(store)]),
    );
  } finally {
    await copy.close();
    await store.close();
    removeLockFile(model);
  }
};
