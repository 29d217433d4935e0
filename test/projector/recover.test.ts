import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import type { ProjectorStatus } from "../../src/projector/status/status.ts";
import { readComparison } from "../../src/read-model/compare/comparison-file.ts";
import { productDeleted, stockChanged } from "../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { trimJournal } from "../helpers/trim-journal.ts";
import { childrenOf } from "../helpers/vitrine.ts";
import {
  type JournalContext,
  open,
  productCount,
  products,
  suiteOfJournal,
} from "./journal-suite.ts";

const test = suiteOfJournal("a projector whose log is another one");

/** Time between two events of a shop that keeps publishing, in ms. A rebuild that finds new ones reads on without a pause. */
const publishingIntervalMs = 20;

/** Replays events into a model, then creates the journal again, empty: another log under the same name. */
const remade = async (
  { log, journal, data }: JournalContext,
  events: number,
): Promise<EventLog> => {
  await append(log, ...products(events));
  const before = startProjector(data, log);
  await before.until(isLiveAt(events));
  await before.stop();
  await log.close();
  rmSync(journal, { recursive: true });
  return open(journal);
};

test("a log created again under the same name is noticed and causes a rebuild", async (context) => {
  const newLog = await remade(context, 5);
  await append(newLog, ...products(6, 100));
  const after = startProjector(context.data, newLog);
  const previous = after.directory.live();
  await after.until(isLiveAt(6));
  assert.is.not(after.directory.live(), previous);
  assert.is(after.directory.previous(), previous);
  assert.is(await after.read((snapshot) => snapshot.product(1)), undefined);
  assert.ok(await after.read((snapshot) => snapshot.product(100)));
  await after.stop();
  await newLog.close();
});

test("a rebuild ends while events keep arriving, and the age of the answers is reported", async (context) => {
  const newLog = await remade(context, 5);
  await append(newLog, ...products(6, 100));
  let more = 200;
  const busy: EventLog = {
    ...newLog,
    // The end of the log moves with each call.
    async identity() {
      more += 1;
      await delay(publishingIntervalMs);
      await append(newLog, ...products(1, more));
      return newLog.identity();
    },
  };
  const after = startProjector(context.data, busy);
  const previous = after.directory.live();
  await after.until(({ state, lagSeconds }) => state === "rebuilding" && lagSeconds > 3);
  await after.until(({ state }) => state === "live", 30);
  assert.is.not(after.directory.live(), previous);
  assert.ok(after.status().lagSeconds < 1);
  await after.stop();
  await newLog.close();
});

test("a rebuild waits for a shop that publishes its products again, as long as that takes", async (context) => {
  const newLog = await remade(context, 5);
  let attempts = 0;
  const begun = performance.now();
  const republished: EventLog = {
    ...newLog,
    async identity() {
      await delay(publishingIntervalMs);
      // Four of five products suffice for promotion, and arrive late.
      if (attempts < 3 || performance.now() - begun > 14_000) {
        attempts += 1;
        await append(newLog, ...products(1, 100 + attempts));
      } else await append(newLog, stockChanged({ productId: 101 }));
      return newLog.identity();
    },
  };
  const after = startProjector(context.data, republished);
  const states = new Set<string>();
  await after.until(({ state, generation }) => {
    states.add(state);
    return state === "live" && generation === "0002";
  }, 30);
  assert.not(states.has("faulted"), [...states].join(", "));
  assert.ok((await productCount(after)) >= 4);
  await after.stop();
  await newLog.close();
});

test("with --on-divergence stop the projector applies no more events, the model answers, and the reason is reported", async (context) => {
  const newLog = await remade(context, 5);
  await append(newLog, ...products(9, 100));
  const after = startProjector(context.data, newLog, { onDivergence: "stop" });
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "another log under the same name");
  assert.match(reason ?? "", "--on-divergence rebuild");
  assert.is(await productCount(after), 5);
  await after.stop();
  await newLog.close();
});

test("a log that regains its lost history is followed without a restart", async ({ log, data }) => {
  await append(log, ...products(3));
  let isTrimmed = false;
  const trimmed: EventLog = {
    ...log,
    bounds: async () => (isTrimmed ? { first: 9, last: 9, isComplete: false } : await log.bounds()),
  };
  const projector = startProjector(data, trimmed);
  await projector.until(isLiveAt(3));
  isTrimmed = true;
  const { reason } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "events 4 to 8 are gone");
  await append(log, ...products(2, 10));
  isTrimmed = false;
  await projector.until(isLiveAt(5));
  await projector.stop();
});

test("when the log becomes unreachable in a rebuild, the projector waits and begins again", async (context) => {
  const newLog = await remade(context, 5);
  await append(newLog, ...products(6, 100));
  let refusals = 0;
  const away: EventLog = {
    ...newLog,
    async identity() {
      if (after.status().state === "rebuilding" && refusals < 2) {
        refusals += 1;
        throw new VitrineError("event_log", "not connected");
      }
      return newLog.identity();
    },
  };
  const after = startProjector(context.data, away);
  await after.until(isLiveAt(6));
  assert.is(refusals, 2);
  await after.stop();
  await newLog.close();
});

test("when the log is replaced during a rebuild, the rebuild begins again", async (context) => {
  const newLog = await remade(context, 5);
  await append(newLog, ...products(6, 100));
  let breaks = 0;
  const broken: EventLog = {
    ...newLog,
    read(options) {
      if (options.follow || breaks === 2) return newLog.read(options);
      breaks += 1;
      throw new VitrineError("divergence", "it is another log");
    },
  };
  const after = startProjector(context.data, broken);
  await after.until(isLiveAt(6));
  assert.is(breaks, 2);
  await after.stop();
  await newLog.close();
});

