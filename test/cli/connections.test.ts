import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { neededTopics } from "../../src/cli/commands/connections/missing.ts";
import type {
  ConnectionReport,
  ConnectionsReport,
} from "../../src/cli/commands/connections/read.ts";
import { commercetoolsTopics } from "../../src/connectors/commercetools/translate.ts";
import { shopifyTopics } from "../../src/connectors/shopify/translate.ts";
import { wooCommerceTopics } from "../../src/connectors/woocommerce/translate.ts";
import { openInbox } from "../../src/gateway/inbox/inbox.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { levelBody, productBody } from "../connectors/shopify/bodies.ts";
import { catchUp, journalIn } from "../helpers/backups.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { carrierUpserted, pageUpserted, settingsUpdated } from "../helpers/events.ts";
import { openGateway, shopifyEntry, sign, type TestGateway } from "../helpers/gateway.ts";
import { append } from "../helpers/projector.ts";
import { run, until } from "../helpers/vitrine.ts";

const test = suite<{ gateway: TestGateway; file: string }>("vitrine connections");

/** No test sets the variable: the command needs no secret. */
const shop = { url: "https://shop.example", currency: "EUR", secret: { env: "ABSENT" } };

/** `main` has refused 1 delivery and translated 2; the file lacks `gone`, and no gateway ran with `woo`. */
test.before.each(async (context) => {
  const { path } = temporaryDirectory();
  context.file = join(path, "connections.json");
  const connections = {
    main: { platform: "shopify", locations: 1, ...shop },
    woo: { platform: "woocommerce", ...shop },
  };
  writeFileSync(context.file, JSON.stringify({ connections }));
  const dataDir = join(path, "data");
  openDataDirectory(dataDir);
  const gone = { ...shopifyEntry, name: "gone", secrets: ["gone"] };
  const gateway = await openGateway({ dataDir, connections: [shopifyEntry, gone] });
  await gateway.send("products/update", { id: 1 });
  await gateway.send("products/update", productBody({ vendor: "x".repeat(1_000) }));
  await gateway.send("inventory_levels/update", levelBody({ available: 8 }));
  const body = JSON.stringify(productBody());
  await gateway.send("products/create", body, { name: "gone", signature: sign(body, "gone") });
  await until(
    async () => (await gateway.ops("/metrics")).text,
    (text) =>
      /connection="main",topic="inventory_levels\/update",outcome="translated"} 1/.test(text) &&
      /connection="gone",topic="products\/create",outcome="translated"} 1/.test(text),
  );
  context.gateway = gateway;
});
test.after.each(({ gateway }) => gateway.stop());

const shown = async (dataDir: string, file: string, ...args: readonly string[]) => {
  const paths = ["--connections", file, "--data-dir", dataDir];
  const { code, stdout, stderr } = await run(["connections", ...paths, ...args]);
  assert.is(code, 0, stderr);
  return stdout;
};

const report = async (dataDir: string, file: string): Promise<ConnectionsReport> =>
  JSON.parse(await shown(dataDir, file, "--json"));

const steps = (missing: ConnectionReport["missing"]) => missing.map(({ what }) => what);

test("it lists what each connection took and published, beside a running gateway", async ({
  gateway,
  file,
}) => {
  const { connections } = await report(gateway.dataDir, file);
  assert.equal(
    connections.map(({ name, platform }) => [name, platform]),
    [
      ["main", "shopify"],
      ["woo", "woocommerce"],
      ["gone", null],
    ],
  );
  const [main, woo, gone] = connections;
  assert.ok(main && woo && gone);
  assert.equal(
    main.topics.map(({ topic, translated, ignored, refused }) => [
      topic,
      translated,
      ignored,
      refused,
    ]),
    [
      ["inventory_levels/update", 1, 0, 0],
      ["products/update", 1, 0, 1],
    ],
  );
  assert.match(main.topics[0]?.lastAt ?? "", /^\d{4}-.*Z$/);
  const all = await gateway.events();
  assert.is(main.events, all.filter(({ source }) => source === "/connections/main").length);
  assert.ok(main.events > 0 && gone.events > 0);
  assert.is(main.refused, 1);
  assert.equal(main.leftOut, [{ member: "brand", count: 1 }]);
  assert.equal(main.waiting, { deliveries: 0, bytes: 0 });
  assert.equal(steps(main.missing), [
    "new products: products/create never arrived",
    "deletions of products: products/delete never arrived",
    "whether stock is tracked: inventory_items/update never arrived",
  ]);
  assert.equal(steps(woo.missing), ["it has no inbox yet", "no product was published"]);
  assert.match(steps(gone.missing)[0] ?? "", "the file of connections does not have it");
});

