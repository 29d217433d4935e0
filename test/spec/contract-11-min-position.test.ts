import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Observation } from "../../src/http/exchange.ts";
import { productUpserted, robotsUpdated, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { open as openApp } from "../http/test-app.ts";
import { shopWith } from "./contract-11-feed.ts";
import {
  otherPrice,
  positioned,
  positionOf,
  query,
  queryUrl,
  shopEvents,
  stated,
  unpositioned,
} from "./contract-11-surfaces.ts";
import { anonymous, bearer, get, listing, postTo, type SendRequest } from "./every-surface.ts";

const test = suite("Contract 11, minimum position");

const withShop = shopWith(shopEvents);

const surfaces: Readonly<Record<string, SendRequest>> = {
  ...anonymous,
  ...unpositioned,
  ...positioned,
};

const asking = (position: string) => ({ "x-min-position": position });

/** What a refusal says; undefined members where it is none. */
const refusalOf = async (answer: Response) => {
  const { status, headers } = answer;
  const text = await answer.text();
  const json = (headers.get("content-type") ?? "").includes("json");
  const { code, message, retry_after } = (json && JSON.parse(text).error) || {};
  const [retryAfter, cacheControl] = [headers.get("retry-after"), headers.get("cache-control")];
  const position = headers.get("x-position");
  return { status, code, message, retry_after, retryAfter, cacheControl, position };
};

const statusOf = async (answer: Response): Promise<number> => {
  await answer.arrayBuffer();
  return answer.status;
};

for (const [name, send] of Object.entries(surfaces))
  test(`Contract 11, rules 5 and 6: ${name} answers from a position that it has reached, and refuses that of another epoch at once`, () =>
    withShop(async (service) => {
      const { at, sequence, other, ahead } = await positionOf(service);
      const status = await statusOf(await send(service));
      for (const reached of [at(sequence), at(1), `${at(sequence)}.1790000000000`])
        assert.is(await statusOf(await send(service, asking(reached))), status, name);
      const startedAt = performance.now();
      const json = { accept: "application/json" };
      const refusal = await refusalOf(await send(service, { ...json, ...asking(other) }));
      assert.ok(performance.now() - startedAt < 1_000);
      assert.equal([refusal.status, refusal.code], [412, "precondition_failed"]);
      assert.equal([refusal.retryAfter, refusal.retry_after], [null, undefined]);
      assert.equal([refusal.cacheControl, refusal.position], ["no-store", at(sequence)]);
      // A request whose position comes while it waits is answered as any other.
      const arrived = once(service.server, "request");
      const waiting = send(service, asking(ahead));
      await arrived;
      service.apply(otherPrice(1));
      const answer = await waiting;
      assert.is(answer.status, status, name);
      if (stated(answer).text !== "") assert.is(stated(answer).text, ahead);
      await answer.arrayBuffer();
    }));

/** The same path with `min_position` where a query may have it. */
const spellings = (path: string, position: string): readonly string[] => {
  const [bare, given] = path.split("?");
  return given === undefined
    ? [`${bare}?min_position=${position}`]
    : [
        `${bare}?min_position=${position}&${given}`,
        `${bare}?${given}&min_position=${position}`,
        `${bare}?${given.replace("&", `&min_position=${position}&`)}`,
      ];
};

test("Contract 11, rule 5: min_position is no part of the address of a page, nor of an operation", () =>
  withShop(async (service) => {
    service.apply(productUpserted({ id: 7, url: "https://shop.example/show?id=7&c=%C3%A4+b" }));
    const { at, sequence } = await positionOf(service);
    for (const path of ["/products/1.md", "/show?id=7&c=%C3%A4+b", "/llms.txt", queryUrl]) {
      const own = { accept: "text/markdown, */*;q=0.1" };
      const plain = await service.get(path, own);
      assert.is(plain.status, 200, path);
      const body = await plain.text();
      for (const spelling of spellings(path, at(sequence))) {
        const answer = await service.get(spelling, own);
        assert.is(answer.status, 200, spelling);
        assert.is(await answer.text(), body, spelling);
        assert.is(answer.headers.get("etag"), plain.headers.get("etag"));
      }
    }
    // Another parameter whose name has the same text selects another page.
    for (const name of ["xmin_position", "min_positions", "MIN_POSITION"])
      assert.is(await statusOf(await service.get(`/products/1.md?${name}=1`)), 404, name);
  }));

test("Contract 11, rule 5: robots.txt does not apply to min_position", () =>
  withShop(async (service) => {
    const rules = "User-agent: BadBot\nDisallow: /*min_position\nDisallow: /products/1$\n";
    service.apply(robotsUpdated(rules, { time: "2026-11-26T00:00:00Z" }));
    const { at } = await positionOf(service);
    const agent = { "user-agent": "BadBot" };
    const ask = async (path: string) =>
      statusOf(await service.get(`${path}?min_position=${at(1)}`, agent));
    assert.equal([await ask("/llms.txt"), await ask("/products/1")], [200, 403]);
  }));

test("Contract 11, rule 5: min_position in the query goes before the header", () =>
  withShop(async (service) => {
    const { at, other } = await positionOf(service);
    for (const header of [other, "malformed"])
      assert.is(
        await statusOf(await service.get(`/llms.txt?min_position=${at(1)}`, asking(header))),
        200,
      );
    const refused = await service.get(`/llms.txt?min_position=${other}`, asking(at(1)));
    assert.is(await statusOf(refused), 412);
  }));

test("Contract 11, rule 5: the age of the data is checked first, the method and the token later", () =>
  withShop(async (service) => {
    const { other } = await positionOf(service);
    const old = { "x-max-data-age": "1" };
    assert.is(await statusOf(await service.get("/llms.txt", { ...asking(other), ...old })), 503);
    for (const path of ["/graphql", "/agent/mcp", "/nothing"]) {
      const put = { method: "PUT", headers: asking(other) };
      assert.is(await statusOf(await service.request(path, put)), 412, path);
    }
    assert.is(await statusOf(await postTo("/agent/mcp", listing)(service, asking(other))), 412);
  }));

test("Contract 11, rule 5: a malformed position is 400, which names its source; an empty header counts as absent", () =>
  withShop(async (service) => {
    const { at, epoch } = await positionOf(service);
    const malformed = ["", "x", "1", `${epoch}-1`, `${at(1)} `, `${at(1)}.1`, at(1).toUpperCase()];
    const twice = `/llms.txt?min_position=${at(1)}&min_position=${at(1)}`;
    const urls = [...malformed.map((text) => `/llms.txt?min_position=${text}`), twice];
    for (const url of [...urls, "/llms.txt?min_position"]) {
      const { status, code, message } = await refusalOf(await service.get(encodeURI(url)));
      assert.equal([status, code], [400, "bad_request"], url);
      assert.match(message, "min_position");
    }
    for (const text of malformed.map((each) => each.trim()).filter((each) => each !== at(1))) {
      const refusal = await refusalOf(await service.get("/llms.txt", asking(text)));
      assert.equal(
        [refusal.status, refusal.code],
        text === "" ? [200, undefined] : [400, "bad_request"],
      );
      if (text !== "") assert.match(refusal.message, "X-Min-Position");
    }
  }));

test("Contract 11, rule 6: a position that does not come is 412 after two seconds, with Retry-After and the position of the service", () =>
  withShop(async (service) => {
    const { ahead, at, sequence } = await positionOf(service);
    const startedAt = performance.now();
    const [byHeader, byQuery, text, shown] = await Promise.all([
      service.post({ query }, asking(ahead)),
      service.get(`/products/1.md?min_position=${ahead}`, { accept: "application/json" }),
      service.get("/llms.txt", { ...asking(ahead), accept: "text/plain" }),
      service.get("/graphql", { ...asking(ahead), accept: "text/html" }),
    ]);
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.ok(seconds >= 1.95 && seconds < 4, String(seconds));
    for (const answer of [byHeader, byQuery]) {
      const refusal = await refusalOf(answer);
      assert.equal([refusal.status, refusal.code], [412, "precondition_failed"]);
      assert.equal([refusal.retryAfter, refusal.retry_after], ["1", 1]);
      assert.equal([refusal.cacheControl, refusal.position], ["no-store", at(sequence)]);
    }
    assert.equal([await statusOf(text), await statusOf(shown)], [412, 412]);
  }));

test("Contract 11, rule 6: a wait ends with the commit that reaches the position, not with an earlier one", () =>
  withShop(async (service) => {
    const { at, sequence } = await positionOf(service);
    const arrived = once(service.server, "request");
    const waiting = service.post({ query }, asking(at(sequence + 3)));
    await arrived;
    for (let commit = 1; commit <= 3; commit += 1) service.apply(otherPrice(commit));
    assert.is(stated(await waiting).sequence, sequence + 3);
  }));

test("Contract 11, rule 6: a body that arrives during the wait is read after it", () =>
  withShop(async (service) => {
    const { ahead } = await positionOf(service);
    const body = JSON.stringify({ query });
    const { socket, waits } = await openWaiting(service, ahead, body.length);
    socket.write(body);
    await waits;
    service.apply(otherPrice(1));
    const [answer] = await once(socket, "data");
    assert.match(String(answer), /^HTTP\/1\.1 200 /);
    assert.match(String(answer), `X-Position: ${ahead}`);
    socket.destroy();
  }));

/** Starts a POST whose body is to follow. It waits once the server has answered that the body may come. */
const openWaiting = async ({ url }: TestServer, position: string, length = 10) => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Min-Position: ${position}\r\n` +
      `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  const waits = once(socket, "data").then(([bytes]) => assert.match(String(bytes), " 100 "));
  await waits;
  return { socket, waits };
};

