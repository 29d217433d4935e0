import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { shopWith } from "./contract-11-feed.ts";
import {
  documents,
  otherPrice,
  positioned,
  query,
  queryUrl,
  shopEvents,
  stated,
  timeOf,
  unpositioned,
} from "./contract-11-surfaces.ts";
import { anonymous, type SendRequest } from "./every-surface.ts";

const test = suite("Contract 11, positions of answers");

const count = shopEvents().length;

const withShop = shopWith(shopEvents);

const drained = async (response: Response): Promise<Response> => {
  await response.arrayBuffer();
  return response;
};

for (const [name, send] of Object.entries(positioned))
  test(`Contract 11, rule 2: ${name} states the position, and moves on with commits that do not change it`, () =>
    withShop(async (service) => {
      const first = await send(service);
      const { text: position, sequence, asOf } = stated(first);
      const body = await first.text();
      assert.ok(first.status === 200 || first.status === 404, String(first.status));
      assert.match(position, /^[0-9a-z]{12}-\d{16}$/);
      assert.equal([sequence, asOf], [count, "2026-10-01T08:00:00.000Z"]);
      // The third and later ones come from the response cache, where the surface has one.
      for (let at = 1; at <= 5; at += 1) {
        service.apply(otherPrice(at));
        const again = await send(service);
        assert.equal(stated(again).sequence, count + at, name);
        assert.is(stated(again).asOf, timeOf(at));
        assert.is(stated(again).epoch, stated(first).epoch);
        assert.is(await again.text(), body);
      }
    }));

for (const [name, [path, accept]] of Object.entries(documents))
  test(`Contract 11, rule 2: 304, HEAD and compressed answers of ${name} have the position of theirs`, () =>
    withShop(async (service) => {
      const etag = (await drained(await service.get(path, { accept }))).headers.get("etag") ?? "";
      for (let at = 1; at <= 4; at += 1) {
        const ask = async (headers: Record<string, string>, method = "GET") =>
          drained(await service.request(path, { method, headers: { accept, ...headers } }));
        const gzip = { "accept-encoding": "gzip" };
        const current = (await ask({ "if-none-match": etag })).status;
        assert.ok(current === 304, `${name} ${current}`);
        for (const [status, answer] of [
          [304, await ask({ "if-none-match": etag })],
          [304, await ask({ "if-none-match": "*" })],
          [200, await ask({}, "HEAD")],
          [200, await ask(gzip)],
        ] as const) {
          assert.is(answer.status, status, name);
          assert.is(stated(answer).sequence, count + at - 1, `${name} ${status}`);
          assert.ok(stated(answer).asOf);
        }
        service.apply(robotsComment(at));
      }
    }));

/** Builds an event that changes no document of this test: a product that is not visible. */
const robotsComment = (at: number) =>
  productUpserted({ id: 50, active: false, name: `Hidden ${at}` }, { time: timeOf(at) });

for (const [name, send] of Object.entries(unpositioned))
  test(`Contract 11, rule 2: ${name} has neither header`, () =>
    withShop(async (service) => {
      const answer = await drained(await send(service));
      assert.ok(answer.status < 300, String(answer.status));
      assert.equal([answer.headers.get("x-position"), answer.headers.get("x-as-of")], [null, null]);
    }));

/** Renames product 1 at each commit, so that a body states its commit: `Product @9` was made at 9. */
const renamed = (sequence: number) =>
  productUpserted({ id: 1, name: `Product @${sequence}` }, { time: timeOf(sequence) });

const sequenceIn = (body: string): number => Number(/Product @(\d+)/.exec(body)?.[1]);

const connected = async ({ server, url }: TestServer): Promise<Socket> => {
  const accepted = once(server, "connection");
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await Promise.all([once(socket, "connect"), accepted]);
  return socket;
};

