import { suite, type Test } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import type { EventLog, LogObservation } from "../../src/event-log/event-log.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { priceChanged } from "../helpers/events.ts";
import { type Implementation, journals, streams } from "./implementations.ts";
import {
  chunksOf,
  follow,
  message,
  messages,
  recordsOf,
  sequencesOf,
  textsOf,
} from "./messages.ts";
import { rejects } from "./rejects.ts";

interface Context {
  implementation: Implementation;
  open(): Promise<EventLog>;
  log: EventLog;
}

function portSuite(name: string, start: () => Promise<Implementation>): Test<Context> {
  const port = suite<Context>(name);
  port.before(async (context) => {
    context.implementation = await start();
  });
  port.before.each(async (context) => {
    context.open = await context.implementation.newLog();
    context.log = await context.open();
  });
  port.after.each(({ log }) => log.close());
  port.after(({ implementation }) => implementation.remove());
  return port;
}

function appending(port: Test<Context>): void {
  port("the log appends from sequence 1 and reads the same records back", async ({ log }) => {
    const appended = await log.append(messages(1, 3));
    assert.equal(appended, [
      { sequence: 1, duplicate: false },
      { sequence: 2, duplicate: false },
      { sequence: 3, duplicate: false },
    ]);
    const records = await recordsOf(log);
    assert.equal(sequencesOf(records), [1, 2, 3]);
    assert.equal(textsOf(records), ['{"n":1}', '{"n":2}', '{"n":3}']);
    assert.is(records[2]?.subject, "shop.product.3");
  });

  port(
    "the first message of an id stays, within one append and across handles",
    async (context) => {
      const first = await context.log.append([message(1), message(2), message(1)]);
      assert.equal(
        first.map(({ sequence, duplicate }) => [sequence, duplicate]),
        [
          [1, false],
          [2, false],
          [1, true],
        ],
      );
      const other = await context.open();
      const again = await other.append([message(2, { body: Buffer.from("other") }), message(3)]);
      await other.close();
      assert.equal(again, [
        { sequence: 2, duplicate: true },
        { sequence: 3, duplicate: false },
      ]);
      assert.equal(textsOf(await recordsOf(context.log)), ['{"n":1}', '{"n":2}', '{"n":3}']);
    },
  );

  port("two events of one id from two sources are both stored, each once", async ({ log }) => {
    const sources = ["/shops/main", "/erp", "/shops/main", "/erp"];
    const sent = sources.map((source) => toMessage(priceChanged({}, { id: "7", source })));
    const appended = await log.append(sent);
    assert.equal(
      appended.map(({ sequence, duplicate }) => [sequence, duplicate]),
      [
        [1, false],
        [2, false],
        [1, true],
        [2, true],
      ],
    );
  });

  port("an event of any id is stored once", async ({ log }) => {
    const ids = ["a b", "é", "\u{1f375}".repeat(1024), " ", "  ", "a", "a ", "x".repeat(1024)];
    const source = `/${"s".repeat(499)}`;
    for (const expected of [false, true]) {
      const sent = ids.map((id) => toMessage(priceChanged({}, { id, source })));
      const appended = await log.append(sent);
      assert.equal(
        appended.map(({ duplicate }) => duplicate),
        ids.map(() => expected),
      );
    }
  });

  port("ids differ by their last character, however long they are", async ({ log }) => {
    const long = "x".repeat(3000);
    const ids = [`${long}1`, `${long}2`, `${long}1`];
    const appended = await log.append(ids.map((id, n) => message(n, { id })));
    assert.equal(
      appended.map(({ duplicate }) => duplicate),
      [false, false, true],
    );
  });

  port("an append of nothing returns nothing", async ({ log }) => {
    assert.equal(await log.append([]), []);
    assert.equal(await chunksOf(log), []);
  });

  port(
    "headers of a binary event are stored with lower-case names, with any bytes",
    async ({ log }) => {
      const body = Uint8Array.from({ length: 256 }, (_, at) => at);
      const headers = {
        "ce-id": "7",
        "ce-Type": "shop.robots.updated",
        "ce-source": "/shops/caf%C3%A9",
      };
      await log.append([message(7, { subject: "shop.robots", headers, body })]);
      const [record] = await recordsOf(log);
      assert.is(record?.headers["ce-id"], "7");
      assert.is(record?.headers["ce-type"], "shop.robots.updated");
      assert.is(record?.headers["ce-source"], "/shops/caf%C3%A9");
      assert.equal([...(record?.body ?? [])], [...body]);
    },
  );

  port("a record has the log's own time", async ({ log }) => {
    const before = Date.now() - 1;
    await log.append([message(1)]);
    const [record] = await recordsOf(log);
    assert.ok(record && Number.isInteger(record.time));
    assert.ok(record.time >= before && record.time <= Date.now() + 1);
    assert.equal((await log.get(1))?.time, record.time);
  });

  port(
    "of two handles that append the same message at once one gets a duplicate",
    async (context) => {
      const other = await context.open();
      for (let round = 1; round <= 20; round += 1) {
        const both = await Promise.all(
          [context.log, other].map((log) => log.append([message(round)])),
        );
        const isFirst = both.flat().map(({ duplicate }) => !duplicate);
        assert.equal(isFirst.sort(), [false, true], `round ${round}`);
      }
      await other.close();
    },
  );

  port("two handles that append at once share one sequence without holes", async (context) => {
    const other = await context.open();
    await Promise.all([context.log.append(messages(1, 1500)), other.append(messages(1501, 3000))]);
    await other.close();
    const records = await recordsOf(context.log);
    assert.equal(
      sequencesOf(records),
      sequencesOf(records).map((_, at) => at + 1),
    );
    const numbers = records.map((record) => JSON.parse(Buffer.from(record.body).toString()).n);
    const isSorted = (list: number[]) => list.every((n, at) => at === 0 || n > (list[at - 1] ?? 0));
    assert.is(numbers.length, 3000);
    assert.ok(
      isSorted(numbers.filter((n) => n <= 1500)) && isSorted(numbers.filter((n) => n > 1500)),
    );
  });
}

