import * as assert from "uvu/assert";
import { asOperator, serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("A rebuild would lose products");

/** A service whose stream was replaced by one with five of its 20 products. */
const withSmallerStream = async () => {
  const { broker, shop } = await serveFromBroker(drill);
  await asOperator(broker, ({ streams }) => streams.delete("SHOP"));
  shop.write("part.ndjson", shopEvents().slice(0, 7));
  await shop.shell("vitrine publish part.ndjson");
  await drill.reaches(shop, {
    state: "faulted",
    reason: "a rebuild would leave 5 of 20 products",
    unready: "a rebuild would leave 5 of 20 products",
  });
  await mustAnswer(shop.service(), 20);
  return shop;
};

drill.test("the shop publishes what is missing", async () => {
  const shop = await withSmallerStream();
  await drill.run("vitrine rebuild --dry-run", shop, { lines: 6, last: 1 });
  const { code, output } = await shop.shell("vitrine rebuild");
  assert.is(code, 5, output);
  await mustAnswer(shop.service(), 20);
  await drill.run("vitrine publish shop.ndjson", shop);
  await drill.reaches(shop, { state: "live" });
  await mustAnswer(shop.service(), 20);
});

drill.test("the operator accepts the log as it is", async () => {
  const shop = await withSmallerStream();
  await drill.run("vitrine rebuild --accept-loss", shop, { lines: 3, last: 1 });
  await drill.reaches(shop, { state: "live" });
  await mustAnswer(shop.service(), 5);
});

drill.end();
