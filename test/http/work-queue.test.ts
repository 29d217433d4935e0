import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openWorkQueue, takeTurns } from "../../src/http/work-queue.ts";
import { categoryUpserted, productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openService } from "../helpers/service.ts";

const test = suite("work queue");

/** Keeps the event loop for so many milliseconds. */
const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

test("of each client the oldest comes first, and one of each before anybody's second", () => {
  const turns = takeTurns<string>();
  for (const thing of ["a1", "a2", "a3", "b1", "c1", "b2"]) turns.add(thing[0] as string, thing);
  assert.is(turns.count(), 6);
  const taken = Array.from({ length: 6 }, () => turns.take());
  assert.equal(taken, ["a1", "b1", "c1", "a2", "b2", "a3"]);
  assert.is(turns.count(), 0);
  assert.is(turns.take(), undefined);
});

test("what comes behind much work of one turn is begun one by one, a turn each", async () => {
  const queue = openWorkQueue();
  assert.is(queue.turn("a"), undefined);
  work(25);
  let turn = 0;
  const counting = setInterval(() => {});
  const count = (): void => void setImmediate(() => ((turn += 1), turn < 100 && count()));
  count();
  const begun = await Promise.all(
    ["a", "a", "b"].map(async (client) => {
      await queue.turn(client);
      return [client, turn] as const;
    }),
  );
  clearInterval(counting);
  assert.is(new Set(begun.map(([, at]) => at)).size, 3, JSON.stringify(begun));
  const [, second, other] = begun.map(([, at]) => at);
  assert.ok((other ?? 0) < (second ?? 0), "another client's comes before a second one");
  await nextTurn();
  assert.is(queue.turn("a"), undefined, "and then nobody waits any more");
});

test("what holds much memory is done one at a time, whatever becomes of it", async () => {
  const queue = openWorkQueue();
  let running = 0;
  let most = 0;
  const done = await Promise.allSettled(
    [1, 2, 3, 4].map((piece) =>
      queue.alone("a", async () => {
        running += 1;
        most = Math.max(most, running);
        await nextTurn();
        running -= 1;
        if (piece === 2) throw new Error("it fails");
        return piece;
      }),
    ),
  );
  assert.is(most, 1);
  assert.equal(
    done.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
});

/** Searches for many things in one document; each text is another one, so that none is known. */
const searches = (at: number): string => {
  const fields = Array.from(
    { length: 5 },
    (_, field) =>
      `f${field}: products(query: "nothing${at} comfortable leather jacket rain boots ${field}", relax: true, first: 20) { totalCount nodes { id name description } }`,
  );
  return JSON.stringify({ query: `{ ${fields.join(" ")} }` });
};

test("dozens of searches that come in one turn keep neither timers nor anybody else waiting for all of them", async () => {
  const service = await openService();
  const words = ["leather jacket", "rain boots", "comfortable boots", "leather boots rain"];
  service.tell(
    settingsUpdated(),
    categoryUpserted({ id: 1 }),
    ...Array.from({ length: 300 }, (_, at) =>
      productUpserted({ id: at + 1, name: `${words[at % words.length]} ${at}`, categoryIds: [1] }),
    ),
  );
  const { port } = new URL(service.url);
  const sockets = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = connect(Number(port), "127.0.0.1");
      // Only what was answered is sure to have been taken from those that wait to be.
      socket.write("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n");
      await once(socket, "data");
      return socket;
    }),
  );
  const answered = sockets.map(async (socket) => {
    const [chunk] = await once(socket, "data");
    assert.match(String(chunk), /^HTTP\/1.1 200 /);
  });
  for (const [at, socket] of sockets.entries()) {
    const body = searches(at);
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  let isOver = false;
  void Promise.all(answered).then(() => {
    isOver = true;
  });
  let longest = 0;
  const begun = performance.now();
  for (let before = begun; !isOver; ) {
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
  }
  const all = performance.now() - begun;
  await Promise.all(answered);
  assert.ok(longest < all / 4, `${longest} of ${all} ms in one turn`);
  for (const socket of sockets) socket.destroy();
  await service.close();
});

test.run();
