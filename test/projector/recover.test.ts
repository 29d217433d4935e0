import { rmSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { trimJournal } from "../../src/event-log/journal/index.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import type { ProjectorStatus } from "../../src/projector/status.ts";
import { readComparison } from "../../src/read-model/compare/comparison-file.ts";
import { productDeleted, stockChanged } from "../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { childrenOf } from "../helpers/vitrine.ts";
import { open, productCount, products, suiteOfJournal, type World } from "./journal-suite.ts";

const test = suiteOfJournal("a projector whose log is another one");

/** Replays events into a model, then makes the journal anew, empty: another log under the same name. */
const remade = async ({ log, journal, data }: World, events: number): Promise<EventLog> => {
  await append(log, ...products(events));
  const before = startProjector(data, log);
  await before.until(isLiveAt(events));
  await before.stop();
  await log.close();
  rmSync(journal, { recursive: true });
  return open(journal);
};

test("a log made anew under the same name is noticed, and rebuilt from", async (world) => {
  const anew = await remade(world, 5);
  await append(anew, ...products(6, 100));
  const after = startProjector(world.data, anew);
  const former = after.directory.live();
  await after.until(isLiveAt(6));
  assert.is.not(after.directory.live(), former);
  assert.is(after.directory.previous(), former);
  assert.is(await after.read((moment) => moment.product(1)), undefined);
  assert.ok(await after.read((moment) => moment.product(100)));
  await after.stop();
  await anew.close();
});

test("a rebuild ends though events keep coming, and says meanwhile how old the answers are", async (world) => {
  const anew = await remade(world, 5);
  await append(anew, ...products(6, 100));
  let more = 200;
  const busy: EventLog = {
    ...anew,
    // Whoever looks where it ends finds it ended elsewhere by the time it has read.
    async identity() {
      more += 1;
      await append(anew, ...products(1, more));
      return anew.identity();
    },
  };
  const after = startProjector(world.data, busy);
  const former = after.directory.live();
  await after.until(({ state, lagSeconds }) => state === "rebuilding" && lagSeconds > 3);
  await after.until(({ state }) => state === "live", 30);
  assert.is.not(after.directory.live(), former);
  assert.ok(after.status().lagSeconds < 1);
  await after.stop();
  await anew.close();
});

test("and waits for a shop that is telling its products again, as long as that takes", async (world) => {
  const anew = await remade(world, 5);
  let told = 0;
  const begun = performance.now();
  const republished: EventLog = {
    ...anew,
    async identity() {
      // Four of five would be enough, and come late.
      if (told < 3 || performance.now() - begun > 14_000) {
        told += 1;
        await append(anew, ...products(1, 100 + told));
      } else await append(anew, stockChanged({ productId: 101 }));
      return anew.identity();
    },
  };
  const after = startProjector(world.data, republished);
  const states = new Set<string>();
  await after.until(({ state, generation }) => {
    states.add(state);
    return state === "live" && generation === "0002";
  }, 30);
  assert.not(states.has("faulted"), [...states].join(", "));
  assert.ok((await productCount(after)) >= 4);
  await after.stop();
  await anew.close();
});

test("on divergence stop: nothing more is applied, the model goes on answering, and the reason is told", async (world) => {
  const anew = await remade(world, 5);
  await append(anew, ...products(9, 100));
  const after = startProjector(world.data, anew, { onDivergence: "stop" });
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "another log under the same name");
  assert.match(reason ?? "", "--on-divergence rebuild");
  assert.is(await productCount(after), 5);
  await after.stop();
  await anew.close();
});

