import { connect, headers } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { toMessage } from "../../src/events/envelope.ts";
import { openShop } from "../event-log/implementations.ts";
import { rejects } from "../event-log/rejects.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";
import { type NatsOperator, type NatsServer, natsOperator, startNats } from "../helpers/nats.ts";
import { isLiveAt, startProjector } from "../helpers/projector.ts";
import { runHere } from "../helpers/run-here.ts";
import { ndjson, until } from "../helpers/vitrine.ts";

interface CopiesContext {
  nats: NatsServer;
  operator: NatsOperator;
}

const test = suite<CopiesContext>("Contract 2, forms of a message, copies of streams");

test.before.each(async (context) => {
  context.nats = await startNats();
  context.operator = await natsOperator(context.nats.url);
  await context.operator.streams.add({ name: "SHOP", subjects: ["shop.>"] });
  await context.operator.streams.add({ name: "MIRROR", mirror: { name: "SHOP" } });
  await context.operator.streams.add({ name: "SOURCED", sources: [{ name: "SHOP" }] });
});
test.after.each(async ({ nats, operator }) => {
  await operator.disconnect();
  await nats.remove();
});

/** Publishes as another producer does. */
const produce = async (nats: NatsServer, count: number): Promise<void> => {
  const connection = await connect({ servers: nats.url });
  for (let at = 0; at < count; at += 1) {
    const { subject, body } = toMessage(productUpserted({ id: 100 + at }));
    await connection.jetstream().publish(subject, body);
  }
  await connection.close();
};

const countOf = async (operator: NatsOperator, name: string): Promise<number> =>
  (await operator.streams.info(name)).state.messages;

const everyCopyHas = async ({ operator }: CopiesContext, count: number): Promise<void> => {
  assert.is(await countOf(operator, "SHOP"), count);
  for (const name of ["MIRROR", "SOURCED"])
    await until(
      () => countOf(operator, name),
      (messages) => messages === count,
      10,
    );
};

/** Runs a command that must succeed. */
const done = async (args: readonly string[], nats: NatsServer, input = ""): Promise<void> => {
  const directory = temporaryDirectory();
  try {
    const env = { DATA_DIR: directory.path, EVENTS: nats.url };
    const { code, stderr } = await runHere(args, { env, input });
    assert.is(code, 0, stderr);
  } finally {
    directory.remove();
  }
};

test("Contract 2, forms of a message: 5 what commands append reaches mirrors and streams with sources, and so does what follows", async (context) => {
  const { nats } = context;
  await produce(nats, 2);
  await done(["publish", "-"], nats, ndjson([settingsUpdated(), stockChanged()]));
  await everyCopyHas(context, 4);
  await done(["token", "regenerate", "--label", "a"], nats);
  await done(["token", "revoke", "--label", "b"], nats);
  await everyCopyHas(context, 6);
  await produce(nats, 2);
  await everyCopyHas(context, 8);
});

test("Contract 2, forms of a message: 5 a stored message names no stream", async ({
  nats,
  operator,
}) => {
  await done(["publish", "-"], nats, ndjson([settingsUpdated()]));
  const { header } = await operator.streams.getMessage("SHOP", { seq: 1 });
  assert.equal(
    header
      .keys()
      .map((name) => name.toLowerCase())
      .sort(),
    ["content-type", "nats-msg-id"],
  );
});

test("Contract 2, forms of a message: 5 an event for a stream without its subject is stored in no other stream", async ({
  nats,
  operator,
}) => {
  await operator.streams.add({ name: "ORDERS", subjects: ["orders.>", "shop", "shops.product.*"] });
  const log = await openShop(nats.url, { stream: "ORDERS", createStream: false });
  try {
    const refused = await rejects(
      () => log.append([toMessage(productUpserted())]),
      "event_log",
      /stream ORDERS: another stream or no stream takes the subject .*shop\.product\.1/,
    );
    assert.match(refused.hint, "subjects shop.>");
    assert.is(await countOf(operator, "SHOP"), 0);
  } finally {
    await log.close();
  }
});

