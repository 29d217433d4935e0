import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openExistingDirectory } from "../../../src/cli/model-directory.ts";
import { VitrineError } from "../../../src/errors.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../helpers/directory.ts";

const test = suite<{ home: TemporaryDirectory; path: string }>("data directory");

test.before.each((context) => {
  context.home = temporaryDirectory();
  context.path = join(context.home.path, "data");
});
test.after.each(({ home }) => home.remove());

const refusal = (path: string): VitrineError => {
  try {
    openDataDirectory(path);
  } catch (error) {
    assert.instance(error, VitrineError);
    return error as VitrineError;
  }
  throw new Error("it was accepted");
};

test("a new directory is created without a live generation", ({ path }) => {
  const directory = openDataDirectory(path);
  assert.equal(
    [directory.live(), directory.previous(), directory.generations()],
    [undefined, undefined, []],
  );
});

test("a directory with other files is rejected and left unchanged", ({ path }) => {
  mkdirSync(path);
  writeFileSync(join(path, "precious.txt"), "mine");
  const error = refusal(path);
  assert.is(error.code, "data_dir");
  assert.match(error.message, "not a data directory of Vitrine");
  assert.match(error.hint, "--data-dir");
  assert.match(error.hint, "if this is a volume, name a directory inside it");
  assert.equal(readdirSync(path), ["precious.txt"]);
});

test("an empty ext4 volume, which has lost+found, becomes a data directory", ({ path }) => {
  mkdirSync(join(path, "lost+found"), { recursive: true });
  assert.is(openExistingDirectory(path), undefined, "a read-only open creates nothing");
  assert.equal(readdirSync(path), ["lost+found"]);
  openDataDirectory(path);
  assert.equal(readdirSync(path).sort(), ["generations", "lost+found", "vitrine.json"]);
});

test("a file in its path, and an unwritable path, are rejected with a hint", ({ path }) => {
  writeFileSync(path, "");
  assert.match(refusal(path).message, "cannot use the data directory");
  assert.match(refusal("/proc/vitrine").hint, "DATA_DIR");
});

test("a marker file whose write was interrupted is ignored", ({ path }) => {
  mkdirSync(path);
  writeFileSync(join(path, ".vitrine.json.99.new"), '{"prod');
  assert.is(openDataDirectory(path).frozenAt(), undefined);
  assert.ok(existsSync(join(path, "vitrine.json")));
});

test("a directory of another layout is rejected", ({ path }) => {
  openDataDirectory(path);
  writeFileSync(join(path, "vitrine.json"), '{"product":"vitrine","layout":99}');
  assert.match(refusal(path).message, "layout 99");
  writeFileSync(join(path, "vitrine.json"), "torn");
  assert.match(refusal(path).message, "layout unknown");
});

test("a swap makes a generation live and keeps the previous one", ({ path }) => {
  const directory = openDataDirectory(path);
  const [first, second, third] = [directory.create(), directory.create(), directory.create()];
  directory.swap(first);
  assert.equal([directory.live(), directory.previous()], [first, undefined]);
  directory.swap(first);
  assert.is(directory.previous(), undefined);
  directory.swap(second);
  assert.equal([directory.live(), directory.previous()], [second, first]);
  assert.equal(openDataDirectory(path).live(), second);
  assert.equal(directory.generations(), [first, second, third]);
});

test("a sweep deletes generations that are neither live nor previous", ({ path }) => {
  const directory = openDataDirectory(path);
  const [first, second, third, building] = [1, 2, 3, 4].map(() => directory.create());
  for (const generation of [first, second, third]) directory.swap(generation as string);
  directory.sweep(building);
  assert.equal(directory.generations(), [second, third, building]);
  directory.sweep();
  assert.equal(directory.generations(), [second, third]);
});

test("names count on after a sweep, also beyond four digits", ({ path }) => {
  const directory = openDataDirectory(path);
  mkdirSync(join(path, "generations", "9999"));
  const next = directory.create();
  assert.match(next, /\/10000$/);
  assert.is(directory.generations().at(-1), next);
});

