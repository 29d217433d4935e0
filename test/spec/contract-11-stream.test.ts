import { once } from "node:events";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  carrierUpserted,
  categoryUpserted,
  pageUpserted,
  priceChanged,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { changesPath, keysOf, openStream, readToClaim, shopWith } from "./contract-11-feed.ts";

const test = suite("Contract 11, streams");

const shopEvents = () => [
  settingsUpdated({}, { id: "first" }),
  categoryUpserted(),
  carrierUpserted({ id: 3, active: true }),
  productUpserted({ id: 1300 }),
  stockChanged({ productId: 1300, quantity: 5 }),
];

const soldOut = (quantity = 0) => stockChanged({ productId: 1300, quantity });

const withShop = shopWith(shopEvents);

test("Contract 11, rule 21: a stream begins with a retry and a position, and sends each change with its position", () =>
  withShop(async (service) => {
    const stream = await openStream(service, "since=now");
    const { headers, status } = stream.response;
    assert.is(status, 200);
    assert.is(headers.get("content-type"), "text/event-stream");
    assert.is(headers.get("cache-control"), "no-store, no-transform");
    assert.is(headers.get("x-accel-buffering"), "no");
    assert.is(headers.get("content-encoding"), null);
    const retry = Number((await stream.next()).retry);
    assert.ok(retry >= 3_000 && retry <= 8_000, `${retry}`);
    const first = await stream.next();
    assert.is(first.event, "position");
    assert.is(first.id, first.data.position);
    service.apply(soldOut());
    const message = await stream.next();
    const page = message.data;
    assert.is(message.event, undefined);
    assert.is(message.id, page.position);
    assert.equal(keysOf(page.changes), ["stock/1300"]);
    assert.ok(page.as_of);
    stream.close();
  }));

test("Contract 11, rule 21: backlog and live are one stream, and a walk has no ids until its end", () =>
  withShop(async (service) => {
    service.apply(...Array.from({ length: 250 }, (_, at) => productUpserted({ id: 5_000 + at })));
    const stream = await openStream(service, "since=start");
    await stream.next();
    const ids: (string | undefined)[] = [];
    const keys = new Set<string>();
    for (let event: string | undefined; event !== "position"; ) {
      const message = await stream.next();
      event = message.event;
      ids.push(message.id);
      for (const key of keysOf(message.data.changes ?? [])) keys.add(key);
    }
    assert.ok(ids.length >= 4, `${ids.length} messages`);
    assert.ok(ids.slice(0, -1).every((id) => id === undefined));
    assert.ok(ids.at(-1));
    assert.is(keys.size, 6 + 3 * 250);
    service.apply(soldOut());
    assert.equal(keysOf((await stream.next()).data.changes), ["stock/1300"]);
    stream.close();
  }));

test("Contract 11, rule 21: Last-Event-ID goes before since", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    service.apply(soldOut());
    const stream = await openStream(service, "since=now", { "last-event-id": last.position ?? "" });
    await stream.next();
    assert.equal(keysOf((await stream.next()).data.changes), ["stock/1300"]);
    const bad = await openStream(service, "since=now", { "last-event-id": "foo" });
    assert.is(bad.response.status, 400);
    assert.match(await bad.response.text(), /Last-Event-ID/);
    stream.close();
  }));

test("Contract 11, rule 21: a position of another epoch, and a swap to another epoch, end a stream with start_over", () =>
  withShop(async (service) => {
    const other = await openStream(service, "since=k3v9x2m4q7ab-0000000000004711");
    assert.is(other.response.status, 200);
    await other.next();
    const message = await other.next();
    assert.is(message.event, "start_over");
    const { error } = message.data;
    assert.is(error?.code, "start_over");
    assert.match(error?.next ?? "", /since=[0-9a-z]{12}-0{16}$/);
    await other.end();
    const stream = await openStream(service, "since=now");
    await stream.next();
    await stream.next();
    await service.swap([settingsUpdated({ name: "Other" }, { id: "other" })]);
    assert.is((await stream.next()).event, "start_over");
    await stream.end();
  }));

