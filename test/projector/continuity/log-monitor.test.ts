import { join } from "node:path";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { sendRequest } from "../../../src/projector/control/client.ts";
import { append, isLiveAt, startProjector } from "../../helpers/projector.ts";
import {
  halting,
  type JournalContext,
  open,
  productCount,
  products,
  suiteOfJournal,
} from "../journal-suite.ts";

const test = suiteOfJournal("a projector that looks at its log");

test("continuity checks of an unreachable log do not queue up", async ({ log, data }) => {
  await append(log, ...products(3));
  let isAway = false;
  let calls = 0;
  const away: EventLog = {
    ...log,
    async identity() {
      calls += 1;
      if (isAway) throw new VitrineError("event_log", "not connected");
      return log.identity();
    },
  };
  const projector = startProjector(data, away, { continuityIntervalMs: 2 });
  await projector.until(isLiveAt(3));
  isAway = true;
  await projector.until(({ state }) => state === "waiting");
  // While the log is unavailable, the projector makes fewer attempts than continuity checks are due.
  const due = performance.now() + 400;
  await projector.until(() => performance.now() > due);
  isAway = false;
  await projector.until(({ state }) => state === "live");
  const before = calls;
  await append(log, ...products(1, 10));
  await projector.until(isLiveAt(4));
  assert.ok(calls - before < 20, `${calls - before} comparisons`);
  await projector.stop();
});

/** Wraps a log so that the test can report a reconnection and replace the log by another one. */
const reconnecting = (first: EventLog) => {
  const listeners = new Set<() => void>();
  const state = { current: first, identityCalls: 0, mayCompare: Promise.resolve() };
  const log: EventLog = {
    ...first,
    async identity() {
      await state.mayCompare;
      return state.current.identity();
    },
    bounds() {
      state.identityCalls += 1;
      return state.current.bounds();
    },
    read: (options) => state.current.read(options),
    get: (sequence) => state.current.get(sequence),
    latestOfSubject: (subject) => state.current.latestOfSubject(subject),
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

/** Fills a log with three products, and another log with other events. */
const another = async (
  { log, home }: JournalContext,
  ...events: CloudEvent[]
): Promise<EventLog> => {
  const other = open(join(home.path, "other"));
  await append(log, ...products(3));
  await append(other, ...events);
  return other;
};

test("events of a log that has been replaced do not go live, however short the new log is", async (context) => {
  const { log, data } = context;
  const other = await another(context, ...products(2, 10));
  const { state, log: followed } = reconnecting(halting(log));
  const projector = startProjector(data, followed, { continuityIntervalMs: anHour });
  await projector.until(({ checkpoint }) => checkpoint === 3);
  state.current = other;
  await projector.until(({ state }) => state === "live");
  assert.is(await projector.read((snapshot) => snapshot.product(1)), undefined);
  assert.is(await productCount(projector), 2);
  await projector.stop();
  await other.close();
});

test("a log that reconnects as another one is noticed at once, without a new event", async (context) => {
  const { log, data } = context;
  const other = await another(context, ...products(5));
  const { state, log: followed, reconnect } = reconnecting(log);
  const projector = startProjector(data, followed, { continuityIntervalMs: anHour });
  await projector.until(isLiveAt(3));
  state.current = other;
  reconnect();
  await projector.until(isLiveAt(5));
  await projector.stop();
  await other.close();
});

test("a log that ends before the checkpoint is compared at once, though its connection stays", async ({
  log,
  home,
  data,
}) => {
  const other = open(join(home.path, "other"));
  await append(log, ...products(5));
  await append(other, ...products(4, 10));
  const { state, log: followed } = reconnecting(log);
  const projector = startProjector(data, followed, { continuityIntervalMs: anHour });
  await projector.until(isLiveAt(5));
  state.current = other;
  await projector.until(({ generation }) => generation === "0002");
  await projector.until(isLiveAt(4));
  assert.is(await productCount(projector), 4);
  await projector.stop();
  await other.close();
});

test("events that arrive during a continuity check are applied only when it succeeds", async (context) => {
  const { log, data } = context;
  const other = await another(context, ...products(7));
  const { state, log: followed, reconnect } = reconnecting(log);
  const applied: string[] = [];
  const projector = startProjector(data, followed, {
    continuityIntervalMs: anHour,
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
    const before = state.identityCalls;
    await projector.until(() => state.identityCalls > before + 20);
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

/** Creates a promise that the test resolves or rejects. */
const deferred = <T>() => {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  return { promise, resolve, reject };
};

test("a slow answer about the end of the log is not requested a second time meanwhile", async ({
  log,
  data,
}) => {
  await append(log, ...products(3));
  let answers: ReturnType<typeof deferred<void>> | undefined;
  let [calls, most] = [0, 0];
  const slow: EventLog = {
    ...log,
    async bounds() {
      calls += 1;
      most = Math.max(most, calls);
      await answers?.promise;
      calls -= 1;
      return log.bounds();
    },
  };
  const projector = startProjector(data, slow, { continuityIntervalMs: anHour });
  await projector.until(isLiveAt(3));
  answers = deferred();
  // Ten polls are due in this time.
  const due = performance.now() + 100;
  await projector.until(() => calls > 0 && performance.now() > due);
  answers.resolve();
  assert.is(most, 1);
  await append(log, ...products(1, 10));
  await projector.until(isLiveAt(4));
  await projector.stop();
});

test("a poll that fails after its monitor was stopped reports nothing", async ({ log, data }) => {
  await append(log, ...products(3));
  const late = deferred<never>();
  let polls = 0;
  let held = Number.POSITIVE_INFINITY;
  const holding: EventLog = {
    ...log,
    bounds() {
      polls += 1;
      return polls === held ? late.promise : log.bounds();
    },
  };
  const projector = startProjector(data, holding, { continuityIntervalMs: anHour });
  await projector.until(isLiveAt(3));
  // The fourth poll from here does not answer until the test rejects it.
  held = polls + 4;
  await projector.until(() => polls === held);
  // A rejected control request stops the monitor and starts another.
  const sent = sendRequest(
    data,
    { kind: "rollback" },
    async () => true,
    new AbortController().signal,
  );
  await sent.catch(() => undefined);
  await projector.until(({ state }) => state === "live");
  late.reject(new VitrineError("event_log", "not connected"));
  await late.promise.catch(() => undefined);
  const { state, logReachable } = projector.status();
  assert.equal([state, logReachable], ["live", true]);
  await projector.stop();
});

test("a TypeError of the log ends the projector and does not count as an outage", async ({
  log,
  data,
}) => {
  await append(log, ...products(3));
  const bug = new TypeError("x is not a function");
  let isBroken = false;
  const broken: EventLog = {
    ...log,
    bounds: () => (isBroken ? Promise.reject(bug) : log.bounds()),
  };
  const projector = startProjector(data, broken, { continuityIntervalMs: anHour });
  await projector.until(isLiveAt(3));
  isBroken = true;
  assert.is(await projector.ended, bug);
});

test.run();