function reading(port: Test<Context>): void {
  port("5,000 messages are read in sequence, in chunks of a bounded number", async ({ log }) => {
    await log.append(messages(1, 5000));
    const chunks = await chunksOf(log);
    const records = chunks.flat();
    assert.ok(
      chunks.length >= 5 && chunks.every((chunk) => chunk.length > 0 && chunk.length <= 1000),
    );
    assert.equal(
      sequencesOf(records),
      records.map((_, at) => at + 1),
    );
    assert.is(records.length, 5000);
    assert.equal(textsOf(records.slice(-1)), ['{"n":5000}']);
  });

  port("a chunk is also bounded in bytes", async ({ log }) => {
    const body = Buffer.alloc(700_000, "a");
    await log.append(messages(1, 14).map((one) => ({ ...one, body })));
    const chunks = await chunksOf(log);
    assert.is(chunks.flat().length, 14);
    assert.ok(
      chunks.every((chunk) => chunk.length <= 5),
      `${chunks.map(({ length }) => length)}`,
    );
  });

  port("a read begins after a sequence, and finds nothing after the last", async ({ log }) => {
    await log.append(messages(1, 10));
    assert.equal(sequencesOf(await recordsOf(log, 7)), [8, 9, 10]);
    assert.equal(await recordsOf(log, 10), []);
  });

  port("a read ends where the log ended when it began", async ({ log }) => {
    await log.append(messages(1, 1500));
    const seen: number[] = [];
    for await (const chunk of log.read({ after: 0, follow: false })) {
      if (seen.length === 0) await log.append(messages(1501, 1600));
      seen.push(...sequencesOf(chunk));
    }
    assert.is(seen.length, 1500);
    assert.is((await recordsOf(log, 1500)).length, 100);
  });

  port("a follower reads what is there, then what others append later", async (context) => {
    await context.log.append(messages(1, 2));
    const follower = follow(context.log);
    await follower.sees(2);
    const other = await context.open();
    await other.append(messages(3, 4));
    await follower.sees(4);
    await other.append(messages(5, 5));
    await other.close();
    assert.equal(sequencesOf(await follower.sees(5)), [1, 2, 3, 4, 5]);
    await follower.stop();
  });

  port("a follower reads an empty log from its first message on", async ({ log }) => {
    const follower = follow(log);
    await log.append(messages(1, 1));
    assert.equal(sequencesOf(await follower.sees(1)), [1]);
    await follower.stop();
  });

  port("several readers read at once, each from its own position", async ({ log }) => {
    await log.append(messages(1, 2500));
    const [all, some] = await Promise.all([recordsOf(log), recordsOf(log, 2400)]);
    assert.is(all.length, 2500);
    assert.is(some.length, 100);
  });

  port("an aborted read ends at once without an error", async ({ log }) => {
    await log.append(messages(1, 1));
    const follower = follow(log);
    await follower.sees(1);
    const start = performance.now();
    await follower.stop();
    assert.ok(performance.now() - start < 500);
    assert.equal(await chunksOf(log, { signal: AbortSignal.abort() }), []);
  });

  port("a read that its reader breaks off leaves nothing behind", async ({ log }) => {
    await log.append(messages(1, 2000));
    for await (const chunk of log.read({ after: 0, follow: true })) {
      assert.is(chunk[0]?.sequence, 1);
      break;
    }
    assert.is((await recordsOf(log)).length, 2000);
  });

  port(
    "closing the log ends every read without an error, and may be repeated",
    async ({ open }) => {
      const log = await open();
      const follower = follow(log);
      await log.append(messages(1, 1));
      await follower.sees(1);
      await log.close();
      await follower.ends();
      await log.close();
      await rejects(() => log.bounds(), "event_log");
    },
  );
}