test("Contract 11, rule 21: a position that is ahead waits", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    const ahead = (last.position ?? "").replace(/-\d+/, "-0000000000000006");
    const stream = await openStream(service, `since=${ahead}`);
    await stream.next();
    const next = stream.next();
    service.apply(soldOut());
    assert.is((await next).event, "position");
    service.apply(soldOut(7));
    assert.equal(keysOf((await stream.next()).data.changes), ["stock/1300"]);
    stream.close();
  }));

test("Contract 11, rule 21: a sale that begins is sent without an event", async () => {
  let now = Date.UTC(2026, 9, 2);
  const from = new Date(now + 3_600_000).toISOString();
  const eur = (amount: string) => ({ amount, currency: "EUR" });
  await withShop(
    async (service) => {
      service.apply(
        priceChanged({
          productId: 1300,
          price: eur("9.00"),
          sales: [{ price: eur("8.00"), from }],
        }),
      );
      const stream = await openStream(service, "since=now&kinds=price");
      await stream.next();
      await stream.next();
      now += 3_600_000;
      const page = (await stream.next()).data;
      assert.equal(page.changes[0]?.record?.price, eur("8.00"));
      stream.close();
    },
    { now: () => now },
  );
});

/** Opens a stream that is not read, and another that is. */
const openUnread = async (service: TestServer) => {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  socket.write(`GET ${changesPath}/stream?since=now&kinds=page HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  const reader = await openStream(service, "since=now&kinds=page");
  await reader.next();
  await reader.next();
  /** Publishes pages of 100 KB, and waits until the other stream has each. */
  const publish = async (count: number): Promise<void> => {
    for (let at = 1; at <= count; at += 1) {
      const contentHtml = `<p>${"word ".repeat(20_000)} number ${at}.</p>`;
      service.apply(pageUpserted({ id: 1, contentHtml }));
      await reader.next();
    }
  };
  return { socket, reader, publish };
};

test("Contract 11, rule 22: a follower that does not read gets what is newest once it reads", () =>
  withShop(async (service) => {
    const { socket, reader, publish } = await openUnread(service);
    const rounds = 200;
    await publish(rounds);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.resume();
    while (!text.includes(`number ${rounds}.`)) await once(socket, "data");
    const messages = text.match(/^id: /gm)?.length ?? 0;
    assert.ok(messages < rounds, `${messages} messages`);
    socket.destroy();
    reader.close();
  }));

test("Contract 11, rule 22: a stream that started over gets nothing more, also while its client does not read", () =>
  withShop(async (service) => {
    const { socket, reader, publish } = await openUnread(service);
    // Fills the buffers of the system.
    await publish(60);
    const other = [settingsUpdated({ name: "Other" }, { id: "other" })];
    await service.swap(other);
    assert.is((await reader.next()).event, "start_over");
    await service.swap([...other, productUpserted()]);
    const later = await openStream(service, "since=now");
    await later.next();
    assert.is((await later.next()).event, "position");
    later.close();
    socket.destroy();
  }));

test("Contract 11, rule 23: streams have GET only, and at most 20 of one client", () =>
  withShop(async (service) => {
    for (const method of ["HEAD", "POST"]) {
      const response = await service.request(`${changesPath}/stream?since=now`, { method });
      assert.is(response.status, 405, method);
      await response.arrayBuffer();
    }
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => openStream(service, "since=now")),
    );
    const extra = await openStream(service, "since=now");
    assert.is(extra.response.status, 429);
    assert.ok(extra.response.headers.get("retry-after"));
    await extra.response.text();
    for (const stream of streams) stream.close();
  }));

test("Contract 11, rule 23: a server that drains ends its streams", async () => {
  const service = await openTestServer();
  service.apply(...shopEvents());
  const stream = await openStream(service, "since=now");
  await stream.next();
  await stream.next();
  const closing = service.close();
  await stream.end();
  await closing;
});

test.run();
