import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer, reachesMetric } from "./harness/status.ts";

const drill = drillOf("Connections are rejected");
const rejected = (reason: string) => `vitrine_http_rejected_connections_total{reason="${reason}"}`;

const dial = ({ env }: Installation): Socket =>
  connect(Number(env.PORT), "127.0.0.1").on("error", () => undefined);

drill.test("a request that is none, and too many connections of one address", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  const socket = dial(shop).resume();
  socket.write("hello\r\n\r\n");
  await once(socket, "close");
  await reachesMetric(shop.service(), rejected("malformed_request"), 1);
  const sockets = Array.from({ length: 1_510 }, () => dial(shop));
  await reachesMetric(shop.service(), rejected("client_connection_limit"), 10);
  for (const each of sockets) each.destroy();
  await mustAnswer(shop.service(), 20);
  await drill.reaches(shop, { state: "live" });
  await shop.service().stop();
  for (const start of ["vitrine serve --trust-proxy 1", "vitrine serve --workers 4"]) {
    const serving = await drill.startServe(start, shop);
    await serving.finish();
  }
});

drill.end();