test("a generation built by a command is adopted, and what the command left is swept", ({
  path,
}) => {
  const directory = openDataDirectory(path);
  const first = directory.create();
  const [built, left] = [directory.createScratch("rebuild"), directory.createScratch("verify")];
  assert.throws(() => directory.adoptScratch(built), /no generation that was built/);
  writeFileSync(join(built, "data.mdb"), "");
  const admitted = directory.adoptScratch(built);
  assert.equal([readdirSync(admitted), directory.generations()], [["data.mdb"], [first, admitted]]);
  assert.equal([existsSync(built), existsSync(left)], [false, true]);
  assert.throws(
    () => directory.adoptScratch(join(path, "generations", "0001")),
    /no generation that was/,
  );
  directory.sweepScratch();
  assert.is(existsSync(left), false);
});

test("a swap that was interrupted between its links loses no generation in use", ({ path }) => {
  const directory = openDataDirectory(path);
  const [first, second] = [directory.create(), directory.create()];
  directory.swap(first);
  directory.swap(second);
  rmSync(join(path, "previous"));
  symlinkSync(join("generations", "0002"), join(path, "previous"));
  directory.sweep();
  assert.equal([directory.live(), directory.previous()], [second, first]);
  assert.equal(directory.generations(), [first, second]);
});

test("a damaged generation is moved to quarantine, and no link points to it", ({ path }) => {
  const directory = openDataDirectory(path);
  const [first, second] = [directory.create(), directory.create()];
  directory.swap(first);
  directory.swap(second);
  assert.is(directory.quarantine(first), join(path, "quarantine", "0001"));
  assert.equal(
    [directory.generations(), directory.live(), directory.previous(), directory.quarantined()],
    [[second], second, undefined, ["0001"]],
  );
});

test("an unreadable quarantine counts as empty", ({ path }) => {
  const directory = openDataDirectory(path);
  writeFileSync(join(path, "quarantine"), "none of it");
  assert.equal(directory.quarantined(), []);
});

/** A damaged live generation, with a previous one and a third that is ready. */
const withDamaged = (path: string) => {
  const directory = openDataDirectory(path);
  const made = [directory.create(), directory.create(), directory.create()] as const;
  const [first, damaged, next] = made;
  directory.swap(first);
  directory.swap(damaged);
  return { directory, first, damaged, next };
};

test("the replacement of a damaged generation leaves the previous one in place", ({ path }) => {
  const { directory, first, damaged, next } = withDamaged(path);
  assert.is(directory.replaceDamaged(damaged, next), join(path, "quarantine", "0002"));
  assert.equal([directory.live(), directory.previous()], [next, first]);
  directory.sweep();
  assert.equal(directory.generations(), [first, next]);
});

test("the replacement of a generation in quarantine makes the one before it previous", ({
  path,
}) => {
  const { directory, first, damaged, next } = withDamaged(path);
  directory.quarantine(damaged);
  directory.replaceDamaged(damaged, next);
  assert.equal([directory.live(), directory.previous()], [next, first]);
});

test("a generation that is deleted during its adoption is rejected", ({ path }) => {
  const directory = openDataDirectory(path);
  const built = directory.createScratch("rebuild");
  // A file that exists before the rename and not after it.
  writeFileSync(join(path, "scratch", "elsewhere"), "");
  symlinkSync(join("..", "elsewhere"), join(built, "data.mdb"));
  assert.throws(() => directory.adoptScratch(built), /no generation that was built/);
  assert.equal(directory.generations(), []);
});

test("a frozen directory reports it when it is opened", ({ path }) => {
  const until = {
    sequence: 7,
    time: "2026-10-01T00:00:00.000Z",
    log: { name: "j", created: "2026-01-01T00:00:00.000Z" },
  };
  const directory = openDataDirectory(path);
  assert.is(directory.frozenAt(), undefined);
  directory.freeze(until);
  assert.equal(openDataDirectory(path).frozenAt(), until);
});

test.run();
