import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../src/log.ts";
import { onSound } from "../../src/projector/sound.ts";
import { openDataDirectory } from "../../src/read-model/generation.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("work on generations that can be read");

test("ends where nobody can look after them any more, and says why", async () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  const { signal } = new AbortController();
  const ends: AbortSignal[] = [];
  const working = onSound({ directory, log: createLogger("silent", "test"), signal }, (ended) => {
    ends.push(ended);
    const generations = join(directory.path, "generations");
    rmSync(generations, { recursive: true });
    writeFileSync(generations, "");
    return new Promise((end) => ended.addEventListener("abort", () => end()));
  });
  const why = await working.then(
    () => "",
    ({ code }) => code,
  );
  assert.is(why, "ENOTDIR");
  assert.equal(
    ends.map(({ aborted }) => aborted),
    [true],
  );
  home.remove();
});

test.run();
