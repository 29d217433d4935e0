import { connect } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { productUpserted, settingsUpdated, tokenRevoked } from "../../helpers/events.ts";
import { ndjson, type RunningVitrine, run, startVitrine, until } from "../../helpers/vitrine.ts";
import { passwordOf, startComposeBrokers } from "./compose-brokers.ts";

const test = suite("brokers of deploy/compose.yml");

test("they keep a stream three times, which goes on without the server that leads it", async () => {
  const brokers = await startComposeBrokers();
  for (const { healthUrl } of brokers) {
    await until(
      () => fetch(healthUrl),
      ({ status }) => status === 200,
    );
  }
  const urls = brokers.map(({ url }) => url);
  const events = urls.join();
  await createStream(urls);
  await publish(events, [settingsUpdated(), productUpserted({ id: 1 })]);
  const env = { ...login("vitrine"), NATS_INBOX_PREFIX: "_INBOX_vitrine" };
  const vitrine = await startVitrine(["--events", events], { env });
  await vitrine.ready();
  await mustBeRefused(events, productUpserted({ id: 3 }), env);
  await mustBeRefused(events, tokenRevoked(), login("shop"));
  const stranger = connect({ servers: urls, reconnect: false });
  assert.match(await stranger.then(() => "connected", String), /authorization/i);
  const leader = await findLeader(urls);
  await brokers.find(({ name }) => name === leader)?.stop();
  await publish(events, [productUpserted({ id: 2 })]);
  await until(
    () => countProducts(vitrine),
    (count) => count === 2,
  );
  await vitrine.stop();
  for (const broker of brokers) await broker.stop();
});

const login = (user: string) => ({ NATS_USER: user, NATS_PASS: passwordOf(user) });

const mustBeRefused = async (
  events: string,
  event: CloudEvent,
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  const { code, stderr } = await run(["publish", "-", "--events", events], {
    input: ndjson([event]),
    env,
  });
  assert.is(code, 4, stderr);
};

/** Creates the stream as the container `stream` does. The servers elect a leader before they accept it. */
const createStream = async (servers: readonly string[]): Promise<void> => {
  const client = await connect({ servers: [...servers], user: "owner", pass: passwordOf("owner") });
  const create = async () => {
    const { streams } = await client.jetstreamManager();
    return streams.add({ name: "SHOP", subjects: ["shop.>"], num_replicas: 3 });
  };
  const { config } = await until(create, () => true);
  await client.close();
  assert.is(config.num_replicas, 3);
};

const findLeader = async (servers: readonly string[]): Promise<string | undefined> => {
  const client = await connect({ servers: [...servers], user: "owner", pass: passwordOf("owner") });
  const { cluster } = await (await client.jetstreamManager()).streams.info("SHOP");
  await client.close();
  assert.is(cluster?.replicas?.length, 2);
  return cluster?.leader;
};

/** Publishes again while the servers elect another leader. */
const publish = (events: string, published: readonly CloudEvent[]) =>
  until(
    () =>
      run(["publish", "-", "--events", events], { input: ndjson(published), env: login("shop") }),
    ({ code }) => code === 0,
  );

const countProducts = async (vitrine: RunningVitrine): Promise<number> => {
  const { data } = await vitrine.graphql<{ products: { totalCount: number } }>(
    "{ products { totalCount } }",
  );
  return data.products.totalCount;
};

test.run();