test("a log that gets back the history it had lost is followed on, without a restart", async ({
  log,
  data,
}) => {
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

test("a log that goes away in the middle of a rebuild is waited for, and the rebuild begins again", async (world) => {
  const anew = await remade(world, 5);
  await append(anew, ...products(6, 100));
  let refusals = 0;
  const away: EventLog = {
    ...anew,
    async identity() {
      if (after.status().state === "rebuilding" && refusals < 2) {
        refusals += 1;
        throw new VitrineError("event_log", "not connected");
      }
      return anew.identity();
    },
  };
  const after = startProjector(world.data, away);
  await after.until(isLiveAt(6));
  assert.is(refusals, 2);
  await after.stop();
  await anew.close();
});

test("a log that becomes another in the middle of a rebuild is rebuilt from again", async (world) => {
  const anew = await remade(world, 5);
  await append(anew, ...products(6, 100));
  let breaks = 0;
  const broken: EventLog = {
    ...anew,
    read(options) {
      if (options.follow || breaks === 2) return anew.read(options);
      breaks += 1;
      throw new VitrineError("divergence", "it is another log");
    },
  };
  const after = startProjector(world.data, broken);
  await after.until(isLiveAt(6));
  assert.is(breaks, 2);
  await after.stop();
  await anew.close();
});

test("a rebuild that would lose more than a fifth of the products waits until the log has them", async (world) => {
  const anew = await remade(world, 10);
  await append(anew, ...products(7));
  const after = startProjector(world.data, anew);
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "7 of 10 products");
  assert.equal([after.status().generation, after.status().checkpoint], ["0001", 10]);
  assert.is(await productCount(after), 10);
  assert.is(after.directory.generations().length, 1);
  const states = new Set<string>();
  await append(anew, ...products(1, 20));
  await after.until((status) => {
    if (status.generation === "0001") states.add(status.state);
    return status.generation !== "0001" && isLiveAt(8)(status);
  });
  assert.not(states.has("live"), "it was at the end of another log");
  assert.is(await productCount(after), 8);
  await after.stop();
  await anew.close();
});

test("what a rebuild misses may come in the moment that it is given up", async (world) => {
  const anew = await remade(world, 10);
  await append(anew, ...products(7));
  let isToldAgain = false;
  const growing: EventLog = {
    ...anew,
    async bounds() {
      if (after.status().state === "faulted" && !isToldAgain) {
        isToldAgain = true;
        await append(anew, ...products(3, 8));
      }
      return anew.bounds();
    },
  };
  const after = startProjector(world.data, growing);
  await after.until(isLiveAt(10));
  assert.ok(isToldAgain);
  assert.is(await productCount(after), 10);
  await after.stop();
  await anew.close();
});

test("a journal that is replaced while it is followed ends the process, and the next one reads the new one", async ({
  log,
  data,
  journal,
}) => {
  await append(log, ...products(3));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(3));
  rmSync(journal, { recursive: true });
  const anew = open(journal);
  const ended = await projector.ended;
  assert.is(ended.code, "reopen");
  assert.match(ended.message, "was replaced while it was open");
  assert.is(await productCount(projector), 3);
  await append(anew, ...products(5, 50));
  const next = startProjector(data, anew);
  await next.until(isLiveAt(5));
  assert.is(await productCount(next), 5);
  await next.stop();
  await anew.close();
});

test("history trimmed past the checkpoint is a gap: it stops and says what to do", async ({
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

test("history trimmed before the checkpoint is no gap", async ({ log, data, journal }) => {
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

test("with a bug in a projection another log is noticed, whatever was read of the one before", async ({
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
  // Nothing was read of it.
  current = second as EventLog;
  await projector.until(isLiveAt(5));
  // Its rebuild meets the bug.
  current = third as EventLog;
  await projector.until(isFaulted);
  assert.is(await productCount(projector), 5);
  current = fourth as EventLog;
  await projector.until(isLiveAt(6));
  await projector.stop();
  for (const each of logs.slice(1)) await each.close();
});

test("a rebuild that cannot be compared with the generation before goes live all the same", async (world) => {
  const anew = await remade(world, 5);
  await append(anew, ...products(12_000));
  const after = startProjector(world.data, anew, {
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
  await after.until(isLiveAt(12_000));
  assert.ok(killed);
  assert.is(await productCount(after), 12_000);
  assert.equal(after.directory.generations().length, 2);
  const live = after.directory.live() ?? "";
  assert.is(readComparison(live), undefined);
  await after.stop();
  await anew.close();
});

test.run();
