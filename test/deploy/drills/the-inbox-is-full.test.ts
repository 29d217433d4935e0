import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type NewDelivery, openInbox } from "../../../src/gateway/inbox/inbox.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { levelBody, productBody } from "../../connectors/shopify/bodies.ts";
import { until } from "../../helpers/vitrine.ts";
import { startBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { type GatewayDrill, installWithGateway } from "./harness/gateway.ts";

const drill = drillOf("The inbox is full");

const maxWaiting = 100_000;

const toDelivery = (topic: string, content: object): NewDelivery => {
  const body = Buffer.from(JSON.stringify(content));
  return { topic, headers: {}, arrivedAt: new Date().toISOString(), bytes: body.length, body };
};

/** Stores as many deliveries as may wait. The first one has events, for which the others wait. */
const fillInbox = async ({ shop }: GatewayDrill): Promise<void> => {
  openDataDirectory(shop.dataDir);
  const inbox = openInbox(join(shop.dataDir, "connections", "main"));
  const level = toDelivery("inventory_levels/update", levelBody());
  const levels = Array.from({ length: maxWaiting - 1 }, () => level);
  inbox.append([toDelivery("products/update", productBody()), ...levels]);
  await inbox.close();
};

drill.test("deliveries wait for the log, are refused, and are taken again", async () => {
  const broker = await startBroker(drill);
  const gateway = await installWithGateway(drill, broker.url);
  const { shop } = gateway;
  assert.is((await shop.shell("vitrine publish shop.ndjson")).code, 0);
  await broker.stop();
  await fillInbox(gateway);
  const started = await gateway.start();
  const refused = await gateway.send("products/update", productBody());
  assert.is(refused.status, 503, refused.text);
  await gateway.ops("/metrics");
  await drill.run("curl -s", shop);
  await drill.run("vitrine connections", shop, { lines: 4 });
  await broker.start();
  await untilTranslated(gateway);
  assert.is((await gateway.send("products/update", productBody())).status, 200);
  await untilTranslated(gateway);
  assert.match((await gateway.ops("/readyz")).text, '"ready":true');
  const body = JSON.stringify({ products: [productBody({ id: 8, handle: "mug" })] });
  writeFileSync(join(shop.directory, "products.json"), body);
  await drill.run("vitrine import", shop);
  await started.stop();
  drill.observe(started.output());
});

const untilTranslated = async ({ ops }: GatewayDrill): Promise<void> => {
  await until(
    async () => (await ops("/metrics")).text,
    (text) => text.includes('vitrine_gateway_inbox_deliveries{connection="main"} 0'),
  );
};

drill.end();
