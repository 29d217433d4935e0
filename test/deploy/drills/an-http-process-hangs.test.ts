import * as assert from "uvu/assert";
import { childPid, until } from "../../helpers/vitrine.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";
import { metricOf, mustAnswer, reachesMetric } from "./harness/status.ts";

const drill = drillOf("An HTTP process hangs");

drill.test("the only HTTP process hangs, is killed, and another one answers", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  const service = shop.service();
  process.kill(await childPid(service, "vitrine http-1"), "SIGSTOP");
  const readyz = await until(
    () => service.ops("/readyz"),
    ({ status }) => status === 503,
  );
  assert.match(readyz.text, "HTTP process");
  assert.is(await metricOf(service, "vitrine_http_listening"), 0);
  assert.is(await metricOf(service, "vitrine_http_answering"), 0);
  await drill.run("free -m", shop, { numbersVary: true });
  await reachesMetric(service, 'vitrine_restarts_total{process="http-1"}', 1);
  await drill.reaches(shop, { state: "live" });
  await mustAnswer(service, 20);
});

drill.end();