/** Builds a request for product 1: of its page, or by a document that runs for the first time. */
const requestOf = (at: number): string => {
  const document = `{ p${at}: product(id: 1) { product { name } } }`;
  const path = at % 2 ? "/products/1.md" : `/graphql?query=${encodeURIComponent(document)}`;
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nNumber: ${at}\r\nConnection: close\r\n\r\n`;
};

test("Contract 11, rule 2: the position is that of the snapshot that made the body, also after a wait in the queue and at the first run of a document", async () => {
  let isSlow = false;
  // Each snapshot takes longer than a tick may, so that requests are queued.
  const now = (): number => {
    const end = performance.now() + (isSlow ? 25 : 0);
    while (performance.now() < end);
    return Date.now();
  };
  await withShop(
    async (service) => {
      let sequence = count + 1;
      service.apply(renamed(sequence));
      const arrivals = new Map<unknown, number>();
      service.server.on("request", ({ headers }) => arrivals.set(headers.number, sequence));
      const sockets: Socket[] = [];
      for (let at = 0; at < 12; at += 1) sockets.push(await connected(service));
      isSlow = true;
      const waits = await Promise.all(
        sockets.map(async (socket, at) => {
          socket.write(requestOf(at));
          const answer = await text(socket);
          const position = Number(/^X-Position: \w+-(\d+)/m.exec(answer)?.[1]);
          assert.is(position, sequenceIn(answer), answer);
          sequence += 1;
          service.apply(renamed(sequence));
          return position - (arrivals.get(String(at)) ?? Number.NaN);
        }),
      );
      isSlow = false;
      assert.ok(Math.max(...waits) > 0, `a request waited while commits came: ${waits}`);
    },
    { now },
  );
});

test("Contract 11, rule 2: an answer of a generation that was swapped in has its position", () =>
  withShop(async (service) => {
    for (let at = 0; at < 3; at += 1) await service.get("/products/1.md");
    await service.swap([...shopEvents(), otherPrice(1), otherPrice(2)]);
    assert.is(stated(await service.get("/products/1.md")).sequence, count + 2);
  }));

test("Contract 11, rule 2: before the first event there is no position", async () => {
  const service = await openTestServer();
  for (const path of ["/llms.txt", "/robots.txt", "/nothing", queryUrl]) {
    const { headers } = await drained(await service.get(path));
    assert.equal([headers.get("x-position"), headers.get("x-as-of")], [null, null], path);
  }
  await service.close();
});

test("Contract 11, rule 3: no body has a position", () =>
  withShop(async (service) => {
    const { epoch } = stated(await service.get("/robots.txt"));
    const all: Readonly<Record<string, SendRequest>> = {
      ...positioned,
      ...unpositioned,
      ...anonymous,
    };
    for (const [name, send] of Object.entries(all))
      assert.not.match(await (await send(service)).text(), epoch, name);
  }));

test("Contract 11, rule 3: no ETag depends on the position", () =>
  withShop(async (service) => {
    const etags = () =>
      Promise.all(
        Object.values(documents).map(async ([path, accept]) =>
          (await drained(await service.get(path, { accept }))).headers.get("etag"),
        ),
      );
    const before = await etags();
    service.apply(robotsComment(1));
    assert.equal(await etags(), before);
  }));

test("Contract 11, rule 3: web pages may read both headers, and send X-Min-Position to the tools", () =>
  withShop(async (service) => {
    const origin = "https://page.example";
    const { headers } = await service.post({ query }, { origin });
    const exposed = (headers.get("access-control-expose-headers") ?? "").split(", ");
    for (const name of ["X-Position", "X-As-Of"]) assert.ok(exposed.includes(name), name);
  }));

test("Contract 11, rule 2: an answer that was made before a commit does not state it", () =>
  withShop(async (service) => {
    const arrived = once(service.server, "request");
    const waiting = service.get("/products/1.md");
    await arrived;
    service.apply(renamed(count + 1));
    const answer = await waiting;
    assert.is(stated(answer).sequence, count);
    const next = await service.get("/products/1.md");
    assert.equal([stated(next).sequence, sequenceIn(await next.text())], [count + 1, count + 1]);
  }));

test.run();
