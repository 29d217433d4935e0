import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { built } from "../built.ts";
import { generated, queriesFor } from "./corpus.ts";

/**
 * Searches a model again and again as one HTTP process does, and tells its memory. Argument: directory of a generation.
 * What counts is anonymous memory (RssAnon): the pages of LMDB's file are the system's, and one copy serves all.
 */

const { openReader } = await built<typeof import("../../../src/read-model/reader/open-reader.ts")>(
  "read-model/reader/open-reader",
);
const { openStore } =
  await built<typeof import("../../../src/read-model/store/store.ts")>("read-model/store/store");

const store = openStore(process.argv[2] as string, { readOnly: true });
const reader = openReader(store);
const queries = queriesFor(generated(10_000), 300);

const megabytes = (): number => {
  // What one collection finds is freed by another thread, which the next one waits for.
  globalThis.gc?.();
  globalThis.gc?.();
  const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(anonymous) / 1024;
};

let most = 0;
for (let round = 0; round < 5; round += 1) {
  for (const [at, query] of queries.entries()) {
    reader.snapshot((moment) =>
      moment.listing({ query, relax: true, sort: "relevance", limit: 20, offset: 0 }),
    );
    // A request each: what one let go of is freed when its turn is over.
    await nextTurn();
    if (at % 100 === 99) most = Math.max(most, megabytes());
  }
}
const { heapUsed } = process.memoryUsage();
process.send?.({ most, heap: heapUsed / 2 ** 20 });
await store.close();
