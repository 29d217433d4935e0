/** Streams whose history changed while the projector could not see it. */
import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect, DiscardPolicy, nanos } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { toHeaders } from "../../src/event-log/jetstream/headers.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { type CloudEvent, toMessage } from "../../src/events/envelope.ts";
import type { ProjectorStatus } from "../../src/projector/status.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import {
  editBetweenStarts,
  type NatsOperator,
  type NatsServer,
  natsOperator,
  startNats,
} from "../helpers/nats.ts";
import {
  append,
  isLiveAt,
  mustEqualReplay,
  mustHoldRowsOfReplay,
  startProjector,
  type TestProjector,
} from "../helpers/projector.ts";
import { followSequence, projectorOf } from "../helpers/projector-process.ts";
import { stop, until } from "../helpers/vitrine.ts";
import { startProxy, type TcpProxy } from "../torture/proxy.ts";

interface World {
  readonly home: TemporaryDirectory;
  readonly nats: NatsServer;
  /** Between the projector's log and the broker. */
  readonly proxy: TcpProxy;
  readonly log: EventLog;
  readonly data: string;
  projector?: TestProjector;
}

const test = suite<World>("a projector whose log changed while it was cut off");
const open = (url: string, stream = "SHOP") =>
  openEventLog(url, { dataDir: "", now: Date.now, stream });

test.before.each(async (world) => {
  const home = temporaryDirectory();
  const nats = await startNats();
  const proxy = await startProxy(nats.port);
  const log = await open(`nats://127.0.0.1:${proxy.port}`);
  Object.assign(world, { home, nats, proxy, log, data: join(home.path, "data") });
});
test.after.each(async ({ home, nats, proxy, log, projector }) => {
  await projector?.stop();
  await log.close();
  await proxy.close();
  await nats.remove();
  home.remove();
});

/** Products of which each tells by its name which history it is of. */
const told = (history: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, at) =>
    productUpserted({ id: from + at, name: `${history} ${from + at}` }),
  );

/** The names of all products, as `told` gave them. */
const shownBy = (projector: TestProjector): Promise<string> =>
  projector.read((moment) =>
    Array.from({ length: 40 }, (_, at) => moment.product(at + 1)?.name)
      .filter(Boolean)
      .join(),
  );
const namesOf = (history: string, count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `${history} ${from + at}`).join();

/** Only the look after a reconnect finds what changed: the one that comes every so often is far off. */
const start = async (world: World, sequence: number): Promise<TestProjector> => {
  const projector = startProjector(world.data, world.log, { continuityIntervalMs: 600_000 });
  world.projector = projector;
  await projector.until(isLiveAt(sequence));
  return projector;
};

/** Cuts the projector off and lets it come back: resolves as soon as it is connected again. */
const whileCutOff = async (
  { proxy, log }: World,
  change: () => Promise<unknown>,
): Promise<void> => {
  proxy.cut();
  await change();
  const back = new Promise<void>((resolve) => {
    const forget = log.onReconnect(() => {
      forget();
      resolve();
    });
  });
  proxy.heal();
  await back;
};

/** Whoever changes the stream meanwhile, and whoever tells it more. */
interface Away {
  readonly operator: NatsOperator;
  readonly log: EventLog;
}

const changedMeanwhile = (world: World, change: (away: Away) => Promise<unknown>): Promise<void> =>
  whileCutOff(world, async () => {
    const operator = await natsOperator(world.nats.url);
    const log = await open(world.nats.url);
    await change({ operator, log });
    await log.close();
    await operator.disconnect();
  });

/** Seconds after a reconnect in which another history is noticed (`deploy/promises.md`, 9). */
const noticedWithin = 5;
/** And in which it is where the connection stays. */
const noticedAtLast = 30;

const isNoticed = ({ state, generation }: ProjectorStatus): boolean =>
  state === "rebuilding" || state === "faulted" || generation !== "0001";

/** All that is shown from now on, until it is asked for. */
const watched = (projector: TestProjector): (() => Promise<readonly string[]>) => {
  const shown = new Set<string>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      shown.add(await shownBy(projector));
      await delay(2);
    }
  })();
  // For whoever asks: a test that failed before has no use for it.
  watching.catch(() => undefined);
  return async () => {
    isOver = true;
    await watching;
    shown.add(await shownBy(projector));
    return [...shown];
  };
};