const pick = (n: number, subject: string) => message(n, { subject });

function filtering(port: Test<Context>): void {
  const read = async (log: EventLog, subjects: readonly string[], after = 0) =>
    sequencesOf((await chunksOf(log, { after, subjects })).flat());

  port(
    "a read of one subject skips others, and finds nothing for an unknown subject",
    async ({ log }) => {
      await log.append(
        messages(1, 2500).map((one, at) => (at % 500 ? one : { ...one, subject: "shop.page.7" })),
      );
      assert.equal(await read(log, ["shop.page.7"]), [1, 501, 1001, 1501, 2001]);
      assert.equal(await read(log, ["shop.page.7"], 501), [1001, 1501, 2001]);
      assert.equal(await read(log, ["shop.page.70"]), []);
      assert.equal(await read(log, ["shop.page"]), []);
      assert.equal(await read(log, []), []);
    },
  );

  port("a read of few or many subjects keeps the sequence of the log", async ({ log }) => {
    const subjects = ["shop.product.1", "shop.price.1", "shop.stock.1", "shop.product.2"];
    const all = Array.from({ length: 6000 }, (_, n) =>
      pick(n, `${subjects[(n * n) % 11] ?? "shop.page.1"}`),
    );
    await log.append(all);
    const wanted = (list: readonly string[]) =>
      all.flatMap(({ subject }, at) => (list.includes(subject) ? [at + 1] : []));
    const few = subjects.slice(0, 2);
    assert.equal(await read(log, few), wanted(few));
    assert.equal(
      await read(log, [...few, "shop.product.1"], 3000),
      wanted(few).filter((at) => at > 3000),
    );
    const many = [...subjects, "shop.page.2", "shop.page.3"];
    assert.equal(await read(log, many), wanted(many));
    const chunks = await chunksOf(log, { subjects: few });
    assert.ok(chunks.every(({ length }) => length > 0 && length <= 1000));
  });

  port("a read of few subjects ends where the log ended when it began", async ({ log }) => {
    const [one, other] = ["shop.product.1", "shop.stock.1"] as const;
    await log.append(
      messages(1, 1500).map((each, at) => ({ ...each, subject: at % 2 ? one : other })),
    );
    const seen: number[] = [];
    for await (const chunk of log.read({ after: 0, follow: false, subjects: [one, other] })) {
      if (seen.length === 0) await log.append([pick(1501, one), pick(1502, other)]);
      seen.push(...sequencesOf(chunk));
    }
    assert.equal(
      seen,
      Array.from({ length: 1500 }, (_, at) => at + 1),
    );
  });

  port("a follower of one subject skips events of others", async ({ log }) => {
    await log.append([pick(1, "shop.robots"), pick(2, "shop.settings")]);
    const follower = follow(log, { subjects: ["shop.robots"] });
    await follower.sees(1);
    await log.append([pick(3, "shop.settings"), pick(4, "shop.robots")]);
    assert.equal(sequencesOf(await follower.sees(2)), [1, 4]);
    await follower.stop();
  });

  port("a read of one subject is verified and checks its position as well", async ({ log }) => {
    await log.append(messages(1, 3));
    const subjects = ["shop.product.1"];
    await rejects(() => chunksOf(log, { after: 4, subjects }), "divergence", /ends at 3/);
    const verify = () => Promise.reject(new VitrineError("divergence", "refused"));
    await rejects(() => chunksOf(log, { verify, subjects }), "divergence", /refused/);
  });

  port(
    "a read of few subjects that its reader breaks off leaves nothing behind",
    async ({ log }) => {
      await log.append(
        messages(1, 10).map((each, at) => ({ ...each, subject: `shop.page.${at % 2}` })),
      );
      const subjects = ["shop.page.0", "shop.page.1"];
      for await (const _ of log.read({ after: 0, follow: false, subjects })) break;
      assert.is((await read(log, subjects)).length, 10);
    },
  );
}

