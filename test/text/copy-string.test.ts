import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createResponseCache } from "../../src/http/cache/response-cache.ts";
import type { Reader } from "../../src/read-model/reader/reader.ts";
import { copyString } from "../../src/text/copy-string.ts";

const test = suite("copied strings");

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;

/** Memory in use after a garbage collection, in MB. V8 frees buffers in the background, and the next collection waits for that. */
const used = (): number => {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
};

const large = (at: number): string => Buffer.alloc(400_000, `text ${at} `).toString("latin1");

test("a copied part does not hold the large text", () => {
  const kept: string[] = [];
  const before = used();
  for (let at = 0; at < 200; at += 1) kept.push(copyString(large(at).slice(20, 60)));
  const grown = used() - before;
  assert.ok(grown < 10, `${grown} MB`);
  assert.is(kept.length, 200);
  assert.is(copyString("a\ud800 Ü 日本 😀"), "a\ud800 Ü 日本 😀");
});

test("a cached response does not hold the rows it was joined from", () => {
  const answers = createResponseCache();
  const reader = {} as Reader;
  const footprint = { isCurrent: () => true, position: undefined };
  const before = used();
  for (let at = 0; at < 200; at += 1) {
    // The first time only the key is remembered.
    for (const _ of ["once", "again"]) {
      const body = `{"data":"${large(at).slice(20, 120)}${large(at + 1).slice(20, 120)}"}`;
      const reply = { status: 200, body, validity: { reader, readSet: footprint } };
      answers.offer(`GET /${at}`, { reply, route: "page" });
    }
  }
  const grown = used() - before;
  assert.ok(grown < 10, `${grown} MB`);
  assert.ok(answers.current("GET /7", reader));
});

test.run();