test("Contract 11, rule 6: at most 200 requests wait, and each further one is refused at once", () =>
  withShop(async (service) => {
    for (let round = 1; round <= 2; round += 1) {
      const { at, sequence, ahead } = await positionOf(service);
      const progress = new EventEmitter();
      const refused = once(progress, "refused");
      const statuses: number[] = [];
      const startedAt = performance.now();
      const all = Array.from({ length: 250 }, async () => {
        const refusal = await refusalOf(await service.get("/robots.txt", asking(ahead)));
        statuses.push(refusal.status);
        if (refusal.status === 412) {
          assert.equal([refusal.position, refusal.retryAfter], [at(sequence), "1"]);
          assert.ok(performance.now() - startedAt < 1_900);
        }
        if (statuses.length === 50) progress.emit("refused");
      });
      await Promise.race([refused, Promise.all(all)]);
      assert.equal(new Set(statuses), new Set([412]));
      service.apply(otherPrice(round));
      await Promise.all(all);
      assert.is(statuses.filter((status) => status === 200).length, 200);
    }
  }));

test("Contract 11, rule 6: a client that disconnects ends its wait, and frees its slot", async () => {
  const seen: Observation[] = [];
  const progress = new EventEmitter();
  const ended = once(progress, "ended");
  const observe = (one: Observation) => {
    if (one.status === 499 && seen.push(one) === 200) progress.emit("ended");
  };
  await withShop(
    async (service) => {
      const { ahead } = await positionOf(service);
      const sockets: Socket[] = [];
      for (let at = 0; at < 200; at += 1) sockets.push((await openWaiting(service, ahead)).socket);
      const startedAt = performance.now();
      assert.is(await statusOf(await service.get("/llms.txt", asking(ahead))), 412);
      assert.ok(performance.now() - startedAt < 1_900, "it is refused at once");
      // The test has no open connection, and those of the server keep no process alive.
      const alive = setInterval(() => {}, 1_000);
      for (const socket of sockets) socket.destroy();
      await ended;
      clearInterval(alive);
      assert.ok(seen.every(({ seconds }) => seconds < 1.9));
      const arrived = once(service.server, "request");
      const waiting = service.get("/llms.txt", asking(ahead));
      await arrived;
      service.apply(otherPrice(1));
      assert.is(await statusOf(await waiting), 200);
    },
    { observe },
  );
});