test("it lists what the live read model lacks, until events bring it", async ({
  gateway,
  file,
}) => {
  const { dataDir } = gateway;
  const { shop: without } = await report(dataDir, file);
  assert.equal(
    [without.generation, steps(without.missing)],
    [null, ["there is no read model yet"]],
  );
  await catchUp(dataDir);
  const { shop: bare } = await report(dataDir, file);
  assert.equal(bare, {
    generation: "0001",
    missing: [
      {
        what: "the shop has no settings",
        step: "publish shop.settings.updated with vitrine publish",
      },
      {
        what: "no policies",
        step: "publish shop.page.upserted with `policy` with vitrine publish",
      },
      { what: "no carriers", step: "publish shop.carrier.upserted with vitrine publish" },
    ],
  });
  const log = journalIn(dataDir);
  await append(
    log,
    settingsUpdated(),
    pageUpserted({ id: 1, policy: "returns" }),
    carrierUpserted({ id: 1 }),
  );
  await log.close();
  await catchUp(dataDir);
  assert.equal((await report(dataDir, file)).shop.missing, []);
});

test("the text names counts, what waits and each missing thing with its step", async ({
  gateway,
  file,
}) => {
  const text = await shown(gateway.dataDir, file);
  for (const line of [
    /^main {2}shopify$/m,
    /^topic +translated +ignored +refused +last$/m,
    /^products\/update +1 +0 +1 +\S+Z$/m,
    /^refused +1: vitrine deliveries list --connection main$/m,
    /^left out +brand 1$/m,
    /^missing {2}deletions of products: products\/delete never arrived\n +-> subscribe to products\/delete/m,
    /^gone {2}not in the file of connections$/m,
    /^shop\nmissing {2}there is no read model yet\n +-> start vitrine serve$/m,
  ]) {
    assert.match(text, line);
  }
});

test("ids of texts alone need the platform's ids for baskets", async ({ gateway, file }) => {
  await gateway.stop();
  const dataDir = join(temporaryDirectory().path, "data");
  openDataDirectory(dataDir);
  const at = "2026-11-01T12:00:00.000Z";
  const publish = async (...subjects: readonly string[]): Promise<void> => {
    const inbox = openInbox(join(dataDir, "connections", "main"));
    const row = { digest: "a", time: at };
    inbox.commit({
      ...{ position: 0, bytes: 0, refused: new Map(), counts: new Map(), at },
      changes: subjects.map((key) => ({ table: "published", key, row })),
    });
    await inbox.close();
  };
  const missing = async () => steps((await report(dataDir, file)).connections[0]?.missing ?? []);
  await publish("product/4503599627370497");
  assert.equal((await missing()).slice(-2), [
    "no stock was published",
    "products came from a file: baskets need the platform's ids",
  ]);
  await publish("product/7", "stock/7/501");
  assert.not.match((await missing()).join(), /baskets|no stock/);
});

test("each needed topic is one that the gateway takes", () => {
  const topics = {
    shopify: shopifyTopics,
    woocommerce: wooCommerceTopics,
    commercetools: commercetoolsTopics,
    files: new Set<string>(),
  };
  for (const platform of ["shopify", "woocommerce", "commercetools", "files"] as const) {
    const unknown = neededTopics[platform]
      .flatMap((each) => each.topics)
      .filter((topic) => !topics[platform].has(topic));
    assert.equal(unknown, []);
  }
});

test("a file of connections that cannot be read is a usage error", async ({ gateway }) => {
  const paths = ["--connections", "/nowhere.json", "--data-dir", gateway.dataDir];
  const { code, stderr } = await run(["connections", ...paths]);
  assert.is(code, 2);
  assert.match(stderr, "/nowhere.json cannot be read");
});

test.run();
