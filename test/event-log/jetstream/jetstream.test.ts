import { connect, DiscardPolicy, RetentionPolicy } from "nats";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import type { LogObservation } from "../../../src/event-log/event-log.ts";
import { connectBroker } from "../../../src/event-log/jetstream/connection.ts";
import { collectGarbage } from "../../helpers/heap.ts";
import {
  copyStore,
  type NatsOperator,
  type NatsServer,
  natsOperator,
  restoreStore,
  startNats,
} from "../../helpers/nats.ts";
import { startProxy } from "../../helpers/tcp-proxy.ts";
import { until } from "../../helpers/vitrine.ts";
import { openShop } from "../implementations.ts";
import { follow, message, messages, recordsOf, sequencesOf, textsOf } from "../messages.ts";
import { rejects } from "../rejects.ts";
import { streamSuite, timing } from "../stream-suite.ts";

const jetStream = streamSuite("JetStream failures");

jetStream(
  "a message that the broker cannot take is rejected before any later one is sent",
  async ({ log }) => {
    // The body alone would be accepted.
    const large = message(2, { body: Buffer.alloc(1024 * 1024 - 20, " ") });
    const refused = await rejects(
      () => log.append([message(1), large, message(3)]),
      "event_log",
      /message event-2/,
    );
    assert.match(refused.message, /payload|large/i);
    assert.is((await log.bounds()).last, 0);
    await log.append([message(1), message(3)]);
  },
);

