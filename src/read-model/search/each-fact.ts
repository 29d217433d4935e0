import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";
import { decodeFacts, type Fact } from "./facts.ts";
import type { Ids } from "./ids.ts";
import { firstRun } from "./runs.ts";

/** Visits the facts of ascending ids; those of no visible product are passed over. Each run is read once. */
export const eachFact = (
  stored: Tables,
  ids: Ids,
  visit: (fact: Fact, at: number) => void,
): void => {
  if (ids.length === 0) return;
  let run: readonly Fact[] = [];
  let [key, next] = [-1, -1];
  let inRun = 0;
  const keys = keysFrom(stored, ids[0] as number)[Symbol.iterator]();
  let ahead = keys.next();
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    while (!ahead.done && ahead.value <= id) {
      next = ahead.value;
      ahead = keys.next();
    }
    if (next !== key) {
      key = next;
      run = decodeFacts(stored.get(tables.facts, key) as Buffer);
      inRun = 0;
    }
    while (inRun < run.length && (run[inRun] as Fact).id < id) inRun += 1;
    const fact = run[inRun];
    if (fact?.id === id) visit(fact, at);
  }
};

/** The facts of every visible product. */
export const everyFact = (stored: Tables, visit: (fact: Fact) => void): void => {
  for (const [, run] of stored.entries(tables.facts))
    for (const fact of decodeFacts(run)) visit(fact);
};

/** Keys of the runs from the one that holds `id` on. */
function* keysFrom(stored: Tables, id: number): Iterable<number> {
  let start = firstRun;
  for (const key of stored.keys(tables.facts, { start: id, reverse: true, limit: 1 })) start = key;
  yield* [...stored.keys(tables.facts, { start })];
}
