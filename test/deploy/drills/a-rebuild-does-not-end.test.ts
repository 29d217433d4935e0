import * as assert from "uvu/assert";
import { until } from "../../helpers/vitrine.ts";
import { startProxy } from "../../torture/proxy.ts";
import { serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { startCommands } from "./harness/shell.ts";
import { productIds, renamed } from "./harness/shop.ts";
import { mustAnswer, reachesMetric } from "./harness/status.ts";

const drill = drillOf("A rebuild does not end");

drill.test("the command shows its progress, and its end leaves the live generation", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  const proxy = await startProxy(broker.port);
  drill.atEnd(proxy.close);
  await shop.publish(Array.from({ length: 200 }, (_, at) => renamed(productIds, `${at}`)).flat());
  proxy.slow(100_000);
  const EVENTS = `nats://127.0.0.1:${proxy.port}`;
  const rebuilding = startCommands("vitrine rebuild", { ...shop, env: { ...shop.env, EVENTS } });
  await reachesMetric(shop.service(), "vitrine_rebuild_running", 1);
  const target = await reachesMetric(shop.service(), "vitrine_rebuild_target_sequence", 1);
  const reached = await reachesMetric(shop.service(), "vitrine_rebuild_sequence", 0);
  assert.ok(reached < target, `${reached} of ${target}`);
  await drill.reaches(shop, { state: "live" });
  await until(
    async () => (await shop.shell("vitrine status")).output,
    (shown) => /^building .* left/m.test(shown),
  );
  await drill.run("vitrine status | grep building", shop, { numbersVary: true });
  await rebuilding.stop();
  const { output } = await shop.shell("vitrine status");
  assert.match(output, "generation  0001");
  assert.not.match(output, "building");
  await mustAnswer(shop.service(), 20);
});

drill.end();
