import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productBody } from "../connectors/shopify/bodies.ts";
import { openGateway, readEvents, shopifyEntry, sign } from "../helpers/gateway.ts";
import { run, until } from "../helpers/vitrine.ts";

const test = suite<{ dataDir: string }>("vitrine deliveries");

/** The connection `main` has refused deliveries 1 and 3, and translated 2. */
test.before.each(async (context) => {
  const second = { ...shopifyEntry, name: "second", secrets: ["second"] };
  const gateway = await openGateway({ connections: [shopifyEntry, second] });
  await gateway.send("products/update", { id: 1 });
  await gateway.send("products/update", productBody());
  await gateway.send("products/update", { id: 3 }, { headers: { "x-shopify-webhook-id": "w-3" } });
  const body = JSON.stringify({ id: 4 });
  await gateway.send("products/update", body, { name: "second", signature: sign(body, "second") });
  await until(
    async () => (await gateway.ops("/metrics")).text,
    (text) =>
      /connection="main",topic="products\/update",outcome="refused"} 2/.test(text) &&
      /connection="second",topic="products\/update",outcome="refused"} 1/.test(text),
  );
  await gateway.stop();
  context.dataDir = gateway.dataDir;
});

const deliveries = async (dataDir: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await run(["deliveries", ...args, "--data-dir", dataDir]);
  return {
    code,
    stdout,
    stderr,
    json: args.includes("--json") ? JSON.parse(stdout || "null") : undefined,
  };
};

const listed = async (dataDir: string): Promise<readonly string[]> => {
  const { json } = await deliveries(dataDir, "list", "--json");
  return json.refused
    .map((row: { connection: string; delivery: number }) => `${row.connection} ${row.delivery}`)
    .sort();
};

test("list shows refused deliveries with the reason", async ({ dataDir }) => {
  assert.equal(await listed(dataDir), ["main 1", "main 3", "second 1"]);
  const { code, stdout } = await deliveries(dataDir, "list", "--connection", "main");
  assert.is(code, 0);
  assert.match(
    stdout,
    /3 {2}\S+ {2}main {2}products\/update {2}title must be the name of the product/,
  );
  assert.match(stdout, "2 refused deliveries");
});

test("show has headers, reason and body", async ({ dataDir }) => {
  const { json } = await deliveries(dataDir, "show", "3", "--connection", "main", "--json");
  assert.equal(json.headers, {
    "x-shopify-topic": "products/update",
    "x-shopify-webhook-id": "w-3",
  });
  assert.equal([json.body, json.refused.path], ['{"id":3}', "title"]);
  const unclear = await deliveries(dataDir, "show", "3");
  assert.is(unclear.code, 2);
  assert.match(unclear.stderr, "give --connection, one of main, second");
  assert.is((await deliveries(dataDir, "show", "99", "--connection", "main")).code, 1);
  assert.is((await deliveries(dataDir, "list", "--connection", "other")).code, 1);
});

test("retry appends refused deliveries again, and the next gateway translates them", async ({
  dataDir,
}) => {
  const { json } = await deliveries(dataDir, "retry", "--all", "--json");
  assert.equal(
    json.retried
      .map((row: { delivery: number; appended: number }) => [row.delivery, row.appended])
      .sort(),
    [
      [1, 2],
      [1, 4],
      [3, 5],
    ],
  );
  assert.equal(await listed(dataDir), []);
  const gateway = await openGateway({ dataDir });
  await until(
    () => listed(dataDir),
    (rows) => rows.length === 2,
  );
  const repeated = { headers: { "x-shopify-webhook-id": "w-3" } };
  assert.is((await gateway.send("products/update", { id: 3 }, repeated)).body.delivery, 3);
  await gateway.stop();
  assert.equal(await listed(dataDir), ["main 4", "main 5"]);
});

test("retry --from translates kept deliveries again, and publishes nothing twice", async ({
  dataDir,
}) => {
  const { json } = await deliveries(
    dataDir,
    "retry",
    "--from",
    "2",
    "--connection",
    "main",
    "--json",
  );
  assert.is(json.retried.length, 2);
  const before = (await readEvents(dataDir)).length;
  const gateway = await openGateway({ dataDir });
  await until(
    () => listed(dataDir),
    (rows) => rows.includes("main 5"),
  );
  assert.is((await gateway.events()).length, before);
  await gateway.stop();
});

test("discard takes refused deliveries from the list", async ({ dataDir }) => {
  const { json } = await deliveries(dataDir, "discard", "1", "2", "--connection", "main", "--json");
  assert.equal(json.discarded, [{ connection: "main", delivery: 1 }]);
  assert.equal(await listed(dataDir), ["main 3", "second 1"]);
  for (const args of [
    ["discard"],
    ["discard", "1", "--all"],
    ["retry"],
    ["retry", "1", "--from", "2"],
  ]) {
    assert.is((await deliveries(dataDir, ...args)).code, 2, args.join(" "));
  }
});

test.run();
