import type { Moves } from "../src/read-model/schema/rows.ts";

/** Where entities are listed: a product by the shop and by its categories, a category by its parent. */

/** The place that lists every visible product. */
export const shopPlace = 0;

/** The place that lists every category without a parent. */
export const rootPlace = 0;

/** Places left that are remembered: a page that lost an entry must not seem older than before. */
const maxLeft = 32;

/**
 * The moves after an event.
 * @param was places that listed the entity before the event, `is` those that list it after
 * @param time of the event; where a place is left, not before the entity's last change there
 */
export const moved = (
  moves: Moves,
  was: readonly number[],
  is: readonly number[],
  time: { readonly joined: number; readonly left: number },
): Moves => {
  const [before, after] = [new Set(was), new Set(is)];
  const times = new Map(moves);
  const raise = (place: number, to: number): unknown =>
    times.set(place, Math.max(to, times.get(place) ?? 0));
  for (const place of before) if (!after.has(place)) raise(place, time.left);
  for (const place of after) if (!before.has(place)) raise(place, time.joined);
  const left = [...times].filter(([place]) => !after.has(place));
  left.sort(([a, at], [b, bt]) => bt - at || a - b);
  for (const [place] of left.slice(maxLeft)) times.delete(place);
  return [...times].sort(([a], [b]) => a - b);
};

/** The newest of them; 0 where there is none. */
export const lastMove = (moves: Moves): number =>
  moves.reduce((newest, [, time]) => Math.max(newest, time), 0);
