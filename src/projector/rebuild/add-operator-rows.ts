import { readModelRows } from "../../read-model/operator/model-rows.ts";
import type { OperatorState } from "../../read-model/operator/state.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import { mapWriteError } from "./replay.ts";

/**
 * Copies the revocations and discards of a generation to the operator state. Call it before the promotion of that generation,
 * because a live generation may be damaged and lost at any time.
 * @throws `not_writable` when the state cannot be written
 */
export const addOperatorRows = (operator: OperatorState, stored: ReadTables): void =>
  mapWriteError({ store: operator }, () => operator.add([...readModelRows(stored)]));
