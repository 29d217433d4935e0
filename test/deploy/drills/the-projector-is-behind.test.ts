import { shopAtWork } from "../../helpers/life.ts";
import { startProxy } from "../../helpers/tcp-proxy.ts";
import { startBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer, reachesMetric } from "./harness/status.ts";

const drill = drillOf("The projector is behind");

drill.test(
  "the model is behind the log while the projector applies the events that wait",
  async () => {
    const broker = await startBroker(drill);
    const proxy = await startProxy(broker.port);
    drill.atEnd(proxy.close);
    const shop = await drill.install({ events: `nats://127.0.0.1:${proxy.port}` });
    await shop.shell("vitrine publish shop.ndjson");
    await shop.serveReady();
    await shop.service().stop();
    await shop.publish([...shopAtWork(300, 30_000)]);
    proxy.slow(1_000_000);
    await shop.serve(["--max-lag", "1"]);
    await drill.reaches(shop, { state: "replaying", unready: "seconds behind the event log" });
    const { service } = shop;
    const isMoving = (from: number) =>
      reachesMetric(service(), "vitrine_checkpoint_sequence", from + 1);
    const before = await isMoving(shopEvents().length);
    await drill.run("vitrine status\n", shop, { lines: 4, numbersVary: true });
    await mustAnswer(service());
    await isMoving(before);
    proxy.heal();
    await drill.reaches(shop, { state: "live" });
  },
);

drill.end();
