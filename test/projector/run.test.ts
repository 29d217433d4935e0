import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import { openJournal, trimJournal } from "../../src/event-log/journal.ts";
import type { EventLog } from "../../src/event-log/log.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { Order } from "../../src/projector/orders/order.ts";
import { placeOrder } from "../../src/projector/orders/place.ts";
import { createRendering } from "../../src/projector/rendering/index.ts";
import type { ProjectorStatus } from "../../src/projector/status.ts";
import { openDataDirectory } from "../../src/read-model/generation.ts";
import { readComparison } from "../../src/read-model/kept-comparison.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import {
  productDeleted,
  productUpserted,
  settingsUpdated,
  stockChanged,
  tokenRevoked,
} from "../helpers/events.ts";
import { append, isLiveAt, startProjector, type TestProjector } from "../helpers/projector.ts";
import { childrenOf } from "../helpers/vitrine.ts";

interface World {
  readonly home: TemporaryDirectory;
  readonly journal: string;
  log: EventLog;
  data: string;
}

const test = suite<World>("projector");
const open = (directory: string) => openJournal({ directory, now: Date.now });

test.before.each((world) => {
  const home = temporaryDirectory();
  const journal = join(home.path, "journal");
  Object.assign(world, { home, journal, log: open(journal), data: join(home.path, "data") });
});
test.after.each(async ({ log, home }) => {
  await log.close();
  home.remove();
});

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

const products = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => productUpserted({ id: from + at }));
const productCount = (projector: TestProjector) =>
  projector.ask((moment) => moment.counts().products);

test("nothing is live before the log holds something and its end was reached", async ({
  log,
  data,
}) => {
  const projector = startProjector(data, log);
  await projector.until(({ state }) => state === "live");
  assert.is(projector.directory.live(), undefined);
  await append(log, settingsUpdated(), ...products(3));
  await projector.until(isLiveAt(4));
  assert.is(await productCount(projector), 3);
  await projector.stop();
});

test("what the live generation holds is told again as it changes", async ({ log, data }) => {
  await append(log, ...products(3));
  const projector = startProjector(data, log);
  await projector.until(({ counts }) => counts?.products === 3);
  await append(log, ...products(2, 10));
  await projector.until(({ counts }) => counts?.products === 5);
  await projector.stop();
});

test("it goes on from its checkpoint after a restart, and follows later events", async ({
  log,
  data,
}) => {
  await append(log, ...products(3));
  const first = startProjector(data, log);
  await first.until(isLiveAt(3));
  await first.stop();
  await append(log, ...products(2, 10));
  const second = startProjector(data, log);
  await second.until(isLiveAt(5));
  assert.is(second.status().tally.applied, 5);
  assert.is(second.status().redelivered, 0);
  await append(log, stockChanged({ productId: 1 }));
  await second.until(isLiveAt(6));
  assert.is(await second.ask((moment) => moment.product(1)?.availability), "IN_STOCK");
  await second.stop();
});

test("lag is told in events and in seconds while a backlog is applied", async ({ log, data }) => {
  await append(log, ...products(9_200));
  const seen: { events: number; seconds: number }[] = [];
  const projector = startProjector(data, log, {
    onBatch() {
      const { lagEvents, lagSeconds } = projector.status();
      seen.push({ events: lagEvents, seconds: lagSeconds });
    },
  });
  await projector.until(isLiveAt(9_200));
  assert.equal(
    seen.map(({ events }) => events),
    [200, 0],
  );
  assert.ok((seen[0]?.seconds ?? 0) > 0);
  assert.is(seen.at(-1)?.seconds, 0);
  await projector.stop();
});

test("a backlog is folded as one batch, however many chunks it comes in", async ({ log, data }) => {
  const moves = Array.from({ length: 3_500 }, (_, at) => stockChanged({ productId: 1 + (at % 9) }));
  await append(log, ...moves);
  const applied: number[] = [];
  const projector = startProjector(data, log, {
    onBatch: (batch) => void applied.push(batch.applied),
  });
  await projector.until(isLiveAt(3_500));
  assert.equal(applied, [3_500]);
  await projector.stop();
});

test("what was folded is committed when the rest of a backlog does not come", async ({
  log,
  data,
}) => {
  await append(log, ...products(3));
  const halting: EventLog = {
    ...log,
    bounds: async () => ({ first: 1, last: 9, whole: true }),
    async *read(options) {
      yield* log.read({ ...options, follow: false });
      await new Promise((resolve) => options.signal?.addEventListener("abort", resolve));
    },
  };
  const projector = startProjector(data, halting);
  const { lagEvents } = await projector.until(({ checkpoint }) => checkpoint === 3);
  assert.is(lagEvents, 6);
  await projector.stop();
});

