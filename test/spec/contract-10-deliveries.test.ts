import { connect } from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { WebhookEntry } from "../../src/gateway/configuration.ts";
import { openInbox } from "../../src/gateway/inbox/inbox.ts";
import { levelBody, productBody } from "../connectors/shopify/bodies.ts";
import { membersOf } from "../helpers/connection-state.ts";
import {
  openGateway,
  openJournalOf,
  secret,
  shopifyEntry,
  sign,
  type TestGateway,
} from "../helpers/gateway.ts";
import { until } from "../helpers/vitrine.ts";

const test = suite<{ gateway: TestGateway }>("Contract 10, Deliveries");

test.before.each(async (context) => {
  context.gateway = await openGateway();
});
test.after.each(({ gateway }) => gateway.stop());

const eventCount = (gateway: TestGateway, count: number): Promise<readonly CloudEvent[]> =>
  until(gateway.events, (events) => events.length >= count);

test("a delivery is answered with its number, and its events reach the log", async ({
  gateway,
}) => {
  const { status, body } = await gateway.send("products/update", productBody());
  assert.equal([status, body], [200, { delivery: 1 }]);
  const events = await eventCount(gateway, 4);
  assert.equal(
    events.map(({ subject, source }) => [subject, source]),
    ["category/8474896767362643", "product/7", "stock/7/501", "stock/7/502"].map((subject) => [
      subject,
      "/connections/main",
    ]),
  );
  for (const [at, { id }] of events.entries())
    assert.match(id, new RegExp(`^main/[\\w-]{8}/1/${at}$`));
});

const body = JSON.stringify(productBody());
const refusals: readonly [
  name: string,
  status: number,
  send: (gateway: TestGateway) => ReturnType<TestGateway["send"]>,
][] = [
  ["no signature", 401, (gateway) => gateway.send("products/update", body, { signature: "" })],
  [
    "a wrong signature",
    401,
    (gateway) => gateway.send("products/update", body, { signature: sign(body, "other") }),
  ],
  [
    "a signature of another body",
    401,
    (gateway) => gateway.send("products/update", body, { signature: sign("{}") }),
  ],
  [
    "one byte more",
    401,
    (gateway) => gateway.send("products/update", `${body} `, { signature: sign(body) }),
  ],
  [
    "a signature that is no base64",
    401,
    (gateway) => gateway.send("products/update", body, { signature: "167!" }),
  ],
  ["an unknown name", 404, (gateway) => gateway.send("products/update", body, { name: "other" })],
  ["no name", 404, (gateway) => gateway.send("products/update", body, { name: "" })],
  ["another method", 405, (gateway) => gateway.send("products/update", body, { method: "GET" })],
  [
    "another content type",
    415,
    (gateway) =>
      gateway.send("products/update", body, { headers: { "content-type": "text/plain" } }),
  ],
  [
    "an encoding",
    415,
    (gateway) => gateway.send("products/update", body, { headers: { "content-encoding": "gzip" } }),
  ],
  [
    "a body above 8 MiB",
    413,
    (gateway) => gateway.send("products/update", "x".repeat(8 * 1024 * 1024 + 1)),
  ],
  ["no JSON", 400, (gateway) => gateway.send("products/update", "{")],
  [
    "bytes that are not UTF-8",
    400,
    (gateway) => gateway.send("products/update", Buffer.from([0x22, 0xff, 0x22])),
  ],
];

for (const [name, status, send] of refusals) {
  test(`${name} is answered ${status}, and nothing is stored`, async ({ gateway }) => {
    const answer = await send(gateway);
    assert.is(answer.status, status);
    assert.type(answer.body.error?.code, "string");
    assert.is((await gateway.send("products/update", body)).body.delivery, 1);
  });
}

test("1: each of two secrets is accepted while one is rotated", async () => {
  const gateway = await openGateway({
    connections: [{ ...shopifyEntry, secrets: ["new", secret] }],
  });
  for (const key of ["new", secret]) {
    assert.is(
      (await gateway.send("products/update", body, { signature: sign(body, key) })).status,
      200,
    );
  }
  const wrong = await gateway.send("products/update", body, { signature: sign(body, "old") });
  assert.is(wrong.status, 401);
  await gateway.stop();
});

test("1: the secret of another connection is refused", async () => {
  const other = { ...shopifyEntry, name: "other", secrets: ["second"] };
  const gateway = await openGateway({ connections: [shopifyEntry, other] });
  const send = (name: string, key: string) =>
    gateway.send("products/update", body, { name, signature: sign(body, key) });
  assert.is((await send("other", secret)).status, 401);
  assert.is((await send("other", "second")).status, 200);
  await gateway.stop();
});

