import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { tokenRevoked } from "../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { trimJournal } from "../helpers/trim-journal.ts";
import {
  type JournalContext,
  open,
  productCount,
  products,
  suiteOfJournal,
} from "./journal-suite.ts";

const test = suiteOfJournal("first replay");

test("an interrupted first replay continues at its checkpoint", async ({ log, data }) => {
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

test("a first replay that is live keeps few pages of its model in the memory of the projector", async ({
  log,
  data,
}) => {
  await append(log, ...products(9_200));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(9_200));
  const file = join(projector.directory.live() ?? "", "data.mdb");
  const mappings = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-)/m);
  const residentKb = mappings
    .filter((mapping) => mapping.includes(file))
    .map((mapping) => Number(/Rss: +(\d+)/.exec(mapping)?.[1]))
    .reduce((sum, kb) => sum + kb, 0);
  assert.ok(residentKb * 1024 < statSync(file).size / 10, `${residentKb} KB`);
  await projector.stop();
});

/** Interrupts a first replay of 9,200 products that begins with a token revocation. */
const interrupted = async ({ log, data }: JournalContext): Promise<void> => {
  await append(log, tokenRevoked("watcher"), ...products(9_200));
  const first = startProjector(data, log, { onBatch: () => void first.stop() });
  await first.until(({ checkpoint }) => checkpoint > 0);
  await first.stop();
  assert.is(first.directory.live(), undefined);
};

test("a first replay begins again when its log identity changes for a while, and goes on afterwards", async (context) => {
  await interrupted(context);
  let calls = 0;
  const passing: EventLog = {
    ...context.log,
    async identity() {
      const own = await context.log.identity();
      calls += 1;
      return calls <= 3 ? { ...own, created: "2020-01-01T00:00:00Z" } : own;
    },
  };
  const second = startProjector(context.data, passing);
  await second.until(isLiveAt(9_201));
  assert.is(await productCount(second), 9_200);
  assert.equal(second.directory.generations().length, 1);
  await second.stop();
});

test("a first replay begins again from a log that was created again, even when it has fewer events", async (context) => {
  await interrupted(context);
  await context.log.close();
  rmSync(context.journal, { recursive: true });
  const newLog = open(context.journal);
  await append(newLog, ...products(5));
  const second = startProjector(context.data, newLog);
  await second.until(isLiveAt(5));
  assert.is(await productCount(second), 5);
  // The new log has no token event.
  const withdrawn = await second.read((snapshot) => snapshot.agent("watcher")?.revoked);
  assert.is(withdrawn, true);
  await second.stop();
  await newLog.close();
});

test("a first replay whose log was trimmed past its checkpoint begins again", async (context) => {
  await interrupted(context);
  await trimJournal(context.journal, 9_191);
  const trimmed = open(context.journal);
  const second = startProjector(context.data, trimmed);
  await second.until(isLiveAt(9_201));
  assert.is(await productCount(second), 11);
  await second.stop();
  await trimmed.close();
});

test.run();