/** Another history is noticed in time, and the live model is at no moment of both. */
const mustBeRebuilt = async (
  world: World,
  projector: TestProjector,
  change: () => Promise<unknown>,
  expected: { readonly reason: string; readonly shown: string; readonly last: number },
): Promise<void> => {
  const before = await shownBy(projector);
  const seen = watched(projector);
  await change();
  const { reason } = await projector.until(isNoticed, noticedWithin);
  assert.match(reason ?? "", expected.reason);
  await projector.until(
    (status) => status.generation !== "0001" && isLiveAt(expected.last)(status),
  );
  assert.equal(await seen(), [before, expected.shown]);
  await projector.stop();
  await mustEqualReplay(world.data, world.log, expected.last);
};

/** A gap is noticed in time, told with its reason, and nothing behind it is applied. */
const mustBeGap = async (
  projector: TestProjector,
  change: () => Promise<unknown>,
  reason: string,
): Promise<void> => {
  const before = [await shownBy(projector)];
  const seen = watched(projector);
  await change();
  const noticed = await projector.until(isNoticed, noticedWithin);
  assert.is(noticed.state, "faulted");
  assert.match(noticed.reason ?? "", reason);
  assert.match(noticed.reason ?? "", "no longer holds the whole history");
  assert.equal(await seen(), before);
  await projector.stop();
};

/** What changed took nothing away that was not read: the same generation goes on. */
const mustGoOn = async (
  world: World,
  projector: TestProjector,
  change: () => Promise<unknown>,
  { shown, last }: { readonly shown: string; readonly last: number },
): Promise<void> => {
  await change();
  await append(world.log, ...told("Next", 1, 40));
  await projector.until((status) => isNoticed(status) || isLiveAt(last + 1)(status));
  assert.is(projector.status().reason, null);
  assert.equal([projector.status().generation, projector.status().redelivered], ["0001", 0]);
  assert.is(await shownBy(projector), `${shown},Next 40`);
  await projector.stop();
};

const limit = async (
  { operator }: Away,
  limits: Parameters<NatsOperator["streams"]["update"]>[1],
): Promise<void> => {
  const { config } = await operator.streams.info("SHOP");
  await operator.streams.update("SHOP", { ...config, ...limits });
};

/** Lets all that the stream holds grow too old for it, and gives it back its patience. */
const expire = async (away: Away): Promise<void> => {
  await limit(away, { max_age: nanos(200), duplicate_window: nanos(200) });
  while ((await away.operator.streams.info("SHOP")).state.messages > 0) await delay(20);
  await limit(away, { max_age: nanos(3_600_000) });
};

const purgeTo = ({ operator }: Away, seq: number) => operator.streams.purge("SHOP", { seq });

const forget = async ({ operator }: Away, ...sequences: readonly number[]): Promise<void> => {
  for (const sequence of sequences) await operator.streams.deleteMessage("SHOP", sequence);
};

const copyOf = async ({ nats }: World): Promise<string> => {
  await nats.stop();
  const copy = `${nats.store}-copy`;
  cpSync(nats.store, copy, { recursive: true });
  await nats.start();
  return copy;
};

const restore = async ({ nats }: World, copy: string): Promise<void> => {
  await nats.kill();
  rmSync(nats.store, { recursive: true });
  cpSync(copy, nats.store, { recursive: true });
  await nats.start();
};

test("a stream deleted and made anew, as long as before, is rebuilt from", async (world) => {
  await append(world.log, ...told("First", 6));
  const projector = await start(world, 6);
  const anew = () =>
    changedMeanwhile(world, async ({ operator, log }) => {
      const { config } = await operator.streams.info("SHOP");
      await operator.streams.delete("SHOP");
      await operator.streams.add(config);
      await append(log, ...told("Second", 6));
    });
  const reason = "another log under the same name";
  await mustBeRebuilt(world, projector, anew, { reason, shown: namesOf("Second", 6), last: 6 });
});

test("a store that went back to an older copy is rebuilt from", async (world) => {
  await append(world.log, ...told("First", 9));
  const copy = await copyOf(world);
  await append(world.log, ...told("First", 2, 10));
  const projector = await start(world, 11);
  const older = () => whileCutOff(world, () => restore(world, copy));
  const reason = "ends at sequence 9, before the checkpoint 11";
  await mustBeRebuilt(world, projector, older, { reason, shown: namesOf("First", 9), last: 9 });
});

test("a store that went back, and whose sequences were used again, is rebuilt from, though the record at the checkpoint is gone", async (world) => {
  await append(world.log, ...told("First", 4));
  const copy = await copyOf(world);
  await append(world.log, ...told("First", 2, 5));
  const projector = await start(world, 6);
  const rewritten = () =>
    changedMeanwhile(world, async (away) => {
      await restore(world, copy);
      await append(away.log, ...told("Second", 6));
      const operator = await natsOperator(world.nats.url);
      await operator.streams.deleteMessage("SHOP", 6);
      await operator.disconnect();
    });
  const shown = `${namesOf("Second", 1)},First 2,${namesOf("Second", 4, 3)}`;
  const reason = "holds another event at sequence 5";
  await mustBeRebuilt(world, projector, rewritten, { reason, shown, last: 10 });
});

