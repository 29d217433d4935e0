import { execFileSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, chanceOf, effort } from "../helpers/effort.ts";
import { readEvents } from "../helpers/gateway.ts";
import { openImportTest, type TestImport } from "../helpers/import.ts";
import { type Run, type Running, start, until } from "../helpers/vitrine.ts";

const test = suite<{ context: TestImport }>("vitrine import");

test.before.each((own) => {
  own.context = openImportTest();
});

const header = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty";

/** A file of Shopify with two variants of each product. */
const csvOf = (products: readonly number[], title: string): string =>
  [
    header,
    ...products.flatMap((id) => [
      `p-${id},${title} ${id},Size,S,${id}.90,${id % 7}`,
      `p-${id},,,M,${id + 1}.90,${id % 5}`,
    ]),
    "",
  ].join("\n");

const numbers = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => first + at);

/** Arguments of an import of a file into a copy of a data directory. */
const argumentsFor = ({ connectionsFile }: TestImport, dataDir: string, file: string): string[] => [
  ...["import", file, "--connection", "feed", "--taken", "2026-11-02T10:00:00Z"],
  ...["--complete", "--allow-loss", "--json"],
  ...["--connections", connectionsFile, "--data-dir", dataDir],
];

const copyOf = (dataDir: string): string => {
  const copy = join(temporaryDirectory().path, "data");
  cpSync(dataDir, copy, { recursive: true });
  return copy;
};

/** Data of the last event of each subject, and the ids, which must not repeat. */
const foldedEvents = (events: readonly CloudEvent[]) => {
  const ids = events.map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length, "an event id is twice in the log");
  const last = new Map(events.map(({ subject, type, data }) => [subject, { type, data }]));
  return { ids: ids.sort(), last: [...last].sort(([a], [b]) => (a < b ? -1 : 1)) };
};

const scratchOf = (dataDir: string): string => join(dataDir, "connections", "feed.import");

const assertEnded = ({ code, stderr }: Run, dataDir: string): void => {
  assert.is(code, 0, stderr);
  assert.not.ok(existsSync(scratchOf(dataDir)), "the import left its files");
};

const kills = effort(3, 50);
/** Kills of imports before one is let to its end. */
const killsPerRound = effort(3, 5);

test(`after ${kills} kill -9 at random points, the next import ends with the same events`, async ({
  context,
}) => {
  const before = context.write("before.csv", csvOf(numbers(1, 400), "Mug"));
  const first = await context.import([
    before,
    "--connection",
    "feed",
    "--taken",
    "2026-11-01T10:00:00Z",
  ]);
  assert.is(first.code, 0, first.stderr);
  // 100 products are gone, 300 have another title, and 300 are new.
  const after = context.write("after.csv", csvOf(numbers(101, 600), "Cup"));
  const undisturbed = copyOf(context.dataDir);
  const begun = performance.now();
  assertEnded(await start(argumentsFor(context, undisturbed, after)).ended, undisturbed);
  const durationMs = performance.now() - begun;
  const expected = foldedEvents(await readEvents(undisturbed));
  const chance = chanceOf("import");
  for (let round = 0; round < kills / killsPerRound; round += 1) {
    const dataDir = copyOf(context.dataDir);
    for (let kill = 0; kill < killsPerRound; kill += 1) {
      const running = start(argumentsFor(context, dataDir, after));
      // Evenly distributed over the duration, so that the short form meets each phase.
      await delay(((kill + chance.below(100) / 100) * durationMs) / killsPerRound);
      running.child.kill("SIGKILL");
      await running.ended;
    }
    assertEnded(await start(argumentsFor(context, dataDir, after)).ended, dataDir);
    const what = `round ${round}: ${again("test/processes/import.test.ts")}`;
    assert.equal(foldedEvents(await readEvents(dataDir)), expected, what);
  }
});

const filesIn = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory) : [];

interface HeldImport {
  readonly running: Running;
  /** Files of the import and of earlier ones. */
  readonly files: readonly string[];
  /** Writes the rest of its input. */
  end(content: string): Promise<Run>;
}

/** Starts an import that waits for its input, and holds the lock of the connection. */
const holdImport = async (context: TestImport): Promise<HeldImport> => {
  const earlier = filesIn(scratchOf(context.dataDir));
  const pipe = join(temporaryDirectory().path, "pipe");
  execFileSync("mkfifo", [pipe]);
  // Open for both directions, so that neither side waits for the other.
  const file = openSync(pipe, "r+");
  const running = start(argumentsFor(context, context.dataDir, pipe));
  const files = await until(
    async () => filesIn(scratchOf(context.dataDir)),
    (names) => names.some((name) => name.startsWith("vitrine-") && !earlier.includes(name)),
  );
  return {
    ...{ running, files },
    async end(content) {
      const scratch = scratchOf(context.dataDir);
      const spool = files.find((name) => !earlier.includes(name)) ?? "";
      writeSync(file, content);
      // What was not read yet is lost at the close.
      await until(
        async () => readFileSync(join(scratch, spool, "1.ndjson"), "utf8"),
        (copied) => copied === content,
      );
      closeSync(file);
      return running.ended;
    },
  };
};

test("a second import of a connection at the same time is refused; one of another connection is not", async ({
  context,
}) => {
  const held = await holdImport(context);
  const file = context.write("shop.csv", csvOf([1], "Mug"));
  const second = await context.import([file, "--connection", "feed"]);
  assert.is(second.code, 3);
  assert.match(
    second.stderr,
    `another import (process ${held.running.child.pid}) of this connection runs`,
  );
  assert.match(second.stderr, "wait until it is done, or stop it");
  const other = await context.import([file, "--connection", "shopify"]);
  assert.is(other.code, 0, other.stderr);
  assertEnded(await held.end(csvOf([2], "Mug")), context.dataDir);
  const third = await context.import([file, "--connection", "feed"]);
  assert.is(third.code, 0, third.stderr);
});

test("the next import removes what a killed one left", async ({ context }) => {
  const killed = await holdImport(context);
  killed.running.child.kill("SIGKILL");
  await killed.running.ended;
  assert.equal(filesIn(scratchOf(context.dataDir)), killed.files);
  const next = await holdImport(context);
  assert.is(next.files.length, 1, "it began beside the files of the killed one");
  assertEnded(await next.end(csvOf([1], "Mug")), context.dataDir);
  const locks = filesIn(join(context.dataDir, "connections")).filter((name) => /lock/.test(name));
  assert.equal(locks, []);
});

test.run();
