import { join } from "node:path";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { startProxy } from "../../helpers/tcp-proxy.ts";
import { markTextData, otherTextData } from "../../helpers/text-data.ts";
import { until } from "../../helpers/vitrine.ts";
import { asOperator, serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { productIds, renamed } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("Node was upgraded");
const reason = "the text data of Node changed since the model was made";

/** The newer Node of the development dependencies. */
const newer = join(packageRoot, "node_modules", "node", "bin", "node");

/** Marks the live model as written by a Node with other text data. */
const markAsWritten = ({ dataDir }: Installation): Promise<void> =>
  markTextData(openDataDirectory(dataDir).live() ?? "", otherTextData);

drill.test("the newer Node rebuilds the model that the older one made", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  const proxy = await startProxy(broker.port);
  drill.atEnd(proxy.close);
  await drill.run("node -p", shop, { numbersVary: true });
  await shop.service().stop();
  await shop.publish(Array.from({ length: 50 }, (_, at) => renamed(productIds, `${at}`)).flat());
  const { output } = await shop.shell(`"${newer}" -p process.versions.icu`);
  // The Node that runs the drill may be the newer one.
  if (output.trim() === process.versions.icu) await markAsWritten(shop);
  const program = `"${newer}" "${join(packageRoot, "dist", "src", "main.js")}"`;
  const verified = await shop.shell(`${program} verify`);
  assert.is(verified.code, 3, verified.output);
  proxy.slow(200_000);
  const serving = drill.background(
    `exec ${program} serve --events nats://127.0.0.1:${proxy.port}`,
    shop,
  );
  const readStatus = async () =>
    JSON.parse(await (await fetch(`http://127.0.0.1:${shop.env.OPS_PORT}/status`)).text());
  const rebuilding = await until(readStatus, ({ state }) => state === "rebuilding");
  assert.match(rebuilding.reason, reason);
  const metrics = await fetch(`http://127.0.0.1:${shop.env.OPS_PORT}/metrics`);
  drill.observe(rebuilding.reason, await metrics.text());
  proxy.heal();
  await until(readStatus, ({ state }) => state === "live");
  await serving.stop();
});

drill.test("the service does not rebuild from a log without its beginning", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  await shop.service().stop();
  await asOperator(broker, ({ streams }) => streams.purge("SHOP", { keep: 5 }));
  await markAsWritten(shop);
  await shop.serve();
  await drill.reaches(shop, { state: "faulted", reason, unready: "no longer holds" });
  await mustAnswer(shop.service(), 20);
});

drill.end();
