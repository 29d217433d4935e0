/** Streams whose history changed while the projector was disconnected. */
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect, DiscardPolicy, nanos } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { toHeaders } from "../../src/event-log/jetstream/headers.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { type CloudEvent, toMessage } from "../../src/events/envelope.ts";
import type { ProjectorStatus } from "../../src/projector/status/status.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import {
  copyStore,
  editBetweenStarts,
  type NatsOperator,
  type NatsServer,
  natsOperator,
  restoreStore,
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
import { startProxy, type TcpProxy } from "../helpers/tcp-proxy.ts";
import { stop, until } from "../helpers/vitrine.ts";

interface StreamContext {
  readonly home: TemporaryDirectory;
  readonly nats: NatsServer;
  /** Between the event log of the projector and the broker. */
  readonly proxy: TcpProxy;
  readonly log: EventLog;
  readonly data: string;
  projector?: TestProjector;
}

const test = suite<StreamContext>("a log that changed while the projector was disconnected");
const open = (url: string, stream = "SHOP") =>
  openEventLog(url, { dataDir: "", now: Date.now, stream });

test.before.each(async (context) => {
  const home = temporaryDirectory();
  const nats = await startNats();
  const proxy = await startProxy(nats.port);
  const log = await open(`nats://127.0.0.1:${proxy.port}`);
  Object.assign(context, { home, nats, proxy, log, data: join(home.path, "data") });
});
test.after.each(async ({ home, nats, proxy, log, projector }) => {
  await projector?.stop();
  await log.close();
  await proxy.close();
  await nats.remove();
  home.remove();
});

/** Products whose names tell which history they belong to. */
const productsOf = (history: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, at) =>
    productUpserted({ id: from + at, name: `${history} ${from + at}` }),
  );

/** The names of all products, in the form of `productsOf`. */
const shownBy = (projector: TestProjector): Promise<string> =>
  projector.read((snapshot) =>
    Array.from({ length: 40 }, (_, at) => snapshot.product(at + 1)?.text.name)
      .filter(Boolean)
      .join(),
  );
const namesOf = (history: string, count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `${history} ${from + at}`).join();

/** Only the check after a reconnect finds the change: the periodic check is far off. */
const start = async (context: StreamContext, sequence: number): Promise<TestProjector> => {
  const projector = startProjector(context.data, context.log, { continuityIntervalMs: 600_000 });
  context.projector = projector;
  await projector.until(isLiveAt(sequence));
  return projector;
};

/** Disconnects the projector during `change`; resolves when it is connected again. */
const whileCutOff = async (
  { proxy, log }: StreamContext,
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

/** The operator who changes the stream, and a publisher, while the projector is disconnected. */
interface Away {
  readonly operator: NatsOperator;
  readonly log: EventLog;
}

const changedMeanwhile = (
  context: StreamContext,
  change: (away: Away) => Promise<unknown>,
): Promise<void> =>
  whileCutOff(context, async () => {
    const operator = await natsOperator(context.nats.url);
    const log = await open(context.nats.url);
    await change({ operator, log });
    await log.close();
    await operator.disconnect();
  });

/** Seconds after a reconnect within which another history is noticed (`deploy/promises.md`, 9). */
const noticedWithin = 5;
/** The same while the connection stays open. */
const noticedAtLast = 30;

const isNoticed = ({ state, generation }: ProjectorStatus): boolean =>
  state === "rebuilding" || state === "faulted" || generation !== "0001";

/** Records everything that the live model shows until the returned function is called. */
const watched = (projector: TestProjector): (() => Promise<readonly string[]>) => {
  const shown = new Set<string>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      shown.add(await shownBy(projector));
      await delay(2);
    }
  })();
  // The caller gets the error; a test that failed before does not read it.
  watching.catch(() => undefined);
  return async () => {
    isOver = true;
    await watching;
    shown.add(await shownBy(projector));
    return [...shown];
  };
};

/** Another history is noticed in time, and the live model never mixes two histories. */
const mustBeRebuilt = async (
  context: StreamContext,
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
  await mustEqualReplay(context.data, context.log, expected.last);
};

