import * as assert from "uvu/assert";
import { startProxy } from "../../helpers/tcp-proxy.ts";
import { serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
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
  const rebuilding = drill.background("vitrine rebuild", { ...shop, env: { ...shop.env, EVENTS } });
  await reachesMetric(shop.service(), "vitrine_rebuild_eta_seconds", 1);
  // The command hangs from here on, with a time left that it has estimated.
  rebuilding.signal("SIGSTOP");
  await reachesMetric(shop.service(), "vitrine_rebuild_running", 1);
  const target = await reachesMetric(shop.service(), "vitrine_rebuild_target_sequence", 1);
  const reached = await reachesMetric(shop.service(), "vitrine_rebuild_sequence", 0);
  assert.ok(reached < target, `${reached} of ${target}`);
  await drill.reaches(shop, { state: "live" });
  await drill.run("vitrine status | grep building", shop, { numbersVary: true });
  rebuilding.signal("SIGCONT");
  await rebuilding.stop();
  const { output } = await shop.shell("vitrine status");
  assert.match(output, "generation  0001");
  assert.not.match(output, "building");
  await mustAnswer(shop.service(), 20);
});

drill.end();
