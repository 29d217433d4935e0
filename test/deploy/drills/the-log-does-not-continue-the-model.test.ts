import * as assert from "uvu/assert";
import { copyStore, editBetweenStarts, type NatsServer, restoreStore } from "../../helpers/nats.ts";
import { until } from "../../helpers/vitrine.ts";
import { asOperator, serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { productIds, renamed, shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("The log does not continue the model");

const generationOf = async (shop: Installation): Promise<string> =>
  JSON.parse((await shop.service().ops("/status")).text).status.generation;

/** Trims the stream past the checkpoint of the service, which does not run meanwhile. */
const trim = async (broker: NatsServer, shop: Installation, suffix: string): Promise<void> => {
  await shop.service().stop();
  await shop.publish(renamed(productIds, suffix));
  await asOperator(broker, ({ streams }) => streams.purge("SHOP", { keep: 5 }));
  await shop.serve();
  const trimmed = "are gone before they were read";
  await drill.reaches(shop, { state: "faulted", reason: trimmed, unready: trimmed });
};

drill.test("the log was trimmed: the shop publishes its full state into a new one", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  await trim(broker, shop, "once");
  await mustAnswer(shop.service(), 20);
  assert.is((await shop.shell("vitrine status")).code, 5);
  await asOperator(broker, ({ streams }) => streams.delete("SHOP"));
  await drill.run("vitrine publish shop.ndjson\n", shop);
  await drill.reaches(shop, { state: "live" });

  await trim(broker, shop, "twice");
  await asOperator(broker, ({ streams }) => streams.update("SHOP", { subjects: ["old.>"] }));
  await drill.run("vitrine publish shop.ndjson --nats-stream SHOP2", shop);
  await shop.service().stop();
  const serving = await drill.startServe("vitrine serve --nats-stream SHOP2", shop);
  await serving.finish();
});

drill.test(
  "another log, an older one and a changed one: the service stops, or rebuilds",
  async () => {
    const { broker, shop } = await serveFromBroker(drill);
    const older = await copyStore(broker);
    await shop.publish(renamed(productIds, "once"));
    await drill.reaches(shop, {
      state: "live",
      checkpoint: shopEvents().length + productIds.length,
    });
    await shop.service().stop();
    await restoreStore(broker, older);
    await broker.start();
    await shop.serve(["--on-divergence", "stop"]);
    await stopsAt("it was rolled back");
    await shop.publish([...renamed(productIds, "twice"), ...renamed(productIds, "again")]);
    await stopsAt("holds another event at sequence");
    await asOperator(broker, ({ streams }) => streams.delete("SHOP"));
    await shop.publish(shopEvents());
    await stopsAt("it is another log under the same name");
    const before = await generationOf(shop);
    await shop.service().stop();
    await shop.serve();
    await until(
      () => generationOf(shop),
      (generation) => generation > before,
    );
    await drill.reaches(shop, { state: "live" });

    async function stopsAt(reason: string): Promise<void> {
      await drill.reaches(shop, { state: "faulted", reason, unready: reason });
    }
  },
);

drill.test("a stream that was edited is the same one", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  const before = await generationOf(shop);
  await editBetweenStarts(broker);
  const warning =
    "the event log reports another creation time but holds the records that were read";
  await until(
    async () => shop.service().stderr(),
    (log) => log.includes(warning),
  );
  await drill.reaches(shop, { state: "live" });
  assert.is(await generationOf(shop), before);
});

drill.end();