test("Contract 11, rule 6: a wait follows a swap to a generation of its epoch, and ends at another one", () =>
  withShop(async (service) => {
    const { sequence, at } = await positionOf(service);
    for (const [events, position, status] of [
      [[...shopEvents(), otherPrice(1)], at(sequence + 1), 200],
      [[settingsUpdated({ name: "Another log" }), productUpserted()], at(sequence + 2), 412],
    ] as const) {
      const arrived = once(service.server, "request");
      const waiting = service.get("/llms.txt", asking(position));
      await arrived;
      await service.swap(events);
      const refusal = await refusalOf(await waiting);
      assert.equal([refusal.status, refusal.retryAfter], [status, null]);
    }
  }));

test("Contract 11, rule 6: no model is 503 as for any request, and a model without positions is 412", async () => {
  const position = `${"0".repeat(12)}-${"0".repeat(16)}`;
  const unready = await openTestServer({ loaded: false });
  assert.is(await statusOf(await unready.get("/llms.txt", asking(position))), 503);
  assert.is(await statusOf(await unready.get("/auth.md", asking(position))), 200);
  await unready.close();
  const earlier = await openApp();
  const refusal = await refusalOf(
    await fetch(`${earlier.url}/llms.txt`, { headers: asking(position) }),
  );
  assert.equal([refusal.status, refusal.retryAfter, refusal.position], [412, null, null]);
  await earlier.close();
});

