import * as assert from "uvu/assert";
import { inOwnMounts } from "../../helpers/small-disk.ts";
import { childPid } from "../../helpers/vitrine.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer, reachesMetric } from "./harness/status.ts";

// The processes of the drill alone are listed in a namespace of their own.
await inOwnMounts(import.meta.url, ["--pid", "--fork", "--kill-child", "--mount-proc"]);

const drill = drillOf("The projector is silent");

drill.test("a projector that hangs is killed, and another one goes on", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  const pid = await childPid(shop.service(), "vitrine projector");
  process.kill(pid, "SIGSTOP");
  await drill.reaches(shop, { state: "silent", unready: "the projector has not reported for" });
  await reachesMetric(shop.service(), "vitrine_projector_silence_seconds", 10);
  await mustAnswer(shop.service(), 20);
  const listed = await drill.run("ps ", shop, { numbersVary: true });
  const PID = /\d+/.exec(listed)?.[0] ?? "";
  assert.is(PID, String(pid));
  await drill.run("kill -9", shop, { env: { PID } });
  await drill.reaches(shop, { state: "live" });
  await reachesMetric(shop.service(), 'vitrine_restarts_total{process="projector"}', 1);
});

drill.end();
