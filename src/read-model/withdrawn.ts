import type { Tables, WritableTables } from "./store.ts";
import { tables } from "./tables.ts";

/** Which tokens of a label are dead: those of a lower generation, and all of this one when revoked. */
export interface Withdrawn {
  readonly generation: number;
  readonly revoked: boolean;
}

/**
 * What is withdrawn of a label, by the log of this model or by one that it followed before: a dead token stays dead when
 * a shop begins its log anew, which tells nothing of tokens.
 */
export const withdrawnOf = (stored: Tables, label: string): Withdrawn | undefined => {
  const now = stored.get(tables.agents, label)?.content ?? undefined;
  const before = stored.get(tables.withdrawn, label);
  return now && before ? stricter(now, before) : (now ?? before);
};

/** Keeps for another generation what was withdrawn before, where its own log says less. */
export const carryWithdrawn = (from: Tables, to: WritableTables): void => {
  for (const label of new Set([...from.keys(tables.withdrawn), ...from.keys(tables.agents)])) {
    const before = withdrawnOf(from, label);
    const now = withdrawnOf(to, label) ?? { generation: 0, revoked: false };
    if (before && stricter(now, before) !== now) to.put(tables.withdrawn, label, before);
  }
};

/** The one that lets fewer tokens live; the first of equal ones. */
export const stricter = <T extends Withdrawn>(one: T, other: T): T => {
  if (one.generation !== other.generation) return one.generation > other.generation ? one : other;
  return other.revoked && !one.revoked ? other : one;
};