test("Contract 2, forms of a message: 5 a stream that takes each subject by itself takes its events", async ({
  nats,
  operator,
}) => {
  await operator.streams.delete("SHOP");
  await operator.streams.add({
    name: "SHOP",
    subjects: ["shop.settings", "shop.stock.*", "shop.product.>"],
  });
  const events = [settingsUpdated(), stockChanged(), productUpserted()];
  await done(["publish", "-"], nats, ndjson(events));
  assert.is(await countOf(operator, "SHOP"), 3);
});

for (const [name, what] of [
  ["MIRROR", "mirror"],
  ["SOURCED", "copy"],
] as const) {
  test(`Contract 2, forms of a message: 6 each command that appends names the ${what} and its origin`, async ({
    nats,
    operator,
  }) => {
    const directory = temporaryDirectory();
    const env = { DATA_DIR: directory.path, EVENTS: nats.url, NATS_STREAM: name };
    try {
      const started = performance.now();
      for (const args of [
        ["publish", "-"],
        ["token", "revoke", "--label", "a"],
        ["token", "regenerate", "--label", "a"],
      ]) {
        const input = ndjson([settingsUpdated()]);
        const { code, stderr } = await runHere(args, { env, input });
        assert.is(code, 4, stderr);
        assert.match(stderr, `stream ${name}: it is a ${what} of the stream SHOP`);
        assert.match(
          stderr,
          "run the command with --nats-stream SHOP at the broker of that stream",
        );
      }
      assert.ok(performance.now() - started < 10_000);
      assert.is(await countOf(operator, "SHOP"), 0);
    } finally {
      directory.remove();
    }
  });
}

test("Contract 2, forms of a message: 6 a token is ended at a mirror by the command that its message names", async ({
  nats,
  operator,
}) => {
  await done(["publish", "-"], nats, ndjson([settingsUpdated(), productUpserted()]));
  const directory = temporaryDirectory();
  const log = await openShop(nats.url, { stream: "MIRROR", createStream: false });
  const projector = startProjector(directory.path, log);
  try {
    await projector.until(isLiveAt(2));
    await done(["token", "revoke", "--label", "a", "--nats-stream", "SHOP"], nats);
    await projector.until(isLiveAt(3));
    assert.is(await projector.read((snapshot) => snapshot.agent("a")?.revoked), true);
    assert.is(await countOf(operator, "MIRROR"), 3);
  } finally {
    await projector.stop();
    await log.close();
    directory.remove();
  }
});

test("Contract 2, forms of a message: 4 a stream with delete markers is followed without dead letters", async ({
  nats,
}) => {
  await done(["publish", "-"], nats, ndjson([settingsUpdated(), productUpserted()]));
  const connection = await connect({ servers: nats.url });
  const directory = temporaryDirectory();
  const log = await openShop(nats.url);
  const projector = startProjector(directory.path, log);
  try {
    for (const [name, value] of [
      ["KV-Operation", "DEL"],
      ["Nats-Marker-Reason", "MaxAge"],
    ] as const) {
      const marker = headers();
      marker.set(name, value);
      await connection.jetstream().publish("shop.product.1", new Uint8Array(), { headers: marker });
    }
    await connection.jetstream().publish("shop.stock.1", toMessage(stockChanged()).body);
    await projector.until(isLiveAt(5));
    const env = { DATA_DIR: directory.path, EVENTS: nats.url };
    const { stdout, stderr } = await runHere(["dead-letters", "list", "--json"], { env });
    assert.equal(JSON.parse(stdout), { letters: [], open: 0, discarded: 0 }, stderr);
  } finally {
    await projector.stop();
    await log.close();
    await connection.close();
    directory.remove();
  }
});

test.run();
