import { hashOf } from "../../../text/hash.ts";

/**
 * Long lists of products are stored as runs. Where a run begins is a matter of each id alone, so the same products
 * make the same runs however they came, and a change rewrites one run. Ids may be as sparse as the shop likes.
 */

/** Key of the run that holds whatever stands before the first id that starts one. */
export const firstRun = 0;

/** Whether an id starts a run of its own; one in `mean` does. */
export const startsRun = (id: number, mean: number): boolean => hashOf(id) % mean === 0;
