import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectOperatorRows } from "../../../read-model/operator/collect-rows.ts";
import { hasOperatorState } from "../../../read-model/operator/directory.ts";
import type { OperatorRow } from "../../../read-model/operator/rows.ts";
import { openExistingDirectory } from "../../model-directory.ts";
import { withOperatorReader } from "../../operator-state.ts";
import { printError } from "../../terminal/output.ts";

/**
 * Reads the operator rows of a shop's data directory, and writes nothing there.
 * An earlier version kept them in the generations; they are then read from these.
 * @throws `operator_state_damaged`; `not_writable` when a generation cannot be read
 */
export const readShopOperatorRows = async (dataDir: string): Promise<readonly OperatorRow[]> => {
  if (hasOperatorState(dataDir)) return withOperatorReader(dataDir, (operator) => operator.rows());
  const directory = openExistingDirectory(dataDir);
  if (!directory) return [];
  const scratch = mkdtempSync(join(tmpdir(), "vitrine-"));
  try {
    return await collectOperatorRows(directory, scratch, printError);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