test("a projector that is stopped commits what it has folded", async ({ log, data }) => {
  await append(log, ...products(3));
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const halting: EventLog = {
    ...log,
    bounds: async () => ({ first: 1, last: 9, whole: true }),
    async *read(options) {
      yield* log.read({ ...options, follow: false });
      isAsked();
      await new Promise((resolve) => options.signal?.addEventListener("abort", resolve));
    },
  };
  const projector = startProjector(data, halting);
  await asked;
  await projector.stop();
  assert.is(projector.status().checkpoint, 3);
});

test("a log made anew under the same name is noticed, and rebuilt from", async (world) => {
  const anew = await remade(world, 5);
  await append(anew, ...products(6, 100));
  const after = startProjector(world.data, anew);
  const former = after.directory.live();
  await after.until(isLiveAt(6));
  assert.is.not(after.directory.live(), former);
  assert.is(after.directory.previous(), former);
  assert.is(await after.ask((moment) => moment.product(1)), undefined);
  assert.ok(await after.ask((moment) => moment.product(100)));
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
      await append(anew, ...products(1, (more += 1)));
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
        await append(anew, ...products(1, 100 + (told += 1)));
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

test("a journal whose directory was away for a moment is followed on when it is back", async ({
  log,
  journal,
  data,
}) => {
  await append(log, ...products(3));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(3));
  renameSync(journal, `${journal}.away`);
  const { reason } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "was removed while it was open; put it back");
  renameSync(`${journal}.away`, journal);
  await append(log, ...products(2, 10));
  await projector.until(isLiveAt(5));
  await projector.stop();
});

