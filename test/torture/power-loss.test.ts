import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { applyBatch } from "../../src/projector/apply.ts";
import { createRendering } from "../../src/projector/rendering/index.ts";
import { type Digest, openStore } from "../../src/read-model/store.ts";
import { tables } from "../../src/read-model/tables.ts";
import type { Chance } from "../bench/seeded.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { type ExampleRecord, recordOf } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { again, amount, chanceOf, tellDone } from "./effort.ts";

/**
 * A power cut during a commit leaves the file as it was at the commit before, with any part of the pages of this one.
 * Without `overlappingSync` LMDB makes those durable before it writes the page that says they count, so that one is
 * never there without them.
 */
const test = suite("power loss");
const images = amount(150);
const batches = 12;
const page = 4_096;
/** The pages that say where the newest tree begins, by turns. */
const metaPages = 2;
const world = {
  identity: { name: "power", created: "2026-01-01T00:00:00.000Z" },
  rendering: createRendering(),
};

interface Commit {
  readonly file: Buffer;
  readonly digest: Digest;
  readonly sequence: number;
}

const records: readonly ExampleRecord[] = [...shopAtWork(40, batches * 60)].map((event, at) =>
  recordOf(event, at + 1),
);
const batchAfter = (sequence: number) => records.slice(sequence, sequence + 60);

/** The file after each commit. */
const liveOnce = async (directory: string): Promise<readonly Commit[]> => {
  const store = openStore(directory, { readOnly: false });
  const commits: Commit[] = [];
  for (let sequence = 0; sequence < records.length; sequence += 60) {
    applyBatch(store, batchAfter(sequence), world);
    const file = readFileSync(join(directory, "data.mdb"));
    commits.push({ file, digest: store.digest(), sequence: sequence + 60 });
  }
  await store.close();
  return commits;
};

/** The disk as it could look had the power gone during the commit that led from one file to the next. */
const imageBetween = (before: Buffer, after: Buffer, unit: number, chance: Chance): Buffer => {
  const isWritten = chance.below(3) === 0;
  const image = Buffer.alloc(after.length);
  before.copy(image);
  for (let at = metaPages * page; at < after.length; at += unit) {
    // Before the commit counted, any part of it may be missing; after that, none.
    if (isWritten || chance.below(2) === 0) after.copy(image, at, at, at + unit);
  }
  if (isWritten && chance.below(2) === 0) after.copy(image, 0, 0, metaPages * page);
  const isGrown = isWritten || chance.below(2) === 0;
  return isGrown ? image : image.subarray(0, before.length);
};

test(`${images} images of a disk whose power was cut, by pages and by sectors: each is a whole model at a commit, and goes on to the same end`, async () => {
  const home = temporaryDirectory();
  const commits = await liveOnce(join(home.path, "life"));
  const chance = chanceOf("power-loss");
  for (let turn = 0; turn < images; turn += 1) {
    const at = 1 + chance.below(commits.length - 1);
    const [before, after] = [commits[at - 1], commits[at]] as [Commit, Commit];
    const directory = join(home.path, String(turn));
    mkdirSync(directory);
    const image = imageBetween(before.file, after.file, chance.pick([page, 512]), chance);
    writeFileSync(join(directory, "data.mdb"), image);
    const what = `image ${turn} of commit ${at}: ${again("test/torture/power-loss.test.ts")}`;
    // Who opens first must make no difference: readers do not repair anything.
    if (chance.below(2) === 0) {
      const reader = openStore(directory, { readOnly: true });
      assertIsOneOf(reader.digest(), [before, after], what);
      await reader.close();
    }
    const writer = openStore(directory, { readOnly: false });
    const sequence = writer.get(tables.meta, "checkpoint")?.sequence ?? 0;
    assertIsOneOf(writer.digest(), [before, after], what);
    assert.ok(sequence === before.sequence || sequence === after.sequence, what);
    for (let next = sequence; next < records.length; next += 60) {
      applyBatch(writer, batchAfter(next), world);
    }
    assert.equal(writer.digest(), commits.at(-1)?.digest, what);
    await writer.close();
    rmSync(directory, { recursive: true });
    tellDone(turn + 1);
  }
  home.remove();
});

const assertIsOneOf = (digest: Digest, commits: readonly Commit[], what: string): void => {
  const found = JSON.stringify(digest);
  assert.ok(
    commits.some((commit) => JSON.stringify(commit.digest) === found),
    what,
  );
};

test.run();
