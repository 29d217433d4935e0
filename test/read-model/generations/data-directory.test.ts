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

test("a new directory is made, and nothing is live in it", ({ path }) => {
  const directory = openDataDirectory(path);
  assert.equal(
    [directory.live(), directory.previous(), directory.generations()],
    [undefined, undefined, []],
  );
});

test("a directory that holds something else is refused, and left as it was", ({ path }) => {
  mkdirSync(path);
  writeFileSync(join(path, "precious.txt"), "mine");
  const error = refusal(path);
  assert.is(error.code, "data_dir");
  assert.match(error.message, "not a data directory of Vitrine");
  assert.match(error.hint, "--data-dir");
  assert.match(error.hint, "where this is a volume, one inside it");
  assert.equal(readdirSync(path), ["precious.txt"]);
});

test("an empty ext4 volume, which holds lost+found, becomes a data directory", ({ path }) => {
  mkdirSync(join(path, "lost+found"), { recursive: true });
  assert.is(openExistingDirectory(path), undefined, "to look at it makes nothing");
  assert.equal(readdirSync(path), ["lost+found"]);
  openDataDirectory(path);
  assert.equal(readdirSync(path).sort(), ["generations", "lost+found", "vitrine.json"]);
});

test("a file in its place, and a place nobody may write, are refused with the way out", ({
  path,
}) => {
  writeFileSync(path, "");
  assert.match(refusal(path).message, "cannot use the data directory");
  assert.match(refusal("/proc/vitrine").hint, "DATA_DIR");
});

test("a marker that was being written when its writer was killed is no marker yet", ({ path }) => {
  mkdirSync(path);
  writeFileSync(join(path, ".vitrine.json.99.new"), '{"prod');
  assert.is(openDataDirectory(path).frozenAt(), undefined);
  assert.ok(existsSync(join(path, "vitrine.json")));
});

test("a directory of another layout is refused", ({ path }) => {
  openDataDirectory(path);
  writeFileSync(join(path, "vitrine.json"), '{"product":"vitrine","layout":99}');
  assert.match(refusal(path).message, "layout 99");
  writeFileSync(join(path, "vitrine.json"), "torn");
  assert.match(refusal(path).message, "layout unknown");
});

test("a swap makes a generation live and keeps the former one", ({ path }) => {
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

test("a sweep deletes what is neither live nor previous", ({ path }) => {
  const directory = openDataDirectory(path);
  const [first, second, third, building] = [1, 2, 3, 4].map(() => directory.create());
  for (const generation of [first, second, third]) directory.swap(generation as string);
  directory.sweep(building);
  assert.equal(directory.generations(), [second, third, building]);
  directory.sweep();
  assert.equal(directory.generations(), [second, third]);
});

test("names go on counting after a sweep, past four digits too", ({ path }) => {
  const directory = openDataDirectory(path);
  mkdirSync(join(path, "generations", "9999"));
  const next = directory.create();
  assert.match(next, /\/10000$/);
  assert.is(directory.generations().at(-1), next);
});

test("what a command built becomes a generation, and what it left is swept", ({ path }) => {
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

test("a swap that was cut off between its links loses no generation that may be wanted", ({
  path,
}) => {
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

test("a damaged generation is set aside, and nothing points at it", ({ path }) => {
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

test("a quarantine that cannot be read is told as empty", ({ path }) => {
  const directory = openDataDirectory(path);
  writeFileSync(join(path, "quarantine"), "none of it");
  assert.equal(directory.quarantined(), []);
});

/** The live generation is damaged, another was live before it, and a third stands ready. */
const withDamaged = (path: string) => {
  const directory = openDataDirectory(path);
  const made = [directory.create(), directory.create(), directory.create()] as const;
  const [first, damaged, next] = made;
  directory.swap(first);
  directory.swap(damaged);
  return { directory, first, damaged, next };
};

test("what takes the place of a damaged generation leaves the previous one where it is", ({
  path,
}) => {
  const { directory, first, damaged, next } = withDamaged(path);
  assert.is(directory.replaceDamaged(damaged, next), join(path, "quarantine", "0002"));
  assert.equal([directory.live(), directory.previous()], [next, first]);
  directory.sweep();
  assert.equal(directory.generations(), [first, next]);
});

test("what took the place of a generation that a projector had set aside makes the former one previous", ({
  path,
}) => {
  const { directory, first, damaged, next } = withDamaged(path);
  directory.quarantine(damaged);
  directory.replaceDamaged(damaged, next);
  assert.equal([directory.live(), directory.previous()], [next, first]);
});

test("what is deleted while it is admitted becomes no generation", ({ path }) => {
  const directory = openDataDirectory(path);
  const built = directory.createScratch("rebuild");
  // A file that is there before the rename, and not after it.
  writeFileSync(join(path, "scratch", "elsewhere"), "");
  symlinkSync(join("..", "elsewhere"), join(built, "data.mdb"));
  assert.throws(() => directory.adoptScratch(built), /no generation that was built/);
  assert.equal(directory.generations(), []);
});

test("a directory that stands still says so to whoever opens it", ({ path }) => {
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
