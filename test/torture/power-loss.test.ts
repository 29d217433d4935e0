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
import { type ExampleRecord, recordOf } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { type DiskLife, imageOf, liveWatched } from "./disk-calls.ts";
import { again, amount, chanceOf, tellDone } from "./effort.ts";

/**
 * A power cut leaves of a file what was synced, and any part of what was written after that. Which calls were made, and
 * in which order, is what the process was seen to do, so that a sync it leaves out is a sync the disk did not have.
 */
const test = suite("power loss");
const images = amount(150);
const batches = 12;
const size = 60;
/** Bytes that a disk writes whole. */
const units = [4_096, 512];
const world = {
  identity: { name: "power", created: "2026-01-01T00:00:00.000Z" },
  rendering: createHtmlRenderer(),
};

const events = [...shopAtWork(40, batches * size)];
const records: readonly ExampleRecord[] = events.map((event, at) => recordOf(event, at + 1));
const runOf = <T>(of: readonly T[], at: number): readonly T[] =>
  of.slice(at * size, (at + 1) * size);

interface ModelLife extends DiskLife {
  /** After each commit. */
  readonly digests: readonly Digest[];
}

const modelLife = async (directory: string): Promise<ModelLife> => {
  const digests: Digest[] = [];
  let store: Store | undefined;
  const commits = Array.from({ length: batches }, (_, at) => () => {
    store ??= openStore(directory, { readOnly: false });
    applyBatch(store, runOf(records, at), world);
    digests.push(store.digest());
  });
  const life = await liveWatched(directory, commits);
  await store?.close();
  return { ...life, digests };
};

/** Runs `check` on so many directories that hold nothing but the file as a disk could have it. */
const eachImage = async (
  home: string,
  life: DiskLife,
  count: number,
  check: (directory: string, told: number, isReaderFirst: boolean, what: string) => Promise<void>,
): Promise<void> => {
  const chance = chanceOf("power-loss");
  for (let turn = 0; turn < count; turn += 1) {
    const { image, told } = imageOf(life, chance.pick(units), chance);
    const directory = join(home, String(turn));
    mkdirSync(directory);
    writeFileSync(join(directory, "data.mdb"), image);
    const what = `image ${turn}, ${told} commits told: ${again("test/torture/power-loss.test.ts")}`;
    await check(directory, told, chance.below(2) === 0, what);
    rmSync(directory, { recursive: true });
  }
};

test(`${images} images of a disk whose power was cut, by pages and by sectors: each is a whole model at a commit, none that was told is lost, and it goes on to the same end`, async () => {
  const home = temporaryDirectory();
  const directory = join(home.path, "life");
  mkdirSync(directory);
  const life = await modelLife(directory);
  let done = 0;
  await eachImage(home.path, life, images, async (image, told, isReaderFirst, what) => {
    const either = life.digests.slice(Math.max(told - 1, 0), told + 1);
    // Who opens first must make no difference: readers do not repair anything.
    if (isReaderFirst) {
      const reader = openStore(image, { readOnly: true });
      assertIsOneOf(reader.digest(), either, what);
      await reader.close();
    }
    const writer = openStore(image, { readOnly: false });
    const sequence = writer.get(tables.meta, "checkpoint")?.sequence ?? 0;
    assertIsOneOf(writer.digest(), either, what);
    assert.ok(sequence === told * size || sequence === (told + 1) * size, what);
    for (let at = sequence / size; at < batches; at += 1) {
      applyBatch(writer, runOf(records, at), world);
    }
    assert.equal(writer.digest(), life.digests.at(-1), what);
    await writer.close();
    done += 1;
    tellDone(done);
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

test(`${journalImages} images of a journal's disk: what was acknowledged is there, and nothing that was not told whole`, async () => {
  const home = temporaryDirectory();
  const directory = join(home.path, "life");
  mkdirSync(directory);
  let log: EventLog | undefined;
  const commits = Array.from({ length: batches }, (_, at) => async () => {
    log ??= openJournal({ directory, now: () => 0 });
    await append(log, ...runOf(events, at));
  });
  const life = await liveWatched(directory, commits);
  const whole = await recordsOf(log as EventLog);
  await log?.close();
  await eachImage(home.path, life, journalImages, async (image, told, isReaderFirst, what) => {
    if (isReaderFirst) {
      const reader = openJournal({ directory: image, now: () => 0, readOnly: true });
      assertIsPartOf(await recordsOf(reader), whole, told, what);
      await reader.close();
    }
    const again = openJournal({ directory: image, now: () => 0 });
    const kept = await recordsOf(again);
    assertIsPartOf(kept, whole, told, what);
    // Those who publish all of it again complete it.
    await append(again, ...events);
    assert.equal(await recordsOf(again), whole, what);
    await again.close();
  });
  home.remove();
});

const assertIsPartOf = (
  kept: readonly LogRecord[],
  whole: readonly LogRecord[],
  told: number,
  what: string,
): void => {
  assert.ok(
    kept.length === told * size || kept.length === (told + 1) * size,
    `${kept.length}: ${what}`,
  );
  assert.equal(kept, whole.slice(0, kept.length), what);
};

test.run();
