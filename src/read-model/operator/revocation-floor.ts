import { legacyTables, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import type { OperatorReader } from "./state.ts";

/** The revoked tokens of a label: those of a lower generation and, when `revoked` is true, those of this generation. */
export interface RevocationFloor {
  readonly generation: number;
  readonly revoked: boolean;
}

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

/** Returns the floor that revokes more tokens; the first of two equal ones. */
export const stricterOf = <T extends RevocationFloor>(one: T, other: T): T => {
  if (one.generation !== other.generation) return one.generation > other.generation ? one : other;
  return other.revoked && !one.revoked ? other : one;
};
