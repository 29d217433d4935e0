import { rmSync } from "node:fs";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { trimJournal } from "../../src/event-log/journal/index.ts";
import { tokenRevoked } from "../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { open, productCount, products, suiteOfJournal, type World } from "./journal-suite.ts";

const test = suiteOfJournal("first replay");

test("a first replay that was interrupted goes on where it stopped", async ({ log, data }) => {
  await append(log, ...products(9_200));
  const first = startProjector(data, log, { onBatch: () => void first.stop() });
  await first.until(({ checkpoint }) => checkpoint > 0);
  await first.stop();
  assert.ok(first.status().checkpoint < 9_200);
  assert.is(first.directory.live(), undefined);
  const second = startProjector(data, log);
  await second.until(isLiveAt(9_200));
  assert.equal(second.directory.generations().length, 1);
  assert.is(second.status().tally.applied, 9_200);
  await second.stop();
});

/** A first replay of 9,200 products, and of a token that was withdrawn before them, that ends before the last. */
const interrupted = async ({ log, data }: World): Promise<void> => {
  await append(log, tokenRevoked("watcher"), ...products(9_200));
  const first = startProjector(data, log, { onBatch: () => void first.stop() });
  await first.until(({ checkpoint }) => checkpoint > 0);
  await first.stop();
  assert.is(first.directory.live(), undefined);
};

test("a first replay begins again where its log is another one for a moment, and goes on when it is itself", async (world) => {
  await interrupted(world);
  let asked = 0;
  const passing: EventLog = {
    ...world.log,
    async identity() {
      const own = await world.log.identity();
      asked += 1;
      return asked <= 3 ? { ...own, created: "2020-01-01T00:00:00Z" } : own;
    },
  };
  const second = startProjector(world.data, passing);
  await second.until(isLiveAt(9_201));
  assert.is(await productCount(second), 9_200);
  assert.equal(second.directory.generations().length, 1);
  await second.stop();
});

test("a first replay whose log was made anew begins again from that one, however much less it tells", async (world) => {
  await interrupted(world);
  await world.log.close();
  rmSync(world.journal, { recursive: true });
  const anew = open(world.journal);
  await append(anew, ...products(5));
  const second = startProjector(world.data, anew);
  await second.until(isLiveAt(5));
  assert.is(await productCount(second), 5);
  // The new log tells nothing of tokens.
  const withdrawn = await second.read((moment) => moment.agent("watcher")?.revoked);
  assert.is(withdrawn, true);
  await second.stop();
  await anew.close();
});

test("a first replay whose log was trimmed past it begins again from what is left", async (world) => {
  await interrupted(world);
  await trimJournal(world.journal, 9_191);
  const trimmed = open(world.journal);
  const second = startProjector(world.data, trimmed);
  await second.until(isLiveAt(9_201));
  assert.is(await productCount(second), 11);
  await second.stop();
  await trimmed.close();
});

test.run();