/** A gap is reported in time with its reason, and no event after it is applied. */
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

/** The change removed nothing unread: the same generation goes on. */
const mustGoOn = async (
  context: StreamContext,
  projector: TestProjector,
  change: () => Promise<unknown>,
  { shown, last }: { readonly shown: string; readonly last: number },
): Promise<void> => {
  await change();
  await append(context.log, ...productsOf("Next", 1, 40));
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

/** Lets all events of the stream expire, and then restores its limits. */
const expire = async (away: Away): Promise<void> => {
  await limit(away, { max_age: nanos(200), duplicate_window: nanos(200) });
  while ((await away.operator.streams.info("SHOP")).state.messages > 0) await delay(20);
  await limit(away, { max_age: nanos(3_600_000) });
};

const purgeTo = ({ operator }: Away, seq: number) => operator.streams.purge("SHOP", { seq });

const forget = async ({ operator }: Away, ...sequences: readonly number[]): Promise<void> => {
  for (const sequence of sequences) await operator.streams.deleteMessage("SHOP", sequence);
};

const restore = async ({ nats }: StreamContext, copy: string): Promise<void> => {
  await restoreStore(nats, copy);
  await nats.start();
};

test("a stream that was deleted and created again with the same length causes a rebuild", async (context) => {
  await append(context.log, ...productsOf("First", 6));
  const projector = await start(context, 6);
  const recreate = () =>
    changedMeanwhile(context, async ({ operator, log }) => {
      const { config } = await operator.streams.info("SHOP");
      await operator.streams.delete("SHOP");
      await operator.streams.add(config);
      await append(log, ...productsOf("Second", 6));
    });
  const epoch = await projector.epoch();
  const reason = "another log under the same name";
  await mustBeRebuilt(context, projector, recreate, {
    reason,
    shown: namesOf("Second", 6),
    last: 6,
  });
  assert.is.not(await projector.epoch(), epoch);
});

test("a store that was restored from an older copy causes a rebuild", async (context) => {
  await append(context.log, ...productsOf("First", 9));
  const copy = await copyStore(context.nats);
  await append(context.log, ...productsOf("First", 2, 10));
  const projector = await start(context, 11);
  const epoch = await projector.epoch();
  const older = () => whileCutOff(context, () => restore(context, copy));
  const reason = "ends at sequence 9, before the checkpoint 11";
  await mustBeRebuilt(context, projector, older, { reason, shown: namesOf("First", 9), last: 9 });
  // Contract §11: followers have applied the lost events.
  assert.ok(epoch);
  assert.is.not(await projector.epoch(), epoch);
});

test("a restored store whose sequences were reused causes a rebuild, also without the checkpoint's record", async (context) => {
  await append(context.log, ...productsOf("First", 4));
  const copy = await copyStore(context.nats);
  await append(context.log, ...productsOf("First", 2, 5));
  const projector = await start(context, 6);
  const rewritten = () =>
    changedMeanwhile(context, async (away) => {
      await restore(context, copy);
      await append(away.log, ...productsOf("Second", 6));
      const operator = await natsOperator(context.nats.url);
      await operator.streams.deleteMessage("SHOP", 6);
      await operator.disconnect();
    });
  const shown = `${namesOf("Second", 1)},First 2,${namesOf("Second", 4, 3)}`;
  const reason = "holds another event at sequence 5";
  await mustBeRebuilt(context, projector, rewritten, { reason, shown, last: 10 });
});

test("a restored store of one event per subject causes a rebuild, also when all fingerprints are superseded", async (context) => {
  const operator = await natsOperator(context.nats.url);
  const { config } = await operator.streams.info("SHOP");
  await operator.streams.update("SHOP", { ...config, max_msgs_per_subject: 1 });
  await operator.disconnect();
  await append(context.log, ...productsOf("First", 20));
  const copy = await copyStore(context.nats);
  await append(context.log, ...productsOf("Lost", 20));
  const projector = await start(context, 40);
  const older = () =>
    changedMeanwhile(context, async (away) => {
      await restore(context, copy);
      // A few products change often, until the checkpoint is long passed.
      for (let tick = 0; tick < 15; tick += 1) await append(away.log, ...productsOf("Second", 2));
    });
  const shown = `${namesOf("Second", 2)},${namesOf("First", 18, 3)}`;
  const reason = "holds another event at sequence 40";
  await mustBeRebuilt(context, projector, older, { reason, shown, last: 50 });
});

test("in a store of several events per subject the newest may be deleted", async (context) => {
  const operator = await natsOperator(context.nats.url);
  const { config } = await operator.streams.info("SHOP");
  await operator.streams.update("SHOP", { ...config, max_msgs_per_subject: 5 });
  await operator.disconnect();
  for (const history of ["First", "Second", "Third"])
    await append(context.log, ...productsOf(history, 3));
  const projector = await start(context, 9);
  const deleted = async () => {
    await changedMeanwhile(context, (away) => forget(away, 9));
    // A server of this version finds the earlier events after a restart.
    await whileCutOff(context, async () => {
      await context.nats.stop();
      await context.nats.start();
    });
  };
  await mustGoOn(context, projector, deleted, { shown: namesOf("Third", 3), last: 9 });
});

test("a purge of unread events is a gap", async (context) => {
  await append(context.log, ...productsOf("First", 3));
  const projector = await start(context, 3);
  const purged = () =>
    changedMeanwhile(context, async ({ operator, log }) => {
      await append(log, ...productsOf("Second", 4));
      await operator.streams.purge("SHOP", { seq: 6 });
    });
  await mustBeGap(projector, purged, "events 4 to 5 are gone");
});

for (const [title, later] of [
  ["events that expired before they were read are a gap", productsOf("Second", 2, 3)],
  ["expired events, the last of them unread, are a gap before another event arrives", []],
] as const) {
  test(title, async (context) => {
    await append(context.log, ...productsOf("First", 3));
    const projector = await start(context, 3);
    const expired = () =>
      changedMeanwhile(context, async (away) => {
        await append(away.log, ...productsOf("Second", 2));
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
  test(`a stream created again, ${what}, before its first event was read is followed from its beginning`, async (context) => {
    const projector = startProjector(context.data, context.log, { continuityIntervalMs: 600_000 });
    context.projector = projector;
    await projector.until(({ state }) => state === "live");
    const recreate = () =>
      changedMeanwhile(context, async ({ operator, log }) => {
        const { config } = await operator.streams.info("SHOP");
        await operator.streams.delete("SHOP");
        await operator.streams.add({ ...config, ...limits });
        await append(log, ...productsOf("Second", events));
      });
    await recreate();
    await projector.until(isLiveAt(events));
    await append(context.log, ...productsOf("Second", 3, events + 1));
    const { generation } = await projector.until(isLiveAt(events + 3));
    assert.is(generation, "0001", "a rebuild was not necessary");
    const first = Math.max(1, events - 9);
    assert.is(await shownBy(projector), namesOf("Second", events + 4 - first, first));
  });
}

test("applied events that expired are not a gap", async (context) => {
  await append(context.log, ...productsOf("First", 3));
  const projector = await start(context, 3);
  const expired = () => changedMeanwhile(context, expire);
  await mustGoOn(context, projector, expired, { shown: namesOf("First", 3), last: 3 });
});

test("events that newer ones of their subject replaced are not a gap, read or not", async (context) => {
  await append(context.log, ...productsOf("First", 3));
  const projector = await start(context, 3);
  const compacted = () =>
    changedMeanwhile(context, async (away) => {
      await limit(away, { max_msgs_per_subject: 1 });
      await append(away.log, ...productsOf("Second", 3), ...productsOf("Third", 3));
      assert.is((await away.log.bounds()).first, 7);
    });
  await mustGoOn(context, projector, compacted, { shown: namesOf("Third", 3), last: 9 });
  await mustHoldRowsOfReplay(context.data, context.log, 10);
});

test("unread events that a limit removed from a stream of one event per subject are a gap", async (context) => {
  await append(context.log, ...productsOf("First", 3));
  const projector = await start(context, 3);
  const limited = () =>
    changedMeanwhile(context, async (away) => {
      await limit(away, { max_msgs_per_subject: 1 });
      await append(away.log, ...productsOf("Second", 6));
      await limit(away, { max_msgs_per_subject: 1, max_msgs: 2 });
    });
  await mustBeGap(projector, limited, "events 4 to 7 are gone");
});

test("the event at the checkpoint, and one before it, may be deleted", async (context) => {
  await append(context.log, ...productsOf("First", 5));
  const projector = await start(context, 5);
  const deleted = () => changedMeanwhile(context, (away) => forget(away, 3, 5));
  await mustGoOn(context, projector, deleted, { shown: namesOf("First", 5), last: 5 });
});

test("all events of the checkpoint's fingerprints may be deleted", async (context) => {
  await append(context.log, ...productsOf("First", 20));
  const projector = await start(context, 20);
  const all = Array.from({ length: 19 }, (_, at) => at + 2);
  const deleted = () => changedMeanwhile(context, (away) => forget(away, ...all));
  await mustGoOn(context, projector, deleted, { shown: namesOf("First", 20), last: 20 });
});

test("an event deleted before it was read is a legal hole, also at the end of the stream", async (context) => {
  await append(context.log, ...productsOf("First", 3));
  const projector = await start(context, 3);
  await changedMeanwhile(context, async (away) => {
    await append(away.log, ...productsOf("Second", 2), ...productsOf("Third", 1, 4));
    await forget(away, 5, 6);
  });
  await projector.until(isLiveAt(4), 20);
  assert.is(await shownBy(projector), "Second 1,First 2,First 3");
  await projector.stop();
});

test("a stream whose newest event was deleted is read to its end from the first start on", async (context) => {
  await append(context.log, ...productsOf("First", 3));
  const operator = await natsOperator(context.nats.url);
  await operator.streams.deleteMessage("SHOP", 3);
  await operator.disconnect();
  const projector = await start(context, 2);
  assert.is(await shownBy(projector), "First 1,First 2");
});

/** Creates a stream and fills it, as another producer does. */
const fill = async (
  { nats }: StreamContext,
  name: string,
  events: readonly CloudEvent[],
): Promise<void> => {
  const connection = await connect({ servers: nats.url });
  const jetStream = await connection.jetstreamManager();
  await jetStream.streams.add({ name, subjects: ["shop.>"] });
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

test("a mirror in place of the stream causes a rebuild", async (context) => {
  await append(context.log, ...productsOf("First", 6));
  const projector = await start(context, 6);
  const swapped = () =>
    changedMeanwhile(context, async ({ operator }) => {
      await operator.streams.delete("SHOP");
      await fill(context, "OTHER", productsOf("Second", 8));
      await mirror(operator, "OTHER");
    });
  const reason = "another log under the same name";
  await mustBeRebuilt(context, projector, swapped, {
    reason,
    shown: namesOf("Second", 8),
    last: 8,
  });
});

test("a mirror of another source in place of a mirror causes a rebuild", async (context) => {
  const operator = await natsOperator(context.nats.url);
  await operator.streams.delete("SHOP");
  await fill(context, "SOURCE", productsOf("First", 6));
  await mirror(operator, "SOURCE");
  await operator.disconnect();
  const projector = await start(context, 6);
  const swapped = () =>
    changedMeanwhile(context, async (away) => {
      await away.operator.streams.delete("SHOP");
      await away.operator.streams.update("SOURCE", { subjects: ["old.>"] });
      await fill(context, "OTHER", productsOf("Second", 8));
      await mirror(away.operator, "OTHER");
    });
  const reason = "another log under the same name";
  await mustBeRebuilt(context, projector, swapped, {
    reason,
    shown: namesOf("Second", 8),
    last: 8,
  });
});

test("a mirror of a source without its beginning is another log, and a gap", async (context) => {
  await append(context.log, ...productsOf("First", 3));
  const projector = await start(context, 3);
  const swapped = () =>
    changedMeanwhile(context, async ({ operator }) => {
      await operator.streams.delete("SHOP");
      await fill(context, "OTHER", productsOf("Second", 8));
      await operator.streams.purge("OTHER", { seq: 6 });
      await mirror(operator, "OTHER");
      while ((await operator.streams.info("SHOP")).state.messages < 3) await delay(20);
    });
  await mustBeGap(projector, swapped, "another log under the same name");
});

/** Identity of the log in the checkpoint of the live generation. */
const storedIdentity = async (context: StreamContext): Promise<unknown> => {
  const store = openStore(openDataDirectory(context.data).live() ?? "", { readOnly: true });
  const identity = store.get(tables.meta, "checkpoint")?.identity;
  await store.close();
  return identity;
};

for (const [how, before] of [
  ["", async () => undefined],
  [" and no longer begins at its first event", (away: Away) => purgeTo(away, 4)],
  [" and lacks the newest events that were read", (away: Away) => forget(away, 5, 6)],
] as const) {
  test(`a stream edited between two starts of its broker${how} is the same log`, async (context) => {
    await append(context.log, ...productsOf("First", 6));
    const projector = await start(context, 6);
    const edited = async () => {
      await changedMeanwhile(context, before);
      await whileCutOff(context, () => editBetweenStarts(context.nats));
    };
    await mustGoOn(context, projector, edited, { shown: namesOf("First", 6), last: 6 });
    assert.equal(await storedIdentity(context), await context.log.identity());
  });

  test(`a stream edited${how} while no projector ran is the same log`, async (context) => {
    await append(context.log, ...productsOf("First", 6));
    await (await start(context, 6)).stop();
    await changedMeanwhile(context, before);
    await whileCutOff(context, () => editBetweenStarts(context.nats));
    const projector = await start(context, 6);
    assert.equal(
      await storedIdentity(context),
      await context.log.identity(),
      "before another event arrives",
    );
    await mustGoOn(context, projector, async () => {}, { shown: namesOf("First", 6), last: 6 });
  });
}

test("an edited stream without any event of the fingerprints is another log", async (context) => {
  await append(context.log, ...productsOf("First", 20));
  const projector = await start(context, 20);
  const all = Array.from({ length: 19 }, (_, at) => at + 2);
  await projector.stop();
  await changedMeanwhile(context, (away) => forget(away, ...all));
  await whileCutOff(context, () => editBetweenStarts(context.nats));
  const again = startProjector(context.data, context.log, { onDivergence: "stop" });
  context.projector = again;
  const { reason } = await again.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "another log under the same name");
});

test("a stream created again with identical events causes a rebuild", async (context) => {
  const events = productsOf("First", 6);
  await append(context.log, ...events);
  const projector = await start(context, 6);
  const recreate = () =>
    changedMeanwhile(context, async ({ operator, log }) => {
      const { config } = await operator.streams.info("SHOP");
      await operator.streams.delete("SHOP");
      await operator.streams.add(config);
      await append(log, ...events);
    });
  await recreate();
  const { reason } = await projector.until(isNoticed, noticedWithin);
  assert.match(reason ?? "", "another log under the same name");
  await projector.until((status) => status.generation !== "0001" && isLiveAt(6)(status));
  assert.equal(await storedIdentity(context), await context.log.identity());
  await projector.stop();
});

test("a stream created again while the connection stays open causes a rebuild of the running program", async (context) => {
  const { nats, data, log } = context;
  await append(log, ...productsOf("one", 20));
  const projector = projectorOf(data, nats.url);
  const followed = followSequence(data);
  const live = () => basename(openDataDirectory(data).live() ?? "");
  await until(async () => live() === "0001" && (await followed.now()) === 20, Boolean, 60);
  const operator = await natsOperator(nats.url);
  await operator.streams.delete("SHOP");
  const recreate = await open(nats.url);
  await append(recreate, ...productsOf("two", 20));
  await until(
    async () => live(),
    (name) => name === "0002",
    noticedAtLast,
  );
  await followed.close();
  await stop(projector);
  await recreate.close();
  await operator.disconnect();
});

test.run();