for (const [limit, over] of [
  ["max_msgs", { max_msgs: 3 }],
  ["max_bytes", { max_bytes: 400 }],
] as const) {
  jetStream(
    `a stream that is full by ${limit} is reported at once, with a hint`,
    async ({ log, operator }) => {
      const { config } = await operator.streams.info("SHOP");
      await operator.streams.update("SHOP", { ...config, ...over, discard: DiscardPolicy.New });
      const start = performance.now();
      const refused = await rejects(() => log.append(messages(1, 9)), "event_log", /exceeded/);
      assert.ok(performance.now() - start < 5_000, "waiting makes no room");
      assert.match(
        refused.message,
        /stream SHOP: maximum (messages|bytes) exceeded \(message event-/,
      );
      assert.match(refused.hint, /raise the stream's limits/);
      const held = (await log.bounds()).last;
      await operator.streams.update("SHOP", { ...config, max_msgs: -1, max_bytes: -1 });
      await log.append(messages(1, 9));
      assert.equal(sequencesOf(await recordsOf(log)), numbers(1, 9));
      assert.ok(held < 9);
    },
  );
}

jetStream(
  "a message that the stream cannot take is rejected before any later one is sent",
  async ({ log, operator }) => {
    const { config } = await operator.streams.info("SHOP");
    const sized = message(4, { body: Buffer.alloc(500, " ") });
    const window = [...messages(1, 3), sized, ...messages(5, 7)];
    await operator.streams.update("SHOP", { ...config, max_msg_size: 300 });
    const start = performance.now();
    const refused = await rejects(
      () => log.append(window),
      "event_log",
      /larger than the stream takes \(message event-4, subject/,
    );
    assert.match(refused.hint, /max_msg_size/);
    assert.ok(performance.now() - start < 5_000, "waiting makes it no smaller");
    assert.is((await log.bounds()).last, 0);
    // The broker counts to the byte like this code: it rejects none that was let through.
    for (let size = 590, isTaken = false; !isTaken; size += 1) {
      await operator.streams.update("SHOP", { ...config, max_msg_size: size });
      const why = await log.append(window).then(
        () => "",
        ({ message: reported }) => reported,
      );
      isTaken = why === "";
      if (!isTaken) assert.match(why, "larger than the stream takes (message event-4");
    }
    assert.equal(sequencesOf(await recordsOf(log)), numbers(1, 7));
  },
);

jetStream("an account without JetStream is reported as such", async ({ server }) => {
  const bare = await startNats(
    "accounts { ONE { jetstream: enabled, users: [{user: one, password: one}] }, TWO { users: [{user: two, password: two}] } }",
  );
  const settings = { user: "two", pass: "two" };
  const refused = await rejects(() => openShop(bare.url, { settings }), "event_log", /jetstream/i);
  assert.match(refused.hint, /-js/);
  assert.is.not(bare.url, server.url);
  await bare.remove();
});

/** Lists the names of the consumers at the broker. */
const consumersOf = async (operator: NatsOperator): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const { name } of operator.consumers.list("SHOP")) names.push(name);
  return names;
};

/** Waits a few seconds only: the broker itself deletes a consumer after twenty. */
const untilNoConsumers = (operator: NatsOperator) =>
  until(
    () => consumersOf(operator),
    (names) => names.length === 0,
    5,
  );

jetStream("a finished read leaves no consumer at the broker", async ({ log, operator }) => {
  await log.append(messages(1, 3));
  assert.is((await recordsOf(log)).length, 3);
  await untilNoConsumers(operator);
  const follower = follow(log);
  await follower.sees(3);
  assert.is((await consumersOf(operator)).length, 1);
  await follower.stop();
  await untilNoConsumers(operator);
});

jetStream("a closed log leaves no consumer at the broker", async ({ server, operator, log }) => {
  await log.append(messages(1, 3));
  const other = await openShop(server.url, { timing });
  const follower = follow(other);
  await follower.sees(3);
  await other.close();
  await follower.ends();
  await untilNoConsumers(operator);
});

jetStream(
  "a consumer whose connection broke is deleted over the next connection",
  async ({ server, operator, log }) => {
    await log.append(messages(1, 3));
    const proxy = await startProxy(server.port);
    const other = await openShop(`nats://127.0.0.1:${proxy.port}`, { timing });
    const follower = follow(other);
    await follower.sees(3);
    const [previousIdentity] = await consumersOf(operator);
    proxy.reset();
    await log.append(messages(4, 4));
    await follower.sees(4);
    await until(
      () => consumersOf(operator),
      (names) => names.length === 1 && names[0] !== previousIdentity,
      5,
    );
    await follower.stop();
    await other.close();
    await proxy.close();
  },
);

jetStream("a TypeError in a request to the broker is thrown unchanged", async ({ server }) => {
  const broker = await connectBroker({ url: server.url, settings: {} });
  const bug = new TypeError("x is not a function");
  const thrown = await broker.request(() => Promise.reject(bug)).catch((error: unknown) => error);
  assert.is(thrown, bug);
  const refused = () => broker.request(() => Promise.reject(new Error("read ECONNRESET")));
  await rejects(refused, "event_log", /ECONNRESET/);
  await broker.close();
});

jetStream("a first read begins wherever the log begins at that time", async ({ log, operator }) => {
  const { config } = await operator.streams.info("SHOP");
  await operator.streams.update("SHOP", { ...config, max_msgs: 10, discard: DiscardPolicy.Old });
  await log.append(messages(1, 30));
  const after = (await log.bounds()).first - 1;
  await log.append(messages(31, 40));
  await rejects(() => recordsOf(log, after), "divergence", /trimmed unread/);
  const read: number[] = [];
  for await (const chunk of log.read({ after, allowLateStart: true, follow: false })) {
    read.push(...sequencesOf(chunk));
  }
  assert.equal(read, numbers(31, 40));
  const one: number[] = [];
  const subjects = ["shop.product.35"];
  for await (const chunk of log.read({ after, allowLateStart: true, follow: false, subjects })) {
    one.push(...sequencesOf(chunk));
  }
  assert.equal(one, [35]);
});

jetStream(
  "a stream that deletes acknowledged messages is rejected before anything is read",
  async ({ server, operator, log }) => {
    await log.append(messages(1, 3));
    await operator.streams.delete("SHOP");
    for (const retention of [RetentionPolicy.Interest, RetentionPolicy.Workqueue]) {
      await operator.streams.add({ name: "SHOP", subjects: ["shop.>"], retention });
      const refused = await rejects(
        () => openShop(server.url, { timing }),
        "event_log",
        /deletes what was read/,
      );
      assert.match(refused.message, new RegExp(`retention is ${retention}`));
      assert.match(refused.hint, /limits/);
      await operator.streams.delete("SHOP");
    }
  },
);

jetStream(
  "a follower continues at its position after the broker crashed",
  async ({ server, log }) => {
    await log.append(messages(1, 500));
    const follower = follow(log);
    await follower.sees(500);
    for (const from of [501, 1001]) {
      const reconnected = new Promise<void>((resolve) => {
        const stop = log.onReconnect(() => {
          stop();
          resolve();
        });
      });
      await server.kill();
      await server.start();
      await reconnected;
      await log.append(messages(from, from + 499));
      await follower.sees(from + 499);
    }
    assert.equal(sequencesOf(follower.seen), numbers(1, 1500));
    await follower.stop();
  },
);

jetStream(
  "an append survives a crash of the broker, in sequence and without duplicates",
  async (context) => {
    const { server, log } = context;
    const appending = log.append(messages(1, 20_000));
    await follow(log).sees(2000);
    await server.kill();
    await server.start();
    const appended = await appending;
    assert.equal(
      appended.map(({ sequence }) => sequence),
      numbers(1, 20_000),
    );
    assert.ok(appended.every(({ duplicate }) => !duplicate));
    assert.equal(
      textsOf(await recordsOf(log)),
      numbers(1, 20_000).map((n) => `{"n":${n}}`),
    );
  },
);

for (const [which, last] of [
  ["all", '"seq":1'],
  ["some", '"seq":2'],
]) {
  jetStream(
    `an append of whose acknowledgements ${which} were lost tells what it has added from what was there`,
    async ({ server, log }) => {
      const proxy = await startProxy(server.port);
      const away = await openShop(`nats://127.0.0.1:${proxy.port}`, { timing });
      await log.append(messages(1, 2));
      // The broker stores them, but its acknowledgements are lost.
      const unheard = proxy.deafBehind(last ?? "");
      const appending = away.append([message(1), message(3), message(2), message(3), message(4)]);
      const follower = follow(log);
      await follower.sees(4);
      await follower.stop();
      await unheard;
      proxy.reset();
      assert.equal(await appending, [
        { sequence: 1, duplicate: true },
        { sequence: 3, duplicate: false },
        { sequence: 2, duplicate: true },
        { sequence: 3, duplicate: true },
        { sequence: 4, duplicate: false },
      ]);
      await away.close();
      await proxy.close();
    },
  );
}

jetStream(
  "a wait for the broker ends in time, also after garbage collection",
  async ({ server }) => {
    const broker = await connectBroker({ url: server.url, settings: {} });
    const link = await broker.waitForSession();
    const broken = new Promise<void>((resolve) => link?.onBreak(resolve));
    await server.kill();
    await broken;
    const waits = Array.from({ length: 20 }, () => broker.waitForSession(undefined, 500));
    const collecting = setInterval(collectGarbage, 20);
    const late = new Promise((resolve) => setTimeout(resolve, 10_000, "late").unref());
    assert.equal(
      await Promise.race([Promise.all(waits), late]),
      waits.map(() => undefined),
    );
    clearInterval(collecting);
    await broker.close();
  },
);

jetStream("a read that begins while the broker is away waits for it", async ({ server, log }) => {
  await log.append(messages(1, 3));
  await server.kill();
  const follower = follow(log);
  const allRecords = recordsOf(log);
  await rejects(async () => {
    for (;;) await log.bounds();
  }, "event_log");
  await server.start();
  assert.equal(sequencesOf(await follower.sees(3)), [1, 2, 3]);
  assert.equal(sequencesOf(await allRecords), [1, 2, 3]);
  await follower.stop();
});

jetStream(
  "a read that does not follow waits for an absent broker only up to its timeout",
  async (context) => {
    const { server } = context;
    const log = await openShop(server.url, { timing: { unavailableTimeoutMs: 200 } });
    await log.append(messages(1, 1));
    await server.kill();
    await rejects(() => recordsOf(log), "event_log", /127\.0\.0\.1/);
    await rejects(() => log.append(messages(2, 2)), "event_log", /127\.0\.0\.1/);
    await log.close();
  },
);

jetStream("a follower continues when a frozen broker resumes", async ({ server, log }) => {
  await log.append(messages(1, 2));
  const follower = follow(log);
  await follower.sees(2);
  server.pause();
  const appending = log.append(messages(3, 4));
  await new Promise((resolve) => setTimeout(resolve, 700));
  server.resume();
  await appending;
  assert.equal(sequencesOf(await follower.sees(4)), [1, 2, 3, 4]);
  await follower.stop();
});

jetStream(
  "a read ends at once when it is aborted, also with a frozen broker",
  async ({ server, log }) => {
    await log.append(messages(1, 1));
    const follower = follow(log);
    await follower.sees(1);
    server.pause();
    await new Promise((resolve) => setTimeout(resolve, 2 * timing.idleTimeoutMs));
    const other = follow(log);
    const start = performance.now();
    await Promise.all([follower.stop(), other.stop()]);
    assert.ok(performance.now() - start < 500);
    server.resume();
  },
);

/** Opens the stream over a proxy, and does not inspect it when no records arrive. */
const openOverProxy = async (server: NatsServer) => {
  const proxy = await startProxy(server.port);
  const url = `nats://127.0.0.1:${proxy.port}`;
  return { proxy, log: await openShop(url, { timing: { idleTimeoutMs: 60_000 } }) };
};

/** Waits until the broker has sent the records up to a sequence to a consumer. */
const untilSent = (operator: NatsOperator, sequence: number) =>
  until(
    () => operator.consumers.list("SHOP").next(),
    (consumers) => consumers.some(({ delivered }) => delivered.stream_seq >= sequence),
    5,
  );

jetStream(
  "a read yields no record of a consumer before its reader has verified the stream",
  async ({ server, operator, log: publisher }) => {
    const { proxy, log } = await openOverProxy(server);
    await publisher.append(messages(1, 3));
    const verified: (readonly number[])[] = [];
    let accept = () => {};
    const verify = async ({ latest }: LogObservation): Promise<void> => {
      verified.push(sequencesOf(latest));
      await new Promise<void>((resolve) => {
        accept = resolve;
      });
    };
    const follower = follow(log, { verify });
    await untilSent(operator, 3);
    const untilVerifying = (times: number) =>
      until(
        async () => verified,
        ({ length }) => length === times,
      );
    await untilVerifying(1);
    assert.equal([verified, follower.seen], [[[]], []]);
    accept();
    await follower.sees(3);
    proxy.reset();
    await untilVerifying(2);
    assert.equal(verified, [[], [1, 2, 3]]);
    await publisher.append(messages(4, 4));
    await untilSent(operator, 4);
    assert.is(follower.seen.length, 3);
    accept();
    assert.equal(sequencesOf(await follower.sees(4)), [1, 2, 3, 4]);
    await follower.stop();
    await log.close();
    await proxy.close();
  },
);

jetStream(
  "records of a consumer that lost its connection are not yielded before another verification",
  async ({ server, operator, log: publisher }) => {
    const { proxy, log } = await openOverProxy(server);
    await publisher.append(messages(1, 3000));
    const { created } = await log.identity();
    const verify = async ({ identity }: LogObservation): Promise<void> => {
      if (identity.created !== created) throw new VitrineError("divergence", "another stream");
    };
    const reading = log.read({ after: 0, follow: true, verify })[Symbol.asyncIterator]();
    const first = await reading.next();
    assert.is(first.value?.[0]?.sequence, 1);
    await untilSent(operator, 3000);
    const reconnected = new Promise<void>((resolve) => {
      log.onReconnect(resolve);
    });
    proxy.cut();
    await operator.streams.delete("SHOP");
    await operator.streams.add({ name: "SHOP", subjects: ["shop.>"] });
    proxy.heal();
    await reconnected;
    await rejects(() => reading.next(), "divergence", /another stream/);
    await log.close();
    await proxy.close();
  },
);

jetStream("a stream purged past the reader is a divergence", async ({ operator, log }) => {
  await log.append(messages(1, 10));
  await operator.streams.purge("SHOP", { seq: 6 });
  assert.equal(await log.bounds(), { first: 6, last: 10, isComplete: false });
  assert.equal(sequencesOf(await recordsOf(log, 5)), [6, 7, 8, 9, 10]);
  await rejects(() => recordsOf(log, 4), "divergence", /begins at 6/);
  await operator.streams.purge("SHOP");
  assert.equal(await log.bounds(), { first: 11, last: 10, isComplete: false });
  assert.equal(await recordsOf(log, 10), []);
  await rejects(() => recordsOf(log, 9), "divergence", /begins at 11/);
});

jetStream("a purge that overtakes a reader is a divergence", async ({ operator, log }) => {
  await log.append(messages(1, 15_000));
  const read = async () => {
    for await (const chunk of log.read({ after: 0, follow: false })) {
      if (chunk[0]?.sequence === 1) await operator.streams.purge("SHOP", { seq: 14_000 });
    }
  };
  await rejects(read, "divergence", /begins at 14000/);
});

jetStream(
  "history trimmed while the follower was disconnected is a divergence",
  async ({ server, log, operator }) => {
    await log.append(messages(1, 4));
    const follower = follow(log);
    await follower.sees(4);
    await operator.disconnect();
    await server.kill();
    const other = await startNats("", server.store);
    const elsewhere = await openShop(other.url);
    await elsewhere.append(messages(5, 9));
    const trimmer = await natsOperator(other.url);
    await trimmer.streams.purge("SHOP", { seq: 8 });
    await trimmer.disconnect();
    await elsewhere.close();
    await other.stop();
    await server.start();
    await rejects(() => follower.ends(), "divergence", /begins at 8: the events from 5 on/);
    await other.remove();
  },
);

jetStream(
  "a broker restored from an older copy is a divergence",
  async ({ server, log, operator }) => {
    await log.append(messages(1, 3));
    await operator.disconnect();
    const copy = await copyStore(server);
    await log.append(messages(4, 6));
    const follower = follow(log);
    await follower.sees(6);
    await restoreStore(server, copy);
    await server.start();
    await rejects(() => follower.ends(), "divergence", /ends at 3, before 6/);
  },
);

jetStream(
  "deleted messages are holes, within and at the end, and a reader passes them",
  async (context) => {
    const { operator, log } = context;
    await log.append(messages(1, 8));
    for (const sequence of [2, 3, 7, 8]) await operator.streams.deleteMessage("SHOP", sequence);
    assert.equal(await log.bounds(), { first: 1, last: 8, isComplete: true });
    assert.equal(sequencesOf(await recordsOf(log)), [1, 4, 5, 6]);
    assert.equal(sequencesOf(await recordsOf(log, 2)), [4, 5, 6]);
    assert.equal(await recordsOf(log, 6), []);
    assert.is(await log.get(7), undefined);
    const follower = follow(log);
    await follower.sees(4);
    await log.append(messages(9, 9));
    assert.equal(sequencesOf(await follower.sees(5)), [1, 4, 5, 6, 9]);
    await follower.stop();
  },
);

jetStream(
  "a stream that keeps one message per subject is complete wherever it begins",
  async (context) => {
    const { operator, log } = context;
    const { config } = await operator.streams.info("SHOP");
    await operator.streams.update("SHOP", { ...config, max_msgs_per_subject: 1 });
    const reported = [
      ...messages(1, 3),
      ...messages(4, 6).map((one) => ({ ...one, subject: "shop.robots" })),
    ];
    await log.append(reported);
    const later = messages(1, 2).map((one) => ({ ...one, id: `${one.id}b` }));
    await log.append(later);
    assert.equal(await log.bounds(), { first: 3, last: 8, isComplete: true });
    assert.equal(sequencesOf(await recordsOf(log)), [3, 6, 7, 8]);
    assert.equal(sequencesOf(await recordsOf(log, 1)), [3, 6, 7, 8]);
    await operator.streams.update("SHOP", { ...config, max_msgs_per_subject: 1, max_msgs: 2 });
    assert.equal(await log.bounds(), { first: 7, last: 8, isComplete: false });
  },
);

jetStream("a record lost on the way is requested again", async ({ operator, server, log }) => {
  const follower = follow(log);
  await log.append(messages(1, 1));
  await follower.sees(1);
  const theft = await steal(operator, server);
  await log.append(messages(2, 9));
  assert.equal(sequencesOf(await follower.sees(9)), numbers(1, 9));
  assert.ok((await theft()) < 9);
  await follower.stop();
});

jetStream(
  "a reader that receives nothing notices it by itself",
  async ({ operator, server, log }) => {
    const follower = follow(log);
    await log.append(messages(1, 1));
    await follower.sees(1);
    const theft = await steal(operator, server);
    await log.append(messages(2, 2));
    await log.append(messages(3, 3));
    assert.is(await theft(), 3);
    assert.equal(sequencesOf(await follower.sees(3)), [1, 2, 3]);
    await follower.stop();
  },
);

jetStream("a consumer deleted by somebody else is created again", async ({ operator, log }) => {
  const follower = follow(log);
  await log.append(messages(1, 1));
  await follower.sees(1);
  const [consumer] = await operator.consumers.list("SHOP").next();
  await operator.consumers.delete("SHOP", consumer?.name ?? "");
  await log.append(messages(2, 2));
  assert.equal(sequencesOf(await follower.sees(2)), [1, 2]);
  await follower.stop();
});

jetStream(
  "records are requested again before the last request expires: a broker may drop one silently",
  async ({ server, operator, log }) => {
    const follower = follow(log);
    await log.append(messages(1, 1));
    await follower.sees(1);
    const spy = await connect({ servers: server.url });
    let pendingRequests = 0;
    // Several, because the broker may not have counted a request yet when the spy sees it.
    for await (const _ of spy.subscribe("$JS.API.CONSUMER.MSG.NEXT.SHOP.>", { max: 3 })) {
      const [consumer] = await operator.consumers.list("SHOP").next();
      pendingRequests = consumer?.num_waiting ?? 0;
      if (pendingRequests === 2) break;
    }
    assert.is(pendingRequests, 2);
    await log.append(messages(2, 2));
    assert.equal(sequencesOf(await follower.sees(2)), [1, 2]);
    await follower.stop();
    await spy.close();
  },
);

jetStream("a message that no stream takes is rejected with its subject", async ({ log }) => {
  const start = performance.now();
  const astray = message(1, { subject: "elsewhere.product.1" });
  await rejects(() => log.append([astray]), "event_log", /no stream takes the subject/);
  assert.ok(performance.now() - start < 6000);
  const large = message(2, { body: Buffer.alloc(2_000_000) });
  await rejects(() => log.append([large]), "event_log", /larger than the broker takes.*event-2/);
  assert.is((await log.bounds()).last, 0);
});

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/**
 * Takes one record from the only consumer, so that its reader never gets it.
 * Resolves when the request for it is sent, with a promise of its sequence.
 */
async function steal(operator: NatsOperator, server: NatsServer): Promise<() => Promise<number>> {
  const [consumer] = await operator.consumers.list("SHOP").next();
  const thief = await connect({ servers: server.url });
  const loot = thief.subscribe("loot", { max: 1 });
  const request = JSON.stringify({ batch: 1, expires: 60_000_000_000 });
  const next = `$JS.API.CONSUMER.MSG.NEXT.SHOP.${consumer?.name}`;
  thief.publish(next, request, { reply: "loot" });
  await thief.flush();
  return async () => {
    let sequence = 0;
    for await (const { reply } of loot) sequence = Number(reply?.split(".")[5]);
    await thief.close();
    return sequence;
  };
}

jetStream.run();
