import type { Asked, Changes } from "./change-log.ts";
import type { Footprint } from "./reader.ts";

/**
 * Looks further only when a commit changed something.
 * @param newest moves on to the newest commit, and tells which that is
 */
export const footprintOf = (
  newest: () => number | undefined,
  changes: Changes,
  asked: Asked,
  head: number,
): Footprint => {
  let since = head;
  return {
    isCurrent() {
      const now = newest();
      if (now === undefined || !changes.unchanged(asked, since)) return false;
      since = now;
      return true;
    },
  };
};

/** What only a change of anything but products can change is made once until then. */
export const whileRestStays = <T>(changes: Changes, make: () => T) =>
  whileStays(() => changes.rest(), make);

/** The same of what changes, besides, with which products there are and where they are found. */
export const whileListStays = <T>(changes: Changes, make: () => T) =>
  whileStays(() => Math.max(changes.rest(), changes.listed()), make);

/** @param changed the head at which it last changed */
const whileStays = <T>(changed: () => number, make: () => T) => {
  let made: { readonly value: T; readonly at: number } | undefined;
  return (head: number | undefined): T => {
    if (head === undefined) return make();
    if (!made || made.at < changed()) made = { value: make(), at: head };
    return made.value;
  };
};
