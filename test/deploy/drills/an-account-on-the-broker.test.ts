import * as assert from "uvu/assert";
import { productBody } from "../../connectors/shopify/bodies.ts";
import { tokenRevoked } from "../../helpers/events.ts";
import { until } from "../../helpers/vitrine.ts";
import { startBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import { installWithGateway } from "./harness/gateway.ts";
import { productIds, renamed, shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("An account on the broker");

/** The accounts as the runbook has them: of the service, and of a shop that ends no token. */
const accounts = [...drill.section.text.matchAll(/^```conf\n([\s\S]*?)^```/gm)]
  .map(([, account]) => account)
  .join("");

/** An account that publishes. @param more further rights */
const publisher = (user: string, ...more: readonly string[]): string => {
  const rights = ["shop.>", "$JS.API.STREAM.INFO.SHOP", ...more].map((right) => `"${right}"`);
  return `{ user: ${user}, password: secret, permissions: { publish: { allow: [${rights}] } } }`;
};

const users = `authorization { users: [
  { user: owner, password: secret }
  ${accounts}
  ${publisher("publisher", "$JS.API.STREAM.MSG.GET.SHOP")}
  ${publisher("weaker")}
] }`;

const login = (user: string) => ({
  NATS_USER: user,
  NATS_PASS: "secret",
  ...(user === "vitrine" && { NATS_INBOX_PREFIX: "_INBOX_vitrine" }),
});

drill.test("the account follows the stream and cannot publish", async () => {
  const broker = await startBroker(drill, users);
  const owner = await drill.install({ events: broker.url, env: login("owner") });
  assert.is((await owner.shell("vitrine publish shop.ndjson")).code, 0);
  const shop = await drill.install({ events: broker.url, env: login("vitrine") });
  await shop.serveReady();
  await mustAnswer(shop.service(), 20);
  owner.write("changes.ndjson", renamed(productIds, "later"));
  assert.is((await owner.shell("vitrine publish changes.ndjson")).code, 0);
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length + 20 });
  shop.write("changes.ndjson", renamed(productIds, "again"));
  const refused = await shop.shell("vitrine publish changes.ndjson");
  assert.is(refused.code, 4, refused.output);
});

drill.test("an account that publishes needs three rights", async () => {
  const broker = await startBroker(drill, users);
  const owner = await drill.install({ events: broker.url, env: login("owner") });
  owner.write("first.ndjson", shopEvents().slice(0, 3));
  assert.is((await owner.shell("vitrine publish first.ndjson")).code, 0);
  const weaker = await drill.install({ events: broker.url, env: login("weaker") });
  const compared = await weaker.shell("vitrine publish shop.ndjson");
  assert.is(compared.code, 4, compared.output);
  const shop = await drill.install({ events: broker.url, env: login("publisher") });
  const published = await shop.shell("vitrine publish shop.ndjson");
  assert.is(published.code, 0, published.output);
});

drill.test("the account of the shop publishes products, and ends no token", async () => {
  const broker = await startBroker(drill, users);
  const owner = await drill.install({ events: broker.url, env: login("owner") });
  owner.write("first.ndjson", shopEvents().slice(0, 3));
  assert.is((await owner.shell("vitrine publish first.ndjson")).code, 0);
  const shop = await drill.install({ events: broker.url, env: login("shop") });
  const published = await shop.shell("vitrine publish shop.ndjson");
  assert.is(published.code, 0, published.output);
  shop.write("revoked.ndjson", [tokenRevoked("bot", Number.MAX_SAFE_INTEGER)]);
  const refused = await shop.shell("vitrine publish revoked.ndjson");
  assert.is(refused.code, 4, refused.output);
  owner.write("revoked.ndjson", [tokenRevoked("bot")]);
  assert.is((await owner.shell("vitrine publish revoked.ndjson")).code, 0);
});

drill.test(
  "the gateway publishes with the account of the shop, and serve follows without that right",
  async () => {
    const broker = await startBroker(drill, users);
    const owner = await drill.install({ events: broker.url, env: login("owner") });
    assert.is((await owner.shell("vitrine publish shop.ndjson")).code, 0);
    const shop = await drill.install({ events: broker.url, env: login("vitrine") });
    await shop.serveReady();
    const gateway = await installWithGateway(drill, broker.url, login("shop"));
    await gateway.start();
    assert.is((await gateway.send("products/update", productBody())).status, 200);
    await until(() => mustAnswer(shop.service(), 21).then(() => true), Boolean);
  },
);

drill.end();