test("a store of one event a subject that went back is rebuilt from, though all that was read last is superseded", async (world) => {
  const operator = await natsOperator(world.nats.url);
  const { config } = await operator.streams.info("SHOP");
  await operator.streams.update("SHOP", { ...config, max_msgs_per_subject: 1 });
  await operator.disconnect();
  await append(world.log, ...told("First", 20));
  const copy = await copyOf(world);
  await append(world.log, ...told("Lost", 20));
  const projector = await start(world, 40);
  const older = () =>
    changedMeanwhile(world, async (away) => {
      await restore(world, copy);
      // A few products that change often, until the checkpoint is long passed.
      for (let tick = 0; tick < 15; tick += 1) await append(away.log, ...told("Second", 2));
    });
  const shown = `${namesOf("Second", 2)},${namesOf("First", 18, 3)}`;
  const reason = "holds another event at sequence 40";
  await mustBeRebuilt(world, projector, older, { reason, shown, last: 50 });
});

test("of a store of some events a subject the newest may be deleted, which leaves those before it", async (world) => {
  const operator = await natsOperator(world.nats.url);
  const { config } = await operator.streams.info("SHOP");
  await operator.streams.update("SHOP", { ...config, max_msgs_per_subject: 5 });
  await operator.disconnect();
  for (const history of ["First", "Second", "Third"]) await append(world.log, ...told(history, 3));
  const projector = await start(world, 9);
  const deleted = async () => {
    await changedMeanwhile(world, (away) => forget(away, 9));
    // A server of this age knows of those before it after a start.
    await whileCutOff(world, async () => {
      await world.nats.stop();
      await world.nats.start();
    });
  };
  await mustGoOn(world, projector, deleted, { shown: namesOf("Third", 3), last: 9 });
});

test("a purge of events that were not read is a gap", async (world) => {
  await append(world.log, ...told("First", 3));
  const projector = await start(world, 3);
  const purged = () =>
    changedMeanwhile(world, async ({ operator, log }) => {
      await append(log, ...told("Second", 4));
      await operator.streams.purge("SHOP", { seq: 6 });
    });
  await mustBeGap(projector, purged, "events 4 to 5 are gone");
});

for (const [title, later] of [
  ["events that grew too old before they were read are a gap", told("Second", 2, 3)],
  ["all events grown too old, the last of them not read, are a gap before another event comes", []],
] as const) {
  test(title, async (world) => {
    await append(world.log, ...told("First", 3));
    const projector = await start(world, 3);
    const expired = () =>
      changedMeanwhile(world, async (away) => {
        await append(away.log, ...told("Second", 2));
        await expire(away);
        if (later.length > 0) await append(away.log, ...later);
      });
    await mustBeGap(projector, expired, "events 4 to 5 are gone");
  });
}

for (const [what, events, limits] of [
  ["empty again", 0, {}],
  ["that begins late", 30, { max_msgs: 10, discard: DiscardPolicy.Old }],
] as const) {
  test(`a stream made anew, ${what}, before its first event was read is followed from its beginning`, async (world) => {
    const projector = startProjector(world.data, world.log, { continuityIntervalMs: 600_000 });
    world.projector = projector;
    await projector.until(({ state }) => state === "live");
    const anew = () =>
      changedMeanwhile(world, async ({ operator, log }) => {
        const { config } = await operator.streams.info("SHOP");
        await operator.streams.delete("SHOP");
        await operator.streams.add({ ...config, ...limits });
        await append(log, ...told("Second", events));
      });
    await anew();
    await projector.until(isLiveAt(events));
    await append(world.log, ...told("Second", 3, events + 1));
    const { generation } = await projector.until(isLiveAt(events + 3));
    assert.is(generation, "0001", "there was nothing to be made anew");
    const first = Math.max(1, events - 9);
    assert.is(await shownBy(projector), namesOf("Second", events + 4 - first, first));
  });
}

test("events that grew too old once they were applied are missed by nobody", async (world) => {
  await append(world.log, ...told("First", 3));
  const projector = await start(world, 3);
  const expired = () => changedMeanwhile(world, expire);
  await mustGoOn(world, projector, expired, { shown: namesOf("First", 3), last: 3 });
});

