import { startBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { renamed, shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("The projector is stalled");

/** The second user may create a consumer, and not request its messages. The third may create none. */
const users = `authorization { users: [
  { user: shop, password: secret }
  { user: limited, password: secret, permissions: { publish: { deny: ["$JS.API.CONSUMER.MSG.NEXT.>"] } } }
  { user: refused, password: secret, permissions: { publish: { deny: ["$JS.API.CONSUMER.CREATE.>"] } } }
] }`;
const login = { NATS_USER: "shop", NATS_PASS: "secret" };

drill.test("the broker refuses the messages of the consumer, until it is corrected", async () => {
  const broker = await startBroker(drill, users);
  const shop = await drill.install({ events: broker.url, env: login });
  await shop.shell("vitrine publish shop.ndjson");
  await shop.serveReady();
  await shop.service().stop();
  await shop.serve(["--max-lag", "2"], { NATS_USER: "limited" });
  shop.write("changes.ndjson", renamed([4711], "renamed"));
  await shop.shell("vitrine publish changes.ndjson");
  await drill.reaches(shop, { state: "stalled", unready: "seconds behind" });
  await mustAnswer(shop.service(), 20);
  await drill.run("vitrine status\n", shop, { lines: 4 });
  await shop.service().stop();
  await shop.serve([], { NATS_USER: "refused" });
  await drill.reaches(shop, {
    state: "waiting",
    reason: "this account is not allowed to do that",
    unready: null,
  });
  await shop.service().stop();
  await shop.serve();
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length + 1 });
});

drill.end();
