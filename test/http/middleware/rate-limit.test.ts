import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type CountReply,
  type CountRequest,
  countClient,
  createCountServer,
} from "../../../src/http/rate-limit/ipc.ts";
import { createFixedWindow } from "../../../src/http/rate-limit/rate-limit.ts";
import { heapInUse } from "../../helpers/heap.ts";

const test = suite("rate limit");

/** A clock that a test advances. */
const clock = () => {
  let time = 1_000;
  return {
    now: () => time,
    pass: (ms: number) => {
      time += ms;
    },
  };
};

test("a client has its requests, and then none until its window ends", () => {
  const { now, pass } = clock();
  const count = createFixedWindow(2, now);
  assert.equal(count("a"), { admitted: true, remaining: 1, resetMs: 60_000 });
  pass(10_000);
  assert.equal(count("a"), { admitted: true, remaining: 0, resetMs: 50_000 });
  assert.equal(count("a"), { admitted: false, remaining: 0, resetMs: 50_000 });
  pass(49_999);
  assert.equal(count("a"), { admitted: false, remaining: 0, resetMs: 1 });
  pass(1);
  assert.equal(count("a"), { admitted: true, remaining: 1, resetMs: 60_000 });
});

test("a new window ends after a minute at most, at any time of a clock with fractions", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e10 }), (divisor) => {
      const time = 1e13 / divisor;
      assert.ok(createFixedWindow(1, () => time)("a").resetMs <= 60_000);
    }),
    { numRuns: 2_000 },
  );
});

test("a rejected request does not extend the window of its client", () => {
  const { now, pass } = clock();
  const count = createFixedWindow(1, now);
  count("a");
  for (let second = 0; second < 59; second += 1) {
    pass(1_000);
    assert.is(count("a").admitted, false);
  }
  pass(1_000);
  assert.is(count("a").admitted, true);
});

test("each client has a count of its own", () => {
  const count = createFixedWindow(1, clock().now);
  for (let id = 0; id < 1_000; id += 1) assert.is(count(`client ${id}`).admitted, true);
  for (let id = 0; id < 1_000; id += 1) assert.is(count(`client ${id}`).admitted, false);
});

test("a full table forgets the oldest clients, but none that has no requests left", () => {
  const { now, pass } = clock();
  const count = createFixedWindow(3, now, 10);
  for (let request = 0; request < 4; request += 1) count("greedy");
  count("early");
  for (let id = 0; id < 10_000; id += 1) count(`client ${id}`);
  assert.is(count("greedy").admitted, false);
  assert.is(count("early").remaining, 2);
  assert.is(count("client 9999").remaining, 1);
  pass(60_000);
  assert.is(count("greedy").remaining, 2);
});

test("clients of an earlier window take no memory, whether they had requests left or none", () => {
  const { now, pass } = clock();
  for (const limit of [600, 1]) {
    const count = createFixedWindow(limit, now);
    const before = heapInUse();
    for (let minute = 0; minute < 5; minute += 1) {
      for (let id = 0; id < 20_000; id += 1) count(`2001:db8:${minute}:${id}::/64`);
      pass(60_000);
    }
    count("last");
    const grown = (heapInUse() - before) / 2 ** 20;
    assert.ok(grown < 3, `${grown} MB for 100,000 clients with ${limit} requests each`);
    count("last");
  }
});

/** Several HTTP processes and the process that counts, with a channel that takes a tick in each direction. */
const askers = (limit: number, howMany: number) => {
  const answer = createCountServer(createFixedWindow(limit, clock().now));
  const questions: CountRequest[] = [];
  const counts = Array.from({ length: howMany }, () => {
    const later: { hear: (answered: CountReply) => void } = { hear: () => undefined };
    const shared = countClient((question) => {
      questions.push(question);
      setImmediate(() => {
        const answered = answer(question);
        setImmediate(() => later.hear(answered));
      });
    });
    later.hear = shared.onReply;
    return shared.count;
  });
  return { counts, questions };
};

test("processes that share a count admit together what one would admit", async () => {
  const { counts } = askers(100, 4);
  const answers = await Promise.all(
    Array.from({ length: 250 }, (_, at) => counts[at % 4]?.(at % 5 === 0 ? "other" : "client")),
  );
  const admitted = (client: number) =>
    answers.filter((counted, at) => at % 5 === client && counted?.admitted).length;
  assert.is(admitted(0), 50);
  assert.is(
    [1, 2, 3, 4].map(admitted).reduce((sum, each) => sum + each),
    100,
  );
});

test("each request that another process counts gets its own answer", async () => {
  const { counts } = askers(1_000, 1);
  const [count = () => assert.unreachable() as never] = counts;
  const first = await Promise.all([count("a"), count("b"), count("a")]);
  assert.equal(
    first.map(({ remaining }) => remaining),
    [999, 999, 998],
  );
  assert.is((await count("b")).remaining, 998);
});

test("concurrent requests are counted in one message", async () => {
  const { counts, questions } = askers(1_000, 1);
  await Promise.all(Array.from({ length: 50 }, () => counts[0]?.("a")));
  assert.is(questions.length, 1);
});

test.run();
