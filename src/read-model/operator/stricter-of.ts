import type { RevocationFloor } from "../schema/rows.ts";

/** Returns the floor that revokes more tokens; the first of two equal ones. */
export const stricterOf = <T extends RevocationFloor>(one: T, other: T): T => {
  if (one.generation !== other.generation) return one.generation > other.generation ? one : other;
  return other.revoked && !one.revoked ? other : one;
};
