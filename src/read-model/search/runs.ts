/**
 * Long lists of products are stored as runs. Where a run begins is a matter of each id alone, so the same products
 * make the same runs however they came, and a change rewrites one run. Ids may be as sparse as the shop likes.
 */

/** Key of the run that holds whatever stands before the first id that starts one. */
export const firstRun = 0;

/** Whether an id starts a run of its own; one in `mean` does. */
export const startsRun = (id: number, mean: number): boolean => mixed(id) % mean === 0;

/** An integer of 32 bits that looks random and follows from the id, up to 2^53, and a salt. */
export const mixed = (id: number, salt = 0): number => {
  let hash =
    (id >>> 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1) ^ Math.imul(salt, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** The same of a text. */
export const mixedText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return mixed(hash >>> 0);
};
