import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../../src/log.ts";
import type { ProjectorContext } from "../../../src/projector/context.ts";
import { runGuarded, runWhileIntact } from "../../../src/projector/integrity/integrity-guard.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { flagForCheck } from "../../../src/read-model/store/damage-flag.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { changesDuring, changesOf } from "../../helpers/name-changes.ts";

const test = suite("integrity guard");

test("work stops with a reason when the generations can no longer be checked", async () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  const { signal } = new AbortController();
  const ends: AbortSignal[] = [];
  const working = runWhileIntact(
    { directory, logger: createLogger("silent", "test"), signal },
    (ended) => {
      ends.push(ended);
      const generations = join(directory.path, "generations");
      rmSync(generations, { recursive: true });
      writeFileSync(generations, "");
      return new Promise((end) => ended.addEventListener("abort", () => end()));
    },
  );
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

test("the flag for a full read after a power cut is durable before anything is written", async () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  const generation = directory.create();
  assert.equal(
    changesOf(() => flagForCheck(generation, "a record is damaged")),
    ["sync suspect", `sync ${basename(generation)}`],
  );
  const ended = new AbortController();
  ended.abort();
  const context = { directory, log: createLogger("silent", "test"), signal: ended.signal };
  const changes = await changesDuring(() =>
    runGuarded(context as Partial<ProjectorContext> as ProjectorContext),
  );
  assert.equal(changes, ["sync unclean", "sync data", "remove unclean"]);
  home.remove();
});

test.run();
