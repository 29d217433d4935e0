import { rowsOfModel } from "../../read-model/operator/model-rows.ts";
import type { OperatorState } from "../../read-model/operator/state.ts";
import type { Tables } from "../../read-model/store/store.ts";
import { write } from "./replay.ts";

/**
 * Adds all that a generation knows to the operator state, before that generation answers: it may be lost at any moment
 * from then on.
 * @throws `not_writable` when the state cannot be written
 */
export const addRowsOfModel = (operator: OperatorState, stored: Tables): void =>
  write({ store: operator }, () => operator.add([...rowsOfModel(stored)]));