test("after 60 wrong signatures in a minute the answer is 429, and a right one is accepted", async ({
  gateway,
}) => {
  const statuses = new Set<number>();
  for (let count = 0; count < 60; count += 1) {
    statuses.add((await gateway.send("products/update", body, { signature: "" })).status);
  }
  assert.equal([...statuses], [401]);
  const limited = await gateway.send("products/update", body, { signature: "" });
  assert.is(limited.status, 429);
  assert.ok(Number(limited.headers.get("retry-after")) > 0);
  assert.is((await gateway.send("products/update", body)).status, 200);
});

test("2: a repeated delivery id has the number of the first one", async ({ gateway }) => {
  const headers = { "x-shopify-webhook-id": "w-1" };
  const sends = Array.from({ length: 5 }, () => gateway.send("products/update", body, { headers }));
  const answers = await Promise.all(sends);
  assert.equal(
    answers.map((answer) => answer.body),
    Array(5).fill({ delivery: 1 }),
  );
  const next = await gateway.send("products/update", body, {
    headers: { "x-shopify-webhook-id": "w-2" },
  });
  assert.is(next.body.delivery, 2);
});

test("a topic without goods is answered and counted, and nothing of it is stored", async ({
  gateway,
}) => {
  const answer = await gateway.send("orders/create", { email: "buyer@example.com" });
  assert.equal([answer.status, answer.body], [200, { delivery: null }]);
  const { text } = await gateway.ops("/metrics");
  assert.match(text, 'topic="orders/create",outcome="not_stored"} 1');
  assert.is((await gateway.send("products/update", body)).body.delivery, 1);
});

test("3: of the headers those of the platform are stored, without the signature", async ({
  gateway,
}) => {
  const headers = { "x-shopify-webhook-id": "w", authorization: "Bearer x", cookie: "a=b" };
  await gateway.send("products/update", body, { headers });
  await eventCount(gateway, 4);
  await gateway.stop();
  const inbox = openInbox(join(gateway.dataDir, "connections", "main"));
  inbox.commit({
    position: 0,
    bytes: 0,
    changes: [],
    refused: new Map(),
    counts: new Map(),
    at: new Date().toISOString(),
  });
  const [delivery] = inbox.readWaiting(1, 1);
  await inbox.close();
  assert.equal(delivery?.headers, {
    "x-shopify-topic": "products/update",
    "x-shopify-webhook-id": "w",
  });
  assert.is(delivery?.body.toString(), body);
});

test("4: deliveries are translated in the sequence of their arrival", async ({ gateway }) => {
  await gateway.send("inventory_levels/update", levelBody({ available: 8 }));
  await gateway.send("products/update", body);
  const events = await eventCount(gateway, 4);
  const stock = events.find(({ subject }) => subject === "stock/7/501");
  assert.is(membersOf(stock)["quantity"], 8);
});

test("4: after a stop, the next gateway goes on behind the last delivery", async ({ gateway }) => {
  await gateway.send("products/update", body);
  await eventCount(gateway, 4);
  await gateway.stop();
  const next = await openGateway({ dataDir: gateway.dataDir });
  assert.is((await next.send("products/delete", { id: 7 })).body.delivery, 2);
  const events = await eventCount(next, 5);
  await next.stop();
  assert.equal(
    events.slice(4).map(({ type }) => type),
    ["shop.product.deleted"],
  );
});

test("5: an inbox that is older than what was published gets another name", async ({ gateway }) => {
  await gateway.stop();
  const directory = join(gateway.dataDir, "connections", "main");
  const nameOf = async () => {
    const inbox = openInbox(directory);
    const { inbox: name } = inbox.meta();
    await inbox.close();
    return name;
  };
  const name = await nameOf();
  assert.is(await nameOf(), name);
  const inbox = openInbox(directory);
  inbox.notePublishing(inbox.meta().last + 1);
  await inbox.close();
  assert.is.not(await nameOf(), name);
});

test("6: an outage of the log changes no answer, and each delivery is published once", async () => {
  let isAway = true;
  const gateway = await openGateway({
    openLog: async (dataDir) => {
      if (isAway) throw new Error("away");
      return openJournalOf(dataDir);
    },
  });
  assert.is((await gateway.send("products/update", body)).status, 200);
  assert.is((await gateway.send("products/delete", { id: 7 })).status, 200);
  isAway = false;
  const events = await eventCount(gateway, 5);
  await gateway.stop();
  assert.equal(
    events.map(({ type }) => type),
    [
      "shop.category.upserted",
      "shop.product.upserted",
      "shop.stock.changed",
      "shop.stock.changed",
      "shop.product.deleted",
    ],
  );
});

