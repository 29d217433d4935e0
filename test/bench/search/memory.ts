import { readFileSync } from "node:fs";
import { setImmediate as nextTick } from "node:timers/promises";
import { importBuilt } from "../import-built.ts";
import { drawQueries, generateProducts } from "./corpus.ts";

/**
 * A process that searches a model repeatedly and reports its memory. Argument: directory of a generation.
 * Only anonymous memory (RssAnon) is counted, because all processes share one copy of the pages of LMDB's file.
 */

const { openReader } = await importBuilt<
  typeof import("../../../src/read-model/reader/open-reader.ts")
>("read-model/reader/open-reader");
const { openStore } =
  await importBuilt<typeof import("../../../src/read-model/store/store.ts")>(
    "read-model/store/store",
  );

const store = openStore(process.argv[2] as string, { readOnly: true });
const reader = openReader(store);
const queries = drawQueries(generateProducts(10_000), 300);

const megabytes = (): number => {
  // The first collection frees memory on another thread. The second waits for that thread.
  globalThis.gc?.();
  globalThis.gc?.();
  const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(anonymous) / 1024;
};

let maxMegabytes = 0;
for (let round = 0; round < 5; round += 1) {
  for (const [index, query] of queries.entries()) {
    reader.snapshot((snapshot) =>
      snapshot.listing({ query, relax: true, sort: "relevance", limit: 20, offset: 0 }),
    );
    // Each search runs in a tick of its own, as a request does, so that its memory can be freed.
    await nextTick();
    if (index % 100 === 99) maxMegabytes = Math.max(maxMegabytes, megabytes());
  }
}
const { heapUsed } = process.memoryUsage();
process.send?.({ maxMegabytes, heap: heapUsed / 2 ** 20 });
await store.close();
