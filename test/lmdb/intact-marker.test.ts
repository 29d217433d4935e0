import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { intactMarkerName, markIntact, probeUnlessMarked } from "../../src/lmdb/intact-marker.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("intact marker");

const newEnvironment = (): string => {
  const { path } = temporaryDirectory();
  writeFileSync(join(path, "data.mdb"), "pages");
  return path;
};

/** Counts the probes that run, each with the given result. */
const countProbes = async (directory: string, damage?: string): Promise<number> => {
  let probes = 0;
  const result = await probeUnlessMarked(directory, async (onIntact) => {
    probes += 1;
    if (damage === undefined) onIntact();
    return damage;
  });
  assert.is(result, probes > 0 ? damage : undefined);
  return probes;
};

test("a file that a probe found intact is not probed again", async () => {
  const directory = newEnvironment();
  assert.is(await countProbes(directory), 1);
  assert.is(await countProbes(directory), 0);
});

test("a file that its writer marked is not probed", async () => {
  const directory = newEnvironment();
  markIntact(directory);
  assert.is(await countProbes(directory), 0);
});

test("a damaged file is probed each time", async () => {
  const directory = newEnvironment();
  assert.is(await countProbes(directory, "a torn page"), 1);
  assert.is(await countProbes(directory, "a torn page"), 1);
});

test("a file that changed by a byte is probed, whatever its times and its size say", async () => {
  const directory = newEnvironment();
  const file = join(directory, "data.mdb");
  utimesSync(file, 1, 1);
  markIntact(directory);
  const changeTime = () => statSync(file, { bigint: true }).ctimeNs;
  const before = changeTime();
  // The clock of a file system ticks every few milliseconds.
  while (changeTime() === before) {
    writeFileSync(file, "PAGES");
    utimesSync(file, 1, 1);
  }
  assert.is(await countProbes(directory), 1);
});

test("a marker that another file, another boot or an interrupted write left is void", async () => {
  const directory = newEnvironment();
  const marker = join(directory, intactMarkerName);
  markIntact(directory);
  const text = readFileSync(marker, "utf8");
  for (const other of [text.replace(/\S+\n$/, "another-boot\n"), text.slice(0, -1), ""]) {
    writeFileSync(marker, other);
    assert.is(await countProbes(directory), 1, JSON.stringify(other));
  }
});

test("without a file, and without the right to write a marker, every call probes", async () => {
  const missing = temporaryDirectory().path;
  assert.is(await countProbes(missing), 1);
  assert.not(existsSync(join(missing, intactMarkerName)));
  const directory = newEnvironment();
  // A directory in the place of the marker cannot be written, not even by root.
  mkdirSync(join(directory, intactMarkerName));
  assert.is(await countProbes(directory), 1);
  assert.is(await countProbes(directory), 1);
});

test.run();
