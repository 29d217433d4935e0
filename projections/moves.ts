import type { Moves } from "../src/read-model/schema/rows.ts";

/** Where entities are listed: a product by the shop and by its categories, a category by its parent. */

/** The place that lists every visible product. */
export const shopPlace = 0;

/** The place that lists every category without a parent. */
export const rootPlace = 0;

/** Places left that are remembered: a page that lost an entry must not seem older than before. */
const maxPastListings = 32;

/**
 * The moves after an event.
 * @param listedBefore places that listed the entity before the event, `is` those that list it after
 * @param time of the event; where a place is left, not before the entity's last change there
 */
export const moved = (
  moves: Moves,
  listedBefore: readonly number[],
  listedAfter: readonly number[],
  time: { readonly joinedAt: number; readonly leftAt: number },
): Moves => {
  const [previous, current] = [new Set(listedBefore), new Set(listedAfter)];
  const times = new Map(moves);
  const raise = (listing: number, to: number): unknown =>
    times.set(listing, Math.max(to, times.get(listing) ?? 0));
  for (const listing of previous) if (!current.has(listing)) raise(listing, time.leftAt);
  for (const listing of current) if (!previous.has(listing)) raise(listing, time.joinedAt);
  const past = [...times].filter(([listing]) => !current.has(listing));
  past.sort(([a, at], [b, bt]) => bt - at || a - b);
  for (const [listing] of past.slice(maxPastListings)) times.delete(listing);
  return [...times].sort(([a], [b]) => a - b);
};

/** The newest of them; 0 where there is none. */
export const lastMove = (moves: Moves): number =>
  moves.reduce((newest, [, time]) => Math.max(newest, time), 0);