test("events that newer ones of their subjects replaced are missed by nobody, read or not", async (world) => {
  await append(world.log, ...told("First", 3));
  const projector = await start(world, 3);
  const compacted = () =>
    changedMeanwhile(world, async (away) => {
      await limit(away, { max_msgs_per_subject: 1 });
      await append(away.log, ...told("Second", 3), ...told("Third", 3));
      assert.is((await away.log.bounds()).first, 7);
    });
  await mustGoOn(world, projector, compacted, { shown: namesOf("Third", 3), last: 9 });
  await mustHoldRowsOfReplay(world.data, world.log, 10);
});

test("unread events that a limit took from a stream of one event a subject are a gap", async (world) => {
  await append(world.log, ...told("First", 3));
  const projector = await start(world, 3);
  const limited = () =>
    changedMeanwhile(world, async (away) => {
      await limit(away, { max_msgs_per_subject: 1 });
      await append(away.log, ...told("Second", 6));
      await limit(away, { max_msgs_per_subject: 1, max_msgs: 2 });
    });
  await mustBeGap(projector, limited, "events 4 to 7 are gone");
});

test("the event at the checkpoint, and one before it, may be deleted", async (world) => {
  await append(world.log, ...told("First", 5));
  const projector = await start(world, 5);
  const deleted = () => changedMeanwhile(world, (away) => forget(away, 3, 5));
  await mustGoOn(world, projector, deleted, { shown: namesOf("First", 5), last: 5 });
});

test("every event that the checkpoint remembers may be deleted", async (world) => {
  await append(world.log, ...told("First", 20));
  const projector = await start(world, 20);
  const all = Array.from({ length: 19 }, (_, at) => at + 2);
  const deleted = () => changedMeanwhile(world, (away) => forget(away, ...all));
  await mustGoOn(world, projector, deleted, { shown: namesOf("First", 20), last: 20 });
});

test("an event deleted before it was read is a legal hole, at the end of the stream too", async (world) => {
  await append(world.log, ...told("First", 3));
  const projector = await start(world, 3);
  await changedMeanwhile(world, async (away) => {
    await append(away.log, ...told("Second", 2), ...told("Third", 1, 4));
    await forget(away, 5, 6);
  });
  await projector.until(isLiveAt(4), 20);
  assert.is(await shownBy(projector), "Second 1,First 2,First 3");
  await projector.stop();
});

test("a stream whose newest event was deleted is shown from the first start on", async (world) => {
  await append(world.log, ...told("First", 3));
  const operator = await natsOperator(world.nats.url);
  await operator.streams.deleteMessage("SHOP", 3);
  await operator.disconnect();
  const projector = await start(world, 2);
  assert.is(await shownBy(projector), "First 1,First 2");
});

/**
 * Makes a stream that takes the subjects, filled as a shop fills it: what names the stream it is meant for, as our own
 * events do, is refused by a mirror of nats-server 2.9.
 */
const fill = async (
  { nats }: World,
  name: string,
  events: readonly CloudEvent[],
): Promise<void> => {
  const connection = await connect({ servers: nats.url });
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name, subjects: ["shop.>"] });
  for (const event of events) {
    const json = Buffer.from(JSON.stringify(event));
    const { id, subject, headers, body } = toMessage(
      { ...event, subject: `${event.subject}` },
      json,
    );
    const options = { msgID: id, headers: toHeaders(headers) };
    await connection.jetstream().publish(subject, body, options);
  }
  await connection.close();
};

const mirror = async (operator: NatsOperator, source: string): Promise<void> => {
  await operator.streams.add({ name: "SHOP", mirror: { name: source } });
};

test("a mirror of another stream in the place of the stream is rebuilt from", async (world) => {
  await append(world.log, ...told("First", 6));
  const projector = await start(world, 6);
  const swapped = () =>
    changedMeanwhile(world, async ({ operator }) => {
      await operator.streams.delete("SHOP");
      await fill(world, "OTHER", told("Second", 8));
      await mirror(operator, "OTHER");
    });
  const reason = "another log under the same name";
  await mustBeRebuilt(world, projector, swapped, { reason, shown: namesOf("Second", 8), last: 8 });
});

test("a mirror of another source in the place of a mirror is rebuilt from", async (world) => {
  const operator = await natsOperator(world.nats.url);
  await operator.streams.delete("SHOP");
  await fill(world, "SOURCE", told("First", 6));
  await mirror(operator, "SOURCE");
  await operator.disconnect();
  const projector = await start(world, 6);
  const swapped = () =>
    changedMeanwhile(world, async (away) => {
      await away.operator.streams.delete("SHOP");
      await away.operator.streams.update("SOURCE", { subjects: ["old.>"] });
      await fill(world, "OTHER", told("Second", 8));
      await mirror(away.operator, "OTHER");
    });
  const reason = "another log under the same name";
  await mustBeRebuilt(world, projector, swapped, { reason, shown: namesOf("Second", 8), last: 8 });
});

