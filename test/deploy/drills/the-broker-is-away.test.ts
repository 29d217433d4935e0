import * as assert from "uvu/assert";
import { startBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { mustAnswer } from "./harness/status.ts";
import { firstLineOf } from "./harness/watching.ts";

const drill = drillOf("The broker is away");
const users = 'authorization { user: "vitrine", password: "secret" }';
const login = { NATS_USER: "vitrine", NATS_PASS: "secret" };

drill.test("the service waits for the broker, answers, and goes on when it is back", async () => {
  const broker = await startBroker(drill, users);
  const shop = await drill.install({ events: broker.url, env: login });
  await shop.shell("vitrine publish shop.ndjson");
  await shop.serveReady(["--max-lag", "2"]);
  await broker.stop();
  await drill.reaches(shop, { state: "waiting", reason: "connection refused", unready: "behind" });
  await mustAnswer(shop.service(), 20);
  const { headers } = await fetch(`${shop.service().url}/llms.txt`);
  assert.ok(Number(headers.get("x-data-age")) >= 2);
  const watching = drill.start("vitrine status --watch", shop, {
    edit: firstLineOf("waiting", "live"),
  });
  await watching.prints(/waiting/);
  await broker.start();
  await watching.prints(/live/);
  await watching.finish();
  await drill.reaches(shop, { state: "live" });
  await shop.service().stop();
  await shop.serve(["--max-lag", "2"], { NATS_PASS: "another" });
  await drill.reaches(shop, {
    state: "waiting",
    reason: "the broker refused the credentials",
    unready: "behind",
  });
});

drill.test("a service without a model exits with code 4 without the broker", async () => {
  const broker = await startBroker(drill);
  await broker.stop();
  const shop = await drill.install({ events: broker.url });
  const { code, output } = await shop.shell("vitrine serve");
  assert.is(code, 4, output);
});

drill.end();
