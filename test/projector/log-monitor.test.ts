import { join } from "node:path";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { sendRequest } from "../../src/projector/control/client.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import {
  halting,
  open,
  productCount,
  products,
  suiteOfJournal,
  type World,
} from "./journal-suite.ts";

const test = suiteOfJournal("a projector that looks at its log");

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
  const projector = startProjector(data, away, { continuityIntervalMs: 2 });
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
  const { state, log: followed } = reconnecting(halting(log));
  const projector = startProjector(data, followed, { continuityIntervalMs: anHour });
  await projector.until(({ checkpoint }) => checkpoint === 3);
  state.current = other;
  await projector.until(({ state }) => state === "live");
  assert.is(await projector.read((moment) => moment.product(1)), undefined);
  assert.is(await productCount(projector), 2);
  await projector.stop();
  await other.close();
});

test("a log that comes back as another one is noticed at once, though it says nothing", async (world) => {
  const { log, data } = world;
  const other = await another(world, ...products(5));
  const { state, log: followed, reconnect } = reconnecting(log);
  const projector = startProjector(data, followed, { continuityIntervalMs: anHour });
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

/** A promise that is kept from outside. */
const deferred = <T>() => {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((keep, give) => {
    resolve = keep;
    reject = give;
  });
  return { promise, resolve, reject };
};

test("the end of a log that answers late is asked for once at a time", async ({ log, data }) => {
  await append(log, ...products(3));
  let answers: ReturnType<typeof deferred<void>> | undefined;
  let [asked, most] = [0, 0];
  const slow: EventLog = {
    ...log,
    async bounds() {
      asked += 1;
      most = Math.max(most, asked);
      await answers?.promise;
      asked -= 1;
      return log.bounds();
    },
  };
  const projector = startProjector(data, slow, { continuityIntervalMs: anHour });
  await projector.until(isLiveAt(3));
  answers = deferred();
  // Ten polls are due in this time.
  const due = performance.now() + 100;
  await projector.until(() => asked > 0 && performance.now() > due);
  answers.resolve();
  assert.is(most, 1);
  await append(log, ...products(1, 10));
  await projector.until(isLiveAt(4));
  await projector.stop();
});

test("a poll that fails after its watch was stopped reports nothing", async ({ log, data }) => {
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
  // By then nothing waits for a poll.
  held = polls + 4;
  await projector.until(() => polls === held);
  // A control request stops the watch; it is refused, and another watch begins.
  const placed = sendRequest(
    data,
    { kind: "rollback" },
    async () => true,
    new AbortController().signal,
  );
  await placed.catch(() => undefined);
  await projector.until(({ state }) => state === "live");
  late.reject(new VitrineError("event_log", "not connected"));
  await late.promise.catch(() => undefined);
  const { state, logReachable } = projector.status();
  assert.equal([state, logReachable], ["live", true]);
  await projector.stop();
});

test("a bug in a question to the log ends the projector instead of being taken for an outage", async ({
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