test("a mirror of a source that has lost its beginning is another log, and a gap", async (world) => {
  await append(world.log, ...told("First", 3));
  const projector = await start(world, 3);
  const swapped = () =>
    changedMeanwhile(world, async ({ operator }) => {
      await operator.streams.delete("SHOP");
      await fill(world, "OTHER", told("Second", 8));
      await operator.streams.purge("OTHER", { seq: 6 });
      await mirror(operator, "OTHER");
      while ((await operator.streams.info("SHOP")).state.messages < 3) await delay(20);
    });
  await mustBeGap(projector, swapped, "another log under the same name");
});

/** What the live generation calls its log. */
const logKnownTo = async (world: World): Promise<unknown> => {
  const store = openStore(openDataDirectory(world.data).live() ?? "", { readOnly: true });
  const identity = store.get(tables.meta, "checkpoint")?.identity;
  await store.close();
  return identity;
};

for (const [how, before] of [
  ["", async () => undefined],
  [" and no longer begins at its first event", (away: Away) => purgeTo(away, 4)],
  [" and lacks the newest that were read", (away: Away) => forget(away, 5, 6)],
] as const) {
  test(`a stream that was edited between two starts of its broker${how} is the same`, async (world) => {
    await append(world.log, ...told("First", 6));
    const projector = await start(world, 6);
    const edited = async () => {
      await changedMeanwhile(world, before);
      await whileCutOff(world, () => editBetweenStarts(world.nats));
    };
    await mustGoOn(world, projector, edited, { shown: namesOf("First", 6), last: 6 });
    assert.equal(await logKnownTo(world), await world.log.identity());
  });

  test(`a stream that was edited${how} while no projector ran is the same`, async (world) => {
    await append(world.log, ...told("First", 6));
    await (await start(world, 6)).stop();
    await changedMeanwhile(world, before);
    await whileCutOff(world, () => editBetweenStarts(world.nats));
    const projector = await start(world, 6);
    assert.equal(await logKnownTo(world), await world.log.identity(), "before another event comes");
    await mustGoOn(world, projector, async () => {}, { shown: namesOf("First", 6), last: 6 });
  });
}

test("a stream that was edited, and holds nothing any more of what was read last, is another log", async (world) => {
  await append(world.log, ...told("First", 20));
  const projector = await start(world, 20);
  const all = Array.from({ length: 19 }, (_, at) => at + 2);
  await projector.stop();
  await changedMeanwhile(world, (away) => forget(away, ...all));
  await whileCutOff(world, () => editBetweenStarts(world.nats));
  const again = startProjector(world.data, world.log, { onDivergence: "stop" });
  world.projector = again;
  const { reason } = await again.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "another log under the same name");
});

test("a stream made anew, to which the shop told the very same again, is rebuilt from", async (world) => {
  const events = told("First", 6);
  await append(world.log, ...events);
  const projector = await start(world, 6);
  const anew = () =>
    changedMeanwhile(world, async ({ operator, log }) => {
      const { config } = await operator.streams.info("SHOP");
      await operator.streams.delete("SHOP");
      await operator.streams.add(config);
      await append(log, ...events);
    });
  await anew();
  const { reason } = await projector.until(isNoticed, noticedWithin);
  assert.match(reason ?? "", "another log under the same name");
  await projector.until((status) => status.generation !== "0001" && isLiveAt(6)(status));
  assert.equal(await logKnownTo(world), await world.log.identity());
  await projector.stop();
});

test("a stream deleted and made anew while the connection stays is rebuilt from, by the program as it is set", async (world) => {
  const { nats, data, log } = world;
  await append(log, ...told("one", 20));
  const projector = projectorOf(data, nats.url);
  const followed = followSequence(data);
  const live = () => basename(openDataDirectory(data).live() ?? "");
  await until(async () => live() === "0001" && (await followed.now()) === 20, Boolean, 60);
  const operator = await natsOperator(nats.url);
  await operator.streams.delete("SHOP");
  const anew = await open(nats.url);
  await append(anew, ...told("two", 20));
  await until(
    async () => live(),
    (name) => name === "0002",
    noticedAtLast,
  );
  await followed.close();
  await stop(projector);
  await anew.close();
  await operator.disconnect();
});

test.run();
