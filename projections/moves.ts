import type { ListingTimes } from "../src/read-model/schema/rows.ts";

/** A listing is a page that lists entities: the shop and its categories list products, a parent lists categories. */

/** Id of the listing of all visible products. */
export const shopListing = 0;

/** Id of the listing of all categories without a parent. */
export const rootListing = 0;

/** Listings left that a row remembers. The date of a page that lost an entry must not go back. */
const maxPastListings = 32;

/**
 * Updates the moves of an entity after an event.
 * @param listedBefore listings that contained the entity before the event
 * @param listedAfter listings that contain it after the event
 * @param time `joinedAt` is the time of the event; `leftAt` is not before the entity's last change in that listing
 */
export const updateMoves = (
  moves: ListingTimes,
  listedBefore: readonly number[],
  listedAfter: readonly number[],
  time: { readonly joinedAt: number; readonly leftAt: number },
): ListingTimes => {
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

/** Returns the time of the latest move, or 0 when there is none. */
export const lastMoveTime = (moves: ListingTimes): number =>
  moves.reduce((newest, [, time]) => Math.max(newest, time), 0);