test("while an order is carried out nothing is applied, and the lag says so", async ({
  log,
  data,
}) => {
  const bad = productUpserted({ id: 9, name: 5 as never });
  await append(log, ...products(2), bad);
  let isHeld = false;
  let looks = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const held: EventLog = {
    ...log,
    async at(sequence) {
      // The first who asks looks where the log ends; the next one is at work.
      if (isHeld && (looks += 1) > 1) {
        isAsked();
        await released;
      }
      return log.at(sequence);
    },
  };
  const projector = startProjector(data, held, { checkEvery: 600_000 });
  await projector.until(isLiveAt(3));
  isHeld = true;
  const order: Order = { kind: "retry", sequences: null };
  const answer = placeOrder(data, order, () => Promise.resolve(true), new AbortController().signal);
  await asked;
  await append(log, ...products(1, 20));
  const told = projector.until(({ lagEvents, lagSeconds }) => lagEvents === 2 && lagSeconds > 0.5);
  await append(log, ...products(1, 10));
  await told.finally(release);
  await answer;
  await projector.until(isLiveAt(5));
  await projector.stop();
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
    bounds: async () => (isTrimmed ? { first: 9, last: 9, whole: false } : await log.bounds()),
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

test("a failing projection stops the applying, not the reads, and is told", async ({
  log,
  data,
}) => {
  await append(log, ...products(2));
  const rendering = createRendering();
  const projector = startProjector(data, log, {
    rendering: {
      ...rendering,
      plain(text) {
        if (text === "Product 66") throw new Error("boom");
        return text;
      },
    },
  });
  await projector.until(isLiveAt(2));
  await append(log, ...products(1, 66));
  const { reason, checkpoint } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "boom");
  assert.is(checkpoint, 2);
  assert.is(await productCount(projector), 2);
  await projector.stop();
});

test("an order that cannot be taken keeps neither the log nor timers waiting", async ({
  log,
  data,
}) => {
  const projector = startProjector(data, log);
  await append(log, ...products(2));
  await projector.until(isLiveAt(2));
  for (const name of ["stuck.json", "stuck.taken"])
    mkdirSync(join(data, "orders", name), { recursive: true });
  writeFileSync(join(data, "orders", "stuck.taken", "file"), "");
  await append(log, ...products(1, 3));
  await projector.until(isLiveAt(3));
  await projector.stop();
});

test("a generation whose link cannot be made is told, and goes live once it can be", async ({
  log,
  data,
}) => {
  await append(log, ...products(2));
  const directory = openDataDirectory(data);
  mkdirSync(join(data, "live"));
  const projector = startProjector(data, log);
  const { reason, logReachable } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", /the generation cannot go live: .*; make room on the disk/);
  assert.is(logReachable, true);
  assert.is(directory.live(), undefined);
  rmSync(join(data, "live"), { recursive: true });
  await projector.until(isLiveAt(2));
  await projector.stop();
});

test("what the system lacks while events are folded is no bug of a projection", async ({
  log,
  data,
}) => {
  await append(log, ...products(1));
  const rendering = createRendering();
  const full = Object.assign(new Error("MDB_READERS_FULL"), { code: -30790 });
  const projector = startProjector(data, log, {
    rendering: {
      ...rendering,
      plain() {
        throw full;
      },
    },
  });
  // Its process ends by it, and the next one may have what this one lacked.
  assert.is(await projector.ended, full);
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
    at: (sequence) => current.at(sequence),
  };
  await append(first, ...products(1, 66));
  await append(second as EventLog, ...products(5));
  await append(third as EventLog, ...products(5), ...products(1, 66));
  await append(fourth as EventLog, ...products(6));
  const rendering = createRendering();
  const plain = (text: string): string => {
    if (text === "Product 66") throw new Error("boom");
    return text;
  };
  const projector = startProjector(data, switched, { rendering: { ...rendering, plain } });
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
  const withdrawn = await second.ask((moment) => moment.agent("watcher")?.revoked);
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

test("comparisons with a log that is away do not queue until it is back", async ({ log, data }) => {
  await append(log, ...products(3));
  let isAway = false;
  let asked = 0;
  const away: EventLog = {
    ...log,
    async identity() {
      asked += 1;
      if (isAway) throw new VitrineError("event_log", "not connected");
      return log.identity();
    },
  };
  const projector = startProjector(data, away, { checkEvery: 2 });
  await projector.until(isLiveAt(3));
  isAway = true;
  await projector.until(({ state }) => state === "waiting");
  // The tries in between are fewer than the comparisons that were due.
  const due = performance.now() + 400;
  await projector.until(() => performance.now() > due);
  isAway = false;
  await projector.until(({ state }) => state === "live");
  const before = asked;
  await append(log, ...products(1, 10));
  await projector.until(isLiveAt(4));
  assert.ok(asked - before < 20, `${asked - before} comparisons`);
  await projector.stop();
});

/** A log whose connection breaks when it is told to, and which may be another one when it is back. */
const reconnecting = (first: EventLog) => {
  const listeners = new Set<() => void>();
  const state = { current: first, looks: 0, mayCompare: Promise.resolve() };
  const log: EventLog = {
    ...first,
    async identity() {
      await state.mayCompare;
      return state.current.identity();
    },
    bounds() {
      state.looks += 1;
      return state.current.bounds();
    },
    read: (options) => state.current.read(options),
    at: (sequence) => state.current.at(sequence),
    newestOf: (subject) => state.current.newestOf(subject),
    onReconnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const reconnect = (): void => {
    for (const listener of [...listeners]) listener();
  };
  return { state, log, reconnect };
};
const anHour = 3_600_000;

/** A log of three products, and another one. */
const another = async ({ log, home }: World, ...told: CloudEvent[]): Promise<EventLog> => {
  const other = open(join(home.path, "other"));
  await append(log, ...products(3));
  await append(other, ...told);
  return other;
};

test("what was read of a log that is another one by now does not go live, however short that one is", async (world) => {
  const { log, data } = world;
  const other = await another(world, ...products(2, 10));
  const halting: EventLog = {
    ...log,
    bounds: async () => ({ first: 1, last: 9, whole: true }),
    async *read(options) {
      yield* log.read({ ...options, follow: false });
      await new Promise((resolve) => options.signal?.addEventListener("abort", resolve));
    },
  };
  const { state, log: followed } = reconnecting(halting);
  const projector = startProjector(data, followed, { checkEvery: anHour });
  await projector.until(({ checkpoint }) => checkpoint === 3);
  state.current = other;
  await projector.until(({ state }) => state === "live");
  assert.is(await projector.ask((moment) => moment.product(1)), undefined);
  assert.is(await productCount(projector), 2);
  await projector.stop();
  await other.close();
});

test("a log that comes back as another one is noticed at once, though it says nothing", async (world) => {
  const { log, data } = world;
  const other = await another(world, ...products(5));
  const { state, log: followed, reconnect } = reconnecting(log);
  const projector = startProjector(data, followed, { checkEvery: anHour });
  await projector.until(isLiveAt(3));
  state.current = other;
  reconnect();
  await projector.until(isLiveAt(5));
  await projector.stop();
  await other.close();
});

test("what comes while a log is compared is applied when that ended well, and else never", async (world) => {
  const { log, data } = world;
  const other = await another(world, ...products(7));
  const { state, log: followed, reconnect } = reconnecting(log);
  const applied: string[] = [];
  const projector = startProjector(data, followed, {
    checkEvery: anHour,
    onBatch: ({ checkpoint: { sequence, identity } }) =>
      void applied.push(`${identity.name} ${sequence}`),
  });
  await projector.until(isLiveAt(3));
  const { name } = await log.identity();
  for (const next of [log, other]) {
    let compare = (): void => undefined;
    state.mayCompare = new Promise((resolve) => {
      compare = resolve;
    });
    reconnect();
    const { checkpoint } = projector.status();
    await append(log, ...products(1, 10 + checkpoint));
    const before = state.looks;
    await projector.until(() => state.looks > before + 20);
    assert.is(projector.status().checkpoint, checkpoint);
    state.current = next;
    compare();
    await projector.until(isLiveAt(next === log ? 4 : 7));
  }
  assert.ok(applied.includes(`${name} 4`));
  assert.not.ok(applied.includes(`${name} 5`));
  await projector.stop();
  await other.close();
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
        if (title.includes("compare-process")) process.kill(pid, "SIGKILL");
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
