import { rowsOfModel } from "../../read-model/operator/model-rows.ts";
import type { OperatorState } from "../../read-model/operator/state.ts";
import type { Tables } from "../../read-model/store/store.ts";
import { write } from "./replay.ts";

/**
 * Copies the revocations and discards of a generation to the operator state. Call it before the promotion of that generation,
 * because a live generation may be damaged and lost at any time.
 * @throws `not_writable` when the state cannot be written
 */
export const addRowsOfModel = (operator: OperatorState, stored: Tables): void =>
  write({ store: operator }, () => operator.add([...rowsOfModel(stored)]));
