import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { admissionControl, createWorkQueue } from "../../../src/http/scheduling/work-queue.ts";
import { categoryUpserted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openTestServer } from "../../helpers/test-server.ts";
import { serveHandler } from "../serve-handler.ts";

const test = suite<{ clock: number | undefined }>("work queue");

const { now } = performance;
test.before.each((context) => {
  context.clock = undefined;
  performance.now = () => context.clock ?? now.call(performance);
});
test.after.each(() => {
  performance.now = now;
});

/** Blocks the event loop for this many milliseconds. */
const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

test("after a long tick queued requests start one per tick", async () => {
  const queue = createWorkQueue();
  assert.not(queue.isOverloaded());
  work(25);
  assert.ok(queue.isOverloaded());
  let turn = 0;
  const counting = setInterval(() => {});
  const count = (): void =>
    void setImmediate(() => {
      turn += 1;
      if (turn < 100) count();
    });
  count();
  const begun = await Promise.all(
    ["a", "a", "b"].map(async (client) => {
      await queue.acquireNext(client);
      return [client, turn] as const;
    }),
  );
  clearInterval(counting);
  assert.is(new Set(begun.map(([, at]) => at)).size, 3, JSON.stringify(begun));
  const [, second, other] = begun.map(([, at]) => at);
  assert.ok(
    (other ?? 0) < (second ?? 0),
    "another client's request comes before a client's second one",
  );
  await nextTurn();
  assert.not(queue.isOverloaded(), "the queue is empty again");
});

test("during overload new requests are read before the next queued request, up to a bound", async (context) => {
  context.clock = 1_000;
  const queue = createWorkQueue();
  const begun: string[] = [];
  const add = (name: string): void =>
    queue.enqueue("a", () => {
      begun.push(name);
      return true;
    });
  // Simulates a tick of 25 ms.
  queue.isOverloaded();
  context.clock += 25;
  add("first");
  // A new request arrives in every tick.
  for (let turn = 0; turn < 10; turn += 1) {
    await nextTurn();
    queue.isOverloaded();
  }
  assert.equal(begun, []);
  await nextTurn();
  await nextTurn();
  assert.equal(begun, [], "nor in the tick in which the last request may be read");
  await nextTurn();
  assert.equal(begun, ["first"]);
  queue.isOverloaded();
  context.clock += 25;
  add("second");
  await nextTurn();
  queue.isOverloaded();
  assert.equal(begun, ["first"]);
  context.clock += 6;
  await nextTurn();
  assert.equal(begun, ["first", "second"]);
});

test("a request that yields during its slot gets no second slot", async () => {
  const queue = createWorkQueue();
  let turn = 0;
  const count = (): void =>
    void setImmediate(() => {
      turn += 1;
      if (turn < 100) count();
    });
  count();
  const begun: number[] = [];
  await new Promise<void>((done) => {
    const piece = (): boolean => {
      if (begun.push(turn) === 3) done();
      return false;
    };
    queue.enqueue("a", () => {
      for (let more = 0; more < 3; more += 1) queue.enqueue("a", piece);
      return false;
    });
  });
  assert.is(new Set(begun).size, 3, JSON.stringify(begun));
});

/** Opens a connection and reads one response: only then has the server surely accepted it. */
const taken = async (port: number, request: string): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1");
  socket.write(request);
  await once(socket, "data");
  return socket;
};

/** Queries of one request; each text is new, so that no cached answer exists. */
const soughtBy = (at: number): readonly string[] =>
  Array.from(
    { length: 5 },
    (_, field) => `nothing${at} comfortable leather jacket rain boots ${field}`,
  );

const documentOf = (texts: readonly string[], variables = ""): string => {
  const fields = texts.map(
    (text, field) =>
      `f${field}: products(query: ${text}, relax: true, first: 20) { totalCount nodes { id name description } }`,
  );
  return `${variables}{ ${fields.join(" ")} }`;
};

/** A document that differs for each request. */
const searches = (at: number): string =>
  JSON.stringify({ query: documentOf(soughtBy(at).map((text) => JSON.stringify(text))) });

const names = ["a", "b", "c", "d", "e"];
const planned = documentOf(
  names.map((name) => `$${name}`),
  `query(${names.map((name) => `$${name}: String`).join(", ")}) `,
);

/** The same document for each request, which a compiled plan executes. */
const plannedSearches = (at: number): string =>
  JSON.stringify({
    query: planned,
    variables: Object.fromEntries(soughtBy(at).map((text, field) => [names[field], text])),
  });

const posted = (body: string): string =>
  `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Sends many requests at once, and checks that no tick takes more than a share of the total time. */
const askManyAtOnce = async (bodyOf: (at: number) => string, share: number): Promise<void> => {
  const service = await openTestServer();
  const words = ["leather jacket", "rain boots", "comfortable boots", "leather boots rain"];
  service.apply(
    settingsUpdated(),
    categoryUpserted({ id: 1 }),
    ...Array.from({ length: 300 }, (_, at) =>
      productUpserted({
        id: at + 1,
        name: `${words[at % words.length]} ${at}`,
        categoryIds: [1],
      }),
    ),
  );
  const { port } = new URL(service.url);
  const sockets = await Promise.all(
    Array.from({ length: 40 }, () => taken(Number(port), posted(bodyOf(-1)))),
  );
  const answered = sockets.map(async (socket) => {
    const [chunk] = await once(socket, "data");
    assert.match(String(chunk), /^HTTP\/1.1 200 /);
  });
  for (const [at, socket] of sockets.entries()) {
    socket.write(posted(bodyOf(at)));
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
  assert.ok(longest < all * share, `${longest} of ${all} ms in one turn`);
  for (const socket of sockets) socket.destroy();
  await service.close();
};

test("dozens of searches in one tick delay timers and other clients by at most a quarter of their time", () =>
  askManyAtOnce(searches, 1 / 4));

test("dozens of searches by a compiled document delay them by at most half of their time", () =>
  askManyAtOnce(plannedSearches, 1 / 2));

test("a request that waits for too long gets 429 with Retry-After", async () => {
  const { port, close } = await serveHandler(
    admissionControl(createWorkQueue(0))(() => {
      work(25);
      return { status: 200, body: "done" };
    }),
  );
  const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const sockets = [await taken(port, get), await taken(port, get)];
  const answers = sockets.map(async (socket) => String((await once(socket, "data"))[0]));
  for (const socket of sockets) socket.write(get);
  const [first = "", second = ""] = await Promise.all(answers);
  assert.match(first, /^HTTP\/1.1 200 /);
  assert.match(second, /^HTTP\/1.1 429 .*Retry-After: 5\r\n.*overloaded/s);
  for (const socket of sockets) socket.destroy();
  await close();
});

test("a queued request is not started when its client has disconnected", async () => {
  const queue = createWorkQueue();
  const over = new EventEmitter();
  let begun = 0;
  const wait = admissionControl(queue)(() => {
    begun += 1;
    return { status: 200, body: "done" };
  });
  const { port, close } = await serveHandler(
    (exchange) => {
      // The tick that reads the request has then been long.
      queue.isOverloaded();
      work(25);
      // Runs before the next tick of the queue.
      setImmediate(() => exchange.request.socket.destroy());
      return wait(exchange);
    },
    { observe: ({ status }) => over.emit("over", status) },
  );
  const passed = once(over, "over");
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.equal(await passed, [499]);
  assert.is(begun, 0);
  await close();
});

test.run();