function looking(port: Test<Context>): void {
  port(
    "bounds are correct for an empty log, and for one of one or many records",
    async ({ log }) => {
      assert.equal(await log.bounds(), { first: 1, last: 0, isComplete: true });
      await log.append(messages(1, 1));
      assert.equal(await log.bounds(), { first: 1, last: 1, isComplete: true });
      await log.append(messages(2, 40));
      assert.equal(await log.bounds(), { first: 1, last: 40, isComplete: true });
    },
  );

  port("the identity stays when the log is opened again", async (context) => {
    const identity = await context.log.identity();
    assert.ok(identity.name.length > 0 && !Number.isNaN(Date.parse(identity.created)));
    const other = await context.open();
    assert.equal(await other.identity(), identity);
    await other.close();
  });

  port("another log has another identity", async (context) => {
    const before = await context.log.identity();
    const fresh = await context.implementation.newLog();
    const log = await fresh();
    assert.not.equal(await log.identity(), before);
    await log.close();
  });

  port(
    "a read is verified with the identity of the log before its first record",
    async ({ log }) => {
      await log.append(messages(1, 3));
      const verified: LogObservation[] = [];
      const verify = async (observed: LogObservation): Promise<void> => {
        verified.push(observed);
      };
      for await (const chunk of log.read({ after: 0, follow: false, verify })) {
        assert.equal(sequencesOf(chunk), [1, 2, 3]);
        assert.equal(verified, [{ identity: await log.identity(), isResumed: true, latest: [] }]);
      }
      const refuse = () => Promise.reject(new VitrineError("divergence", "refused"));
      const read = async () => {
        for await (const _ of log.read({ after: 0, follow: true, verify: refuse }))
          assert.unreachable("it was yielded");
      };
      await rejects(read, "divergence", /refused/);
    },
  );

  port("get finds the record at a sequence, or nothing", async ({ log }) => {
    await log.append(messages(1, 3));
    const record = await log.get(2);
    assert.is(record?.sequence, 2);
    assert.is(record?.subject, "shop.product.2");
    assert.is(record?.headers["content-type"], "application/cloudevents+json");
    assert.is(record?.headers["nats-msg-id"], "event-2");
    assert.is(Buffer.from(record?.body ?? []).toString(), '{"n":2}');
    assert.is(await log.get(0), undefined);
    assert.is(await log.get(4), undefined);
  });

  port("a read past the end is rejected: the log was rolled back", async ({ log }) => {
    await log.append(messages(1, 3));
    await rejects(() => recordsOf(log, 4), "divergence", /ends at 3/);
  });

  port("the log has an address", ({ log }) => {
    assert.match(log.address, /^(journal \/|nats:\/\/127\.0\.0\.1:\d+ stream SHOP$)/);
  });
}

const implementations = { "the journal": journals, "a JetStream stream": streams };

for (const [name, start] of Object.entries(implementations)) {
  const port = portSuite(name, start);
  appending(port);
  reading(port);
  filtering(port);
  looking(port);
  port.run();
}
