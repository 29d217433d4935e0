import { DiscardPolicy } from "nats";
import * as assert from "uvu/assert";
import { asOperator, startBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { renamed, shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("A stream takes nothing more");

drill.test("commands that publish end with exit code 4, until the limits are raised", async () => {
  const broker = await startBroker(drill);
  const limits = { max_msgs: 10, discard: DiscardPolicy.New };
  await asOperator(broker, ({ streams }) =>
    streams.add({ name: "SHOP", subjects: ["shop.>"], ...limits }),
  );
  const shop = await drill.install({ events: broker.url });
  const refused = await shop.shell("vitrine publish shop.ndjson");
  drill.observe(refused.output);
  assert.is(refused.code, 4);
  assert.match(refused.output, "maximum messages exceeded");
  await shop.serve();
  await drill.reaches(shop, { state: "live", checkpoint: 10 });
  await mustAnswer(shop.service(), 8);
  shop.write("export.ndjson", [...shopEvents().slice(0, 8), ...renamed([4711], "later")]);
  for (const command of [
    "token regenerate --label L",
    "token revoke --label L",
    "reconcile export.ndjson --publish",
  ]) {
    const { code, output } = await shop.shell(`vitrine ${command}`);
    assert.is(code, 4, output);
    assert.match(output, "maximum messages exceeded");
  }
  await asOperator(broker, ({ streams }) => streams.update("SHOP", { max_msgs: 20_000_000 }));
  await drill.run("vitrine publish shop.ndjson", shop);
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length });
  await mustAnswer(shop.service(), 20);
});

drill.end();
