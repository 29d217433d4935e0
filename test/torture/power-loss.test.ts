import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog, LogRecord } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { applyBatch } from "../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { type Digest, openStore, type Store } from "../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, amount, chanceOf, reportDone } from "../helpers/effort.ts";
import { type ExampleRecord, recordOf } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { type DiskLife, imageOf, liveWatched } from "./disk-calls.ts";

/**
 * A power cut leaves the synced bytes of a file and any part of later writes. The calls and their sequence
 * come from a trace of the process, so a missing sync is a sync that the disk did not have.
 */
const test = suite("power loss");
const images = amount(100);
const batches = 12;
const size = 60;
/** Numbers of bytes that a disk writes atomically. */
const units = [4_096, 512];
const context = {
  identity: { name: "power", created: "2026-01-01T00:00:00.000Z" },
  rendering: createHtmlRenderer(),
};

const events = [...shopAtWork(40, batches * size)];
const records: readonly ExampleRecord[] = events.map((event, at) => recordOf(event, at + 1));
const runOf = <T>(of: readonly T[], at: number): readonly T[] =>
  of.slice(at * size, (at + 1) * size);

interface ModelLife extends DiskLife {
  /** The digest after each commit. */
  readonly digests: readonly Digest[];
}

const modelLife = async (directory: string): Promise<ModelLife> => {
  const digests: Digest[] = [];
  let store: Store | undefined;
  const commits = Array.from({ length: batches }, (_, at) => () => {
    store ??= openStore(directory, { readOnly: false });
    applyBatch(store, runOf(records, at), context);
    digests.push(store.digest());
  });
  const life = await liveWatched(directory, commits);
  await store?.close();
  return { ...life, digests };
};

/** Runs `check` on directories that hold a possible state of the file after a power cut. */
const eachImage = async (
  home: string,
  life: DiskLife,
  count: number,
  check: (
    directory: string,
    acknowledged: number,
    isReaderFirst: boolean,
    what: string,
  ) => Promise<void>,
): Promise<void> => {
  const chance = chanceOf("power-loss");
  for (let turn = 0; turn < count; turn += 1) {
    const { image, acknowledged } = imageOf(life, chance.pick(units), chance);
    const directory = join(home, String(turn));
    mkdirSync(directory);
    writeFileSync(join(directory, "data.mdb"), image);
    const what = `image ${turn}, ${acknowledged} commits acknowledged: ${again("test/torture/power-loss.test.ts")}`;
    await check(directory, acknowledged, chance.below(2) === 0, what);
    rmSync(directory, { recursive: true });
  }
};

test(`${images} states of a disk after a power cut: each is a complete model at a commit, without loss`, async () => {
  const home = temporaryDirectory();
  const directory = join(home.path, "life");
  mkdirSync(directory);
  const life = await modelLife(directory);
  let done = 0;
  await eachImage(home.path, life, images, async (image, acknowledged, isReaderFirst, what) => {
    const either = life.digests.slice(Math.max(acknowledged - 1, 0), acknowledged + 1);
    // It must not matter who opens first: readers repair nothing.
    if (isReaderFirst) {
      const reader = openStore(image, { readOnly: true });
      assertIsOneOf(reader.digest(), either, what);
      await reader.close();
    }
    const writer = openStore(image, { readOnly: false });
    const sequence = writer.get(tables.meta, "checkpoint")?.sequence ?? 0;
    assertIsOneOf(writer.digest(), either, what);
    assert.ok(sequence === acknowledged * size || sequence === (acknowledged + 1) * size, what);
    for (let at = sequence / size; at < batches; at += 1) {
      applyBatch(writer, runOf(records, at), context);
    }
    assert.equal(writer.digest(), life.digests.at(-1), what);
    await writer.close();
    done += 1;
    reportDone(done);
  });
  home.remove();
});

const assertIsOneOf = (digest: Digest, digests: readonly Digest[], what: string): void => {
  const found = JSON.stringify(digest);
  assert.ok(
    digests.some((one) => JSON.stringify(one) === found),
    what,
  );
};

const recordsOf = async (log: EventLog): Promise<readonly LogRecord[]> => {
  const read: LogRecord[] = [];
  for await (const chunk of log.read({ after: 0, follow: false })) read.push(...chunk);
  return read;
};

const journalImages = Math.ceil(images / 3);

test(`${journalImages} states of a journal's disk: acknowledged events are there, and no partial append`, async () => {
  const home = temporaryDirectory();
  const directory = join(home.path, "life");
  mkdirSync(directory);
  let log: EventLog | undefined;
  const commits = Array.from({ length: batches }, (_, at) => async () => {
    log ??= openJournal({ directory, now: () => 0 });
    await append(log, ...runOf(events, at));
  });
  const life = await liveWatched(directory, commits);
  const allRecords = await recordsOf(log as EventLog);
  await log?.close();
  await eachImage(
    home.path,
    life,
    journalImages,
    async (image, acknowledged, isReaderFirst, what) => {
      if (isReaderFirst) {
        const reader = openJournal({ directory: image, now: () => 0, readOnly: true });
        assertIsPartOf(await recordsOf(reader), allRecords, acknowledged, what);
        await reader.close();
      }
      const again = openJournal({ directory: image, now: () => 0 });
      const kept = await recordsOf(again);
      assertIsPartOf(kept, allRecords, acknowledged, what);
      // Publishing everything again completes the journal.
      await append(again, ...events);
      assert.equal(await recordsOf(again), allRecords, what);
      await again.close();
    },
  );
  home.remove();
});

const assertIsPartOf = (
  kept: readonly LogRecord[],
  allRecords: readonly LogRecord[],
  acknowledged: number,
  what: string,
): void => {
  assert.ok(
    kept.length === acknowledged * size || kept.length === (acknowledged + 1) * size,
    `${kept.length}: ${what}`,
  );
  assert.equal(kept, allRecords.slice(0, kept.length), what);
};

test.run();