test("a rebuild that would lose over a fifth of the products waits until the log has them", async (context) => {
  const newLog = await remade(context, 10);
  await append(newLog, ...products(7));
  const after = startProjector(context.data, newLog);
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "7 of 10 products");
  assert.equal([after.status().generation, after.status().checkpoint], ["0001", 10]);
  assert.is(await productCount(after), 10);
  assert.is(after.directory.generations().length, 1);
  const states = new Set<string>();
  await append(newLog, ...products(1, 20));
  await after.until((status) => {
    if (status.generation === "0001") states.add(status.state);
    return status.generation !== "0001" && isLiveAt(8)(status);
  });
  assert.not(states.has("live"), "it reached the end of another log");
  assert.is(await productCount(after), 8);
  await after.stop();
  await newLog.close();
});

test("missing products may arrive at the time that the rebuild gives up", async (context) => {
  const newLog = await remade(context, 10);
  await append(newLog, ...products(7));
  let isRepublished = false;
  const growing: EventLog = {
    ...newLog,
    async bounds() {
      if (after.status().state === "faulted" && !isRepublished) {
        isRepublished = true;
        await append(newLog, ...products(3, 8));
      }
      return newLog.bounds();
    },
  };
  const after = startProjector(context.data, growing);
  await after.until(isLiveAt(10));
  assert.ok(isRepublished);
  assert.is(await productCount(after), 10);
  await after.stop();
  await newLog.close();
});

test("a journal replaced while it is followed ends the process, and the next one reads the new journal", async ({
  log,
  data,
  journal,
}) => {
  await append(log, ...products(3));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(3));
  rmSync(journal, { recursive: true });
  const newLog = open(journal);
  const ended = await projector.ended;
  assert.is(ended.code, "reopen");
  assert.match(ended.message, "was replaced while it was open");
  assert.is(await productCount(projector), 3);
  await append(newLog, ...products(5, 50));
  const next = startProjector(data, newLog);
  await next.until(isLiveAt(5));
  assert.is(await productCount(next), 5);
  await next.stop();
  await newLog.close();
});

test("history trimmed past the checkpoint is a gap: the projector stops with a hint", async ({
  log,
  data,
  journal,
}) => {
  await append(log, ...products(3));
  const before = startProjector(data, log);
  await before.until(isLiveAt(3));
  await before.stop();
  await append(log, ...products(5, 10));
  await log.close();
  await trimJournal(journal, 7);
  const trimmed = open(journal);
  const after = startProjector(data, trimmed);
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "events 4 to 6 are gone");
  assert.match(reason ?? "", "no longer holds the whole history");
  assert.is(await productCount(after), 3);
  await after.stop();
  await trimmed.close();
});

test("history trimmed before the checkpoint is not a gap", async ({ log, data, journal }) => {
  await append(log, ...products(5));
  const before = startProjector(data, log);
  await before.until(isLiveAt(5));
  await before.stop();
  await log.close();
  await trimJournal(journal, 4);
  const trimmed = open(journal);
  await append(trimmed, productDeleted(5));
  const after = startProjector(data, trimmed);
  await after.until(isLiveAt(6));
  await after.stop();
  await trimmed.close();
});

test("a projection with a bug does not hide another log, whatever was read of the previous one", async ({
  home,
  log,
  data,
}) => {
  const logs = [log, ...["b", "c", "d"].map((name) => open(join(home.path, name)))] as const;
  const [first, second, third, fourth] = logs;
  let current = first;
  const switched: EventLog = {
    ...log,
    identity: () => current.identity(),
    bounds: () => current.bounds(),
    read: (options) => current.read(options),
    get: (sequence) => current.get(sequence),
  };
  await append(first, ...products(1, 66));
  await append(second as EventLog, ...products(5));
  await append(third as EventLog, ...products(5), ...products(1, 66));
  await append(fourth as EventLog, ...products(6));
  const rendering = createHtmlRenderer();
  const cleanText = (text: string): string => {
    if (text === "Product 66") throw new Error("boom");
    return text;
  };
  const projector = startProjector(data, switched, { rendering: { ...rendering, cleanText } });
  const isFaulted = ({ state, reason }: ProjectorStatus) =>
    state === "faulted" && reason?.includes("boom") === true;
  await projector.until(isFaulted);
  // The projector has applied nothing of the first log.
  current = second as EventLog;
  await projector.until(isLiveAt(5));
  // The rebuild from the third log stops at the event with the bug.
  current = third as EventLog;
  await projector.until(isFaulted);
  assert.is(await productCount(projector), 5);
  current = fourth as EventLog;
  await projector.until(isLiveAt(6));
  await projector.stop();
  for (const each of logs.slice(1)) await each.close();
});

test("a rebuild that cannot be compared with the previous generation goes live nevertheless", async (context) => {
  const newLog = await remade(context, 5);
  await append(newLog, ...products(9_200));
  const after = startProjector(context.data, newLog, {
    async onBatch() {
      if (killed) return;
      killed = true;
      const children = await childrenOf(process.pid);
      for (const [title, pid] of children) {
        if (title.includes("comparison-worker")) process.kill(pid, "SIGKILL");
      }
    },
  });
  let killed = false;
  await after.until(isLiveAt(9_200));
  assert.ok(killed);
  assert.is(await productCount(after), 9_200);
  assert.equal(after.directory.generations().length, 2);
  const live = after.directory.live() ?? "";
  assert.is(readComparison(live), undefined);
  await after.stop();
  await newLog.close();
});

test.run();