test("Contract 11, rule 6: a preflight does not wait, and pages may send X-Min-Position", () =>
  withShop(async (service) => {
    const { ahead } = await positionOf(service);
    for (const [path, method] of [
      ["/graphql", "POST"],
      ["/products/1.md", "GET"],
      ["/llms.txt", "GET"],
    ] as const) {
      const headers = {
        origin: "https://page.example",
        "access-control-request-method": method,
        "access-control-request-headers": "x-min-position",
      };
      const url = `${path}?min_position=${ahead}`;
      const preflight = await service.request(url, { method: "OPTIONS", headers });
      assert.is(await statusOf(preflight), 204, path);
      assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /x-min-position/i);
      const refused = await service.get("/llms.txt", { ...asking("x"), origin: headers.origin });
      assert.is(refused.headers.get("access-control-allow-origin"), "*");
    }
  }));

const sharedPaths = ["/products/1.md", "/llms.txt", "/agent-sitemap.xml", "/robots.txt", queryUrl];

test("Contract 11, rule 7: a reply that shared caches may keep varies by X-Min-Position, as its 304 and HEAD do", () =>
  withShop(
    async (service) => {
      const paths = [...sharedPaths, "/graphql/schema.graphql", "/auth.md", "/openapi.json"];
      for (const path of paths) {
        const plain = await service.get(path);
        await plain.arrayBuffer();
        const etag = plain.headers.get("etag") ?? "";
        const unchanged = await service.get(path, { "if-none-match": etag });
        const head = await service.request(path, { method: "HEAD" });
        for (const { headers } of [plain, unchanged, head]) {
          const names = (headers.get("vary") ?? "").split(", ");
          assert.is(names.filter((name) => name === "X-Min-Position").length, 1, path);
          assert.is(new Set(names).size, names.length, String(names));
          assert.match(headers.get("cache-control") ?? "", /^public/);
        }
      }
    },
    { sharedMaxAge: 60 },
  ));

test("Contract 11, rule 7: other replies do not", () =>
  withShop(
    async (service) => {
      const others = [
        get("/products/1", { accept: "text/markdown" }),
        get("/", { accept: "text/html" }),
        get("/nothing"),
        postTo("/graphql", { query }),
        postTo("/agent/mcp", listing, bearer),
      ];
      for (const send of others)
        assert.not.match((await send(service)).headers.get("vary") ?? "", "X-Min-Position");
    },
    { sharedMaxAge: 60 },
  ));

test("Contract 11, rule 7: without --shared-max-age no reply does", () =>
  withShop(async (service) => {
    for (const path of sharedPaths)
      assert.not.match((await service.get(path)).headers.get("vary") ?? "", "X-Min-Position");
  }));

test.run();
