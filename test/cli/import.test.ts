import { readdirSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productBody } from "../connectors/shopify/bodies.ts";
import { openImportTest } from "../helpers/import.ts";
import { run } from "../helpers/vitrine.ts";

const test = suite("vitrine import");

const bodies = (...list: readonly object[]): string => JSON.stringify({ products: list });

test("standard input is kept in the data directory while it is read, and removed", async () => {
  const context = openImportTest();
  const { code, stdout } = await context.import(
    ["-", "--connection", "shopify"],
    bodies(productBody()),
  );
  assert.is(code, 0);
  assert.match(stdout, /^published 4 events of 1 body to \S/);
  const connections = join(context.dataDir, "connections");
  assert.equal(readdirSync(connections).sort(), ["shopify", "shopify.import.json"]);
  const twice = await context.import(["-", "-", "--connection", "shopify"], "[]");
  assert.is(twice.code, 2);
});

test("a body that is refused is named by its place in the JSON", async () => {
  const context = openImportTest();
  const nameless = productBody({ id: 8, handle: "b", title: "" });
  const broken = productBody({ id: 9, handle: "c", variants: [{ id: 1 }, { price: "1" }] });
  const path = context.write("products.json", bodies(productBody(), nameless, broken, { a: 1 }));
  const { code, stdout, stderr } = await context.import([path, "--connection", "shopify"]);
  assert.is(code, 1);
  assert.match(stdout, `${path}:1: products[1].title: title must be the name of the product`);
  assert.match(stdout, `${path}:1: products[2].variants[1].id: `);
  assert.match(stdout, `${path}:1: products[3]: is no body of the connection's platform`);
  assert.match(stderr, "nothing was published: 3 rows were refused");
});

test("members that do not fit are named with their number, and ignored bodies with the reason", async () => {
  const context = openImportTest();
  const long = productBody({ vendor: "x".repeat(5_000) });
  const path = context.write(
    "products.json",
    bodies(productBody(), productBody({ updated_at: "2026-09-01T00:00:00Z" })),
  );
  const other = context.write("long.json", bodies({ ...long, id: 8, handle: "long" }));
  const { code, stdout } = await context.import([path, other, "--connection", "shopify"]);
  assert.is(code, 0);
  assert.match(stdout, "ignored 1: older than the newest body");
  assert.match(stdout, "left out 1: brand");
});

test("connections shows what was imported", async () => {
  const context = openImportTest();
  const path = context.write("products.json", bodies(productBody()));
  await context.import([path, "--connection", "shopify"]);
  const settings = ["--connections", context.connectionsFile, "--data-dir", context.dataDir];
  const { stdout } = await run(["connections", "--json", ...settings]);
  const { connections } = JSON.parse(stdout);
  const shopify = connections.find(({ name }: { name: string }) => name === "shopify");
  const [{ lastAt: _, ...topic }] = shopify.topics;
  assert.equal(topic, { topic: "import json", translated: 1, ignored: 0, refused: 0 });
  assert.is(shopify.events, 4);
});

test("--complete in a connection of WooCommerce keeps the categories, of which its CSV has no ids", async () => {
  const context = openImportTest();
  const category = { id: 9, name: "Mugs", slug: "mugs" };
  const product = (id: number) => ({
    ...{ id, name: `Mug ${id}`, type: "simple", status: "publish", price: "5", regular_price: "5" },
    ...{ permalink: `https://shop.example/product/mug-${id}/`, categories: [category] },
    date_modified_gmt: "2026-10-01T08:00:00",
  });
  const path = context.write("products.json", JSON.stringify([product(1), product(2)]));
  assert.is((await context.import([path, "--connection", "woo"])).code, 0);
  const csv = context.write(
    "woo.csv",
    "ID,Type,Name,Published,Visibility in catalog,In stock?,Stock,Regular price\n1,simple,Mug,1,visible,1,,5\n",
  );
  const { json, stderr } = await context.import([
    csv,
    "--connection",
    "woo",
    "--complete",
    "--json",
  ]);
  assert.is(json["deleted"], 1, stderr);
  const deleted = (await context.events()).filter(({ type }) => type.endsWith(".deleted"));
  assert.equal(
    deleted.map(({ subject }) => subject),
    ["product/2"],
  );
});

test("a connection that the file lacks, and a wrong option, are named", async () => {
  const context = openImportTest();
  const path = context.write("products.json", "[]");
  const wrong: readonly (readonly [args: readonly string[], message: string])[] = [
    [["--connection", "other"], "--connection other: the file has shopify, woo, feed"],
    [["--connection", "woo", "--format", "xml"], "--format xml: give one of shopify-csv"],
    [["--connection", "woo", "--header", "Preis=prize"], "no format has the column prize"],
    [["--connection", "woo", "--header", "Preis"], "give WORD=column"],
  ];
  for (const [args, message] of wrong) {
    const { code, stderr } = await context.import([path, ...args]);
    assert.is(code, 2, stderr);
    assert.match(stderr, message);
  }
  const absent = await context.import(["/nowhere.csv", "--connection", "woo"]);
  assert.match(absent.stderr, "there is no such file");
});

test.run();
