import type { RevocationFloor } from "../schema/rows.ts";
import { legacyTables, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { type OperatorReader, stricterOf } from "./state.ts";

/**
 * Reads the strictest revocation of a label from the model and the operator state. The operator state outlives the log, so
 * that tokens stay revoked after a shop starts a new log.
 * @returns undefined for an unknown label
 */
export const readRevocationFloor = (
  stored: ReadTables,
  operator: Pick<OperatorReader, "revocation">,
  label: string,
): RevocationFloor | undefined =>
  [
    stored.get(tables.agents, label)?.content ?? undefined,
    operator.revocation(label),
    // In a directory of an earlier version, readers serve agents shortly before the operator state is created.
    stored.get(legacyTables.withdrawn, label),
  ].reduce((one, other) => (one && other ? stricterOf(one, other) : (one ?? other)));
