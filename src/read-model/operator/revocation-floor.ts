import { formerTables, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import type { OperatorReader } from "./state.ts";

/** Which tokens of a label are dead: those of a lower generation, and all of this one when revoked. */
export interface Withdrawn {
  readonly generation: number;
  readonly revoked: boolean;
}

/**
 * What is withdrawn of a label, by the log of this model or by one that it followed before: a dead token stays dead when
 * a shop begins its log anew, which tells nothing of tokens.
 */
export const withdrawnOf = (
  stored: Tables,
  operator: Pick<OperatorReader, "revocation">,
  label: string,
): Withdrawn | undefined =>
  [
    stored.get(tables.agents, label)?.content ?? undefined,
    operator.revocation(label),
    // The operator state of an earlier version's directory is made some moments after agents are answered from it.
    stored.get(formerTables.withdrawn, label),
  ].reduce((one, other) => (one && other ? stricter(one, other) : (one ?? other)));

/** The one that lets fewer tokens live; the first of equal ones. */
export const stricter = <T extends Withdrawn>(one: T, other: T): T => {
  if (one.generation !== other.generation) return one.generation > other.generation ? one : other;
  return other.revoked && !one.revoked ? other : one;
};