const woocommerce: WebhookEntry["settings"] = {
  platform: "woocommerce",
  url: "https://shop.example",
  currency: "EUR",
};

const project: WebhookEntry = {
  name: "ct",
  settings: {
    ...{ platform: "commercetools", url: "https://shop.example", currency: "EUR" },
    ...{ productUrl: "https://shop.example/p/{slug}", header: "X-Secret" },
  },
  secrets: [secret],
};

test("1: commercetools carries the secret in the header of the connection, and repeats have the message's id", async () => {
  const gateway = await openGateway({ connections: [project] });
  const message = {
    ...{ notificationType: "Message", type: "ProductUnpublished", id: "m-1", sequenceNumber: 2 },
    resource: { typeId: "product", id: "c1a5a5a5-0000-4000-8000-000000000001" },
    lastModifiedAt: "2026-10-01T08:00:00.000Z",
  };
  const send = (headers: Readonly<Record<string, string>>, sent: object = message) =>
    gateway.send("", sent, { name: "ct", signature: "", headers });
  for (const headers of [{}, { "x-secret": "other" }, { authorization: `Bearer ${secret}` }]) {
    assert.is((await send(headers)).status, 401);
  }
  assert.equal((await send({ "x-secret": secret })).body, { delivery: 1 });
  const type = "application/cloudevents+json";
  const event = { specversion: "1.0", id: "m-1", type: "x", data: message };
  assert.equal((await send({ "x-secret": `Bearer ${secret}`, "content-type": type }, event)).body, {
    delivery: 1,
  });
  const purchase = { ...message, type: "OrderCreated", id: "m-2" };
  assert.equal((await send({ "x-secret": secret }, purchase)).body, { delivery: null });
  const [deleted] = await eventCount(gateway, 1);
  assert.is(deleted?.type, "shop.product.deleted");
  await gateway.stop();
});

test("1: WooCommerce signs as Shopify does, its ping is answered, and its delivery ids are not used", async () => {
  const shop = { ...shopifyEntry, name: "woo", settings: woocommerce };
  const gateway = await openGateway({ connections: [shop] });
  const send = (sent: object | string, headers: Readonly<Record<string, string>>) =>
    gateway.send("", sent, { name: "woo", signature: "", headers });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  assert.equal((await send("webhook_id=12", form)).body, { delivery: null });
  assert.is((await send("webhook_id=12&x=1", form)).status, 401);
  assert.is((await send("webhook_id=12", { "content-type": "text/plain" })).status, 415);
  const signed = (text: string) => ({
    "x-wc-webhook-signature": sign(text),
    "x-wc-webhook-topic": "product.deleted",
    "x-wc-webhook-delivery-id": "one",
  });
  assert.is((await send('{"id":7}', { ...signed("{}") })).status, 401);
  assert.equal((await send('{"id":7}', signed('{"id":7}'))).body, { delivery: 1 });
  assert.equal((await send('{"id":8}', signed('{"id":8}'))).body, { delivery: 2 });
  const events = await eventCount(gateway, 2);
  assert.equal(
    events.map(({ subject }) => subject),
    ["product/7", "product/8"],
  );
  await gateway.stop();
});

test("8: a refused delivery is kept with its reason, and the next one is translated", async ({
  gateway,
}) => {
  await gateway.send("products/update", { id: 7 });
  await gateway.send("products/update", body);
  await eventCount(gateway, 4);
  const { text } = await gateway.ops("/metrics");
  assert.match(text, 'topic="products/update",outcome="refused"} 1');
});

test("a client that disconnects during its body changes nothing", async ({ gateway }) => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const head =
    "POST /connections/main HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  socket.destroy();
  assert.is((await gateway.send("products/update", body)).body.delivery, 1);
});

test("bodies of more than 128 MiB are not read at once", async ({ gateway }) => {
  const { hostname, port } = new URL(gateway.url);
  const head = `POST /connections/main HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${8 * 1024 * 1024}\r\n\r\n{`;
  const sockets = Array.from({ length: 16 }, () => connect(Number(port), hostname));
  await Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => socket.write(head, () => resolve()))),
  );
  const refused = await until(
    () => gateway.send("products/update", body),
    ({ status }) => status === 503,
  );
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  for (const socket of sockets) socket.destroy();
  await until(
    () => gateway.send("products/update", body),
    ({ status }) => status === 200,
  );
});

test("9: the ops port is ready, and says no more than counts", async ({ gateway }) => {
  assert.equal(await gateway.ops("/healthz"), { status: 200, text: '{"status":"up"}' });
  assert.equal(await gateway.ops("/readyz"), { status: 200, text: '{"ready":true,"reasons":[]}' });
  assert.is((await gateway.ops("/")).status, 404);
});

test.run();
