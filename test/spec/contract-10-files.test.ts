import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { productBody } from "../connectors/shopify/bodies.ts";
import { openGateway, shopifyEntry } from "../helpers/gateway.ts";
import { openImportTest, type TestImport } from "../helpers/import.ts";
import { run, until } from "../helpers/vitrine.ts";

const test = suite("Contract 10, Files");

const header =
  "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Tracker,Variant Inventory Qty";
const csv = (...rows: readonly string[]): string => [header, ...rows, ""].join("\n");
const mug = "mug,Mug,Title,Default Title,19.90,shopify,3";
const tee = "tee,Tee,Size,S,9.90,,\ntee,,,M,10.90,,";

/** Imports a file with a name in the connection `feed`. */
const importCsv = (context: TestImport, content: string, ...args: readonly string[]) =>
  context.import([context.write("shop.csv", content), "--connection", "feed", "--json", ...args]);

const bySubject = (events: readonly CloudEvent[]) =>
  new Map(events.map((event) => [event.subject, event]));

const dataOf = (events: readonly CloudEvent[], type: string) =>
  events
    .filter((event) => event.type === type)
    .map(({ data }) => data as Readonly<Record<string, unknown>>);

test("1. A file becomes bodies of its platform; its first bytes decide the format", async () => {
  const context = openImportTest();
  const feeds = {
    "shop.csv": csv(mug),
    "woo.csv":
      "ID,Type,Name,Published,Visibility in catalog,In stock?,Stock,Regular price\n7,simple,Cup,1,visible,1,,5.00\n",
    "feed.tsv": "id\ttitle\tlink\tprice\nP1\tPot\thttps://shop.example/pot\t7.00 EUR\n",
    "feed.xml": `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>P2</g:id><title>Pan</title>
<link>https://shop.example/pan</link><g:price>8.00 EUR</g:price></item></channel></rss>`,
  };
  const paths = Object.entries(feeds).map(([name, content]) => context.write(name, content));
  const { code, stderr } = await context.import([...paths, "--connection", "feed", "--json"]);
  assert.is(code, 0, stderr);
  const names = dataOf(await context.events(), "shop.product.upserted").map(({ name }) => name);
  assert.equal(names, ["Mug", "Cup", "Pot", "Pan"]);
  const bodies = context.write("products.json", JSON.stringify({ products: [productBody()] }));
  assert.is((await context.import([bodies, "--connection", "shopify"])).code, 0);
  const unknown = context.write("other.csv", "a,b\n1,2\n");
  const refused = await context.import([unknown, "--connection", "feed"]);
  assert.is(refused.code, 2);
  assert.match(refused.stderr, "other.csv is of no known format");
  const wrong = await context.import([bodies, "--connection", "feed"]);
  assert.match(wrong.stderr, "products.json is json, and a connection of files takes");
});

test("1. An import and webhooks of one connection agree: the same body publishes once", async () => {
  const context = openImportTest();
  const path = context.write("products.ndjson", `${JSON.stringify(productBody())}\n`);
  const first = await context.import([path, "--connection", "shopify", "--json"]);
  assert.is(first.json["events"], 4, first.stderr);
  const before = (await context.events()).length;
  const entry = { ...shopifyEntry, name: "shopify" };
  const gateway = await openGateway({ dataDir: context.dataDir, connections: [entry] });
  await gateway.send("products/update", productBody(), { name: "shopify" });
  const renamed = { title: "Tee 2", updated_at: "2026-10-02T10:00:00+02:00" };
  await gateway.send("products/update", productBody(renamed), { name: "shopify" });
  const events = await until(
    () => gateway.events(),
    (all) => all.length > before,
  );
  await gateway.stop();
  assert.equal(
    events.slice(before).map(({ subject }) => subject),
    ["product/7"],
  );
});

test("2. The time of a row is --taken; a body has its own", async () => {
  const context = openImportTest();
  await importCsv(context, csv(mug), "--taken", "2026-11-01T10:00:00+01:00");
  const times = new Set((await context.events()).map(({ time }) => time));
  assert.equal([...times], ["2026-11-01T09:00:00.000Z"]);
  const future = await importCsv(context, csv(mug), "--taken", "2999-01-01T00:00:00Z");
  assert.is(future.code, 2);
  assert.match(future.stderr, "--taken is in the future");
  const body = context.write("products.json", JSON.stringify([productBody()]));
  await context.import([body, "--connection", "shopify"]);
  const product = bySubject(await context.events()).get("product/7");
  assert.is(product?.time, "2026-10-01T08:00:00.000Z");
});

test("3. The id of an event has the digest of its subject and data, and the time of the file", async () => {
  const context = openImportTest();
  const taken = ["--taken", "2026-11-01T09:00:00Z"];
  await importCsv(context, csv(mug), ...taken);
  const events = await context.events();
  assert.is(events.length, 2);
  for (const { id, source } of events) {
    assert.match(id, /^feed\/import\/[0-9a-f]{16}\/2026-11-01T09:00:00\.000Z$/);
    assert.is(source, "/connections/feed");
  }
  const again = await importCsv(context, csv(mug));
  assert.equal([again.code, again.json["events"]], [0, 0]);
  assert.is((await context.events()).length, 2);
  const all = await importCsv(context, csv(mug), "--all");
  assert.is(all.json["events"], 2);
  assert.is((await context.events()).length, 4);
});

test("4. A bad row is named by file, line, column and reason, and then nothing is appended", async () => {
  const context = openImportTest();
  const bad = csv(mug, 'bowl,"Bowl\nof two lines",Title,Default Title,"19,90",,', "cup,,,,,,");
  const { code, json } = await importCsv(context, bad);
  assert.is(code, 1);
  const rows = json["refused"] as readonly Readonly<Record<string, unknown>>[];
  assert.equal(
    rows.map(({ line, column }) => [line, column]),
    [
      [3, "Variant Price"],
      [5, "title"],
    ],
  );
  assert.match(String(rows[0]?.["file"]), /shop\.csv$/);
  assert.match(String(rows[0]?.["reason"]), "must be a decimal with a point such as 19.90");
  assert.not.ok(existsSync(join(context.dataDir, "journal")));
  const skipped = await importCsv(context, bad, "--skip-invalid");
  assert.equal([skipped.code, skipped.json["refusedCount"]], [1, 2]);
  assert.is(dataOf(await context.events(), "shop.product.upserted").length, 1);
});

test("4. A file that is cut is refused whole, also with --skip-invalid", async () => {
  const context = openImportTest();
  const cut: readonly (readonly [name: string, content: string, connection: string])[] = [
    ["short.csv", csv(mug, "bowl,Bow").trimEnd(), "feed"],
    ["quote.csv", csv(mug, 'bowl,"Bowl,Title').trimEnd(), "feed"],
    [
      "feed.xml",
      '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id>',
      "feed",
    ],
    ["lines.json", `${JSON.stringify(productBody())}\n{"id": 8, "title"`, "shopify"],
    ["list.json", JSON.stringify([productBody()], undefined, 1).slice(0, -3), "shopify"],
  ];
  for (const [name, content, connection] of cut) {
    const path = context.write(name, content);
    const answer = await context.import([path, "--connection", connection, "--skip-invalid"]);
    assert.is(answer.code, 1, `${name}: ${answer.stdout}${answer.stderr}`);
    assert.match(answer.stderr, name);
    assert.match(answer.stderr, "export the file again");
  }
  assert.not.ok(existsSync(join(context.dataDir, "journal")));
});

test("5. Words of a header are compared without case, blanks and `_`; a needed column that is missing is an error", async () => {
  const context = openImportTest();
  const spelled = "HANDLE,title,VARIANT_PRICE ,unknown,Title\nmug,Mug,5,x,Second\n";
  assert.is((await importCsv(context, spelled)).code, 0);
  const [product] = dataOf(await context.events(), "shop.product.upserted");
  assert.is(product?.["name"], "Mug");
  const format = ["--format", "shopify-csv"];
  const missing = await importCsv(context, "Handle,Name\nmug,Mug\n", ...format);
  assert.is(missing.code, 1);
  assert.match(missing.stderr, /shop\.csv:1: the header lacks title/);
  assert.match(missing.stderr, '--header "WORD=title"');
  const named = await importCsv(
    context,
    "Griff,Name\ncup,Cup\n",
    ...format,
    "--header",
    "Name=title",
  );
  assert.is(named.code, 0, named.stderr);
  const names = dataOf(await context.events(), "shop.product.upserted").map(({ name }) => name);
  assert.equal(names, ["Mug", "Cup"]);
  const typo = await importCsv(context, csv(mug), "--header", "Name");
  assert.is(typo.code, 2);
});

test("6. --complete deletes what the connection published and no row has", async () => {
  const context = openImportTest();
  await importCsv(context, csv(mug, tee), "--taken", "2026-11-01T09:00:00Z");
  const gone = await importCsv(context, csv(mug), "--complete");
  assert.equal([gone.code, gone.json["deleted"]], [0, 1]);
  const last = (await context.events()).at(-1);
  assert.is(last?.type, "shop.product.deleted");
  const again = await importCsv(context, csv(mug), "--complete");
  assert.equal([again.json["events"], again.json["deleted"]], [0, 0]);
  const back = await importCsv(context, csv(mug, tee), "--complete");
  assert.equal([back.json["deleted"], back.json["events"]], [0, 1], "its stock stands");
  assert.is((await context.events()).at(-1)?.type, "shop.product.upserted");
  const older = await importCsv(context, csv(mug), "--complete", "--taken", "2026-11-02T09:00:00Z");
  assert.is(older.json["deleted"], 0, "what was published later is kept");
});

test("6. Variations that a product of WooCommerce lists are kept without bodies of their own", async () => {
  const context = openImportTest();
  const times = { status: "publish", date_modified_gmt: "2026-10-01T08:00:00" };
  const permalink = "https://shop.example/product/tee/";
  const variation = (id: number) => ({
    id,
    type: "variation",
    parent_id: 1,
    permalink,
    price: "5",
    ...times,
  });
  const product = {
    id: 1,
    name: "Tee",
    type: "variable",
    permalink,
    variations: [11, 12],
    ...times,
  };
  const all = context.write("all.json", JSON.stringify([product, variation(11), variation(12)]));
  await context.import([all, "--connection", "woo"]);
  const complete = async (list: readonly object[]) => {
    const path = context.write("products.json", JSON.stringify(list));
    return context.import([path, "--connection", "woo", "--complete", "--allow-loss", "--json"]);
  };
  const products = await complete([product]);
  assert.equal([products.code, products.json["deleted"]], [0, 0], products.stderr);
  const shorter = await complete([{ ...product, variations: [11] }]);
  assert.is(shorter.json["deleted"], 0, "the translator deletes what the product lists no more");
  assert.is((await context.events()).at(-1)?.subject, "variant/1/12");
});

test("6. With a bad row nothing is deleted", async () => {
  const context = openImportTest();
  await importCsv(context, csv(mug, tee), "--taken", "2026-11-01T09:00:00Z");
  const bad = csv(mug.replace("19.90", "19,90"));
  const { json } = await importCsv(context, bad, "--complete", "--skip-invalid");
  assert.equal([json["deleted"], json["refusedCount"]], [0, 1]);
});

test("6. Ten deletions and more than a fifth need --allow-loss", async () => {
  const context = openImportTest();
  const many = Array.from({ length: 40 }, (_, at) => `p-${at},P ${at},Title,Default Title,5,,`);
  await importCsv(context, csv(...many), "--taken", "2026-11-01T09:00:00Z");
  const before = (await context.events()).length;
  const refused = await importCsv(context, csv(...many.slice(10), mug), "--complete");
  assert.is(refused.code, 2);
  assert.match(refused.stderr, "10 of 40 product entities would be deleted");
  assert.is((await context.events()).length, before);
  const few = await importCsv(context, csv(...many.slice(8)), "--complete");
  assert.is(few.json["deleted"], 8);
  const all = await importCsv(context, csv(mug), "--complete", "--skip-invalid");
  assert.match(all.stderr, "32 of 32 product entities would be deleted");
  const allowed = await importCsv(context, csv(mug), "--complete", "--allow-loss");
  assert.is(allowed.json["deleted"], 32);
});

test("6. What a body has is kept, also where it is ignored or not restated; all of a kind need --allow-loss", async () => {
  const context = openImportTest();
  const product = (id: number, members: object = {}) =>
    productBody({ id, handle: `p-${id}`, variants: [], product_type: `Type ${id}`, ...members });
  const write = (...list: readonly object[]) =>
    context.write("products.json", JSON.stringify({ products: list }));
  const complete = (path: string, ...args: readonly string[]) =>
    context.import([path, "--connection", "shopify", "--complete", "--json", ...args]);
  const newer = { updated_at: "2026-10-05T10:00:00+02:00" };
  const late = [product(1), product(2, { ...newer, title: "Late" }), product(3)];
  await context.import([write(...late), "--connection", "shopify"]);
  const again = await complete(write(product(1), product(2), product(3)));
  assert.equal(
    [again.json["deleted"], again.json["ignored"]],
    [0, { "older than the newest body": 1 }],
  );
  const gone = await complete(write(product(1), product(2, newer)));
  assert.is(gone.json["deleted"], 2, "the product and its category");
  const [deleted] = (await context.events()).filter(({ type }) => type === "shop.product.deleted");
  assert.is(deleted?.time, "2026-10-01T08:00:00.000Z", "that of what is deleted");
  const back = await complete(write(product(1), product(2, newer), product(3)));
  assert.equal([back.json["deleted"], back.json["events"]], [0, 2]);
  const empty = await complete(write());
  assert.equal([empty.code, empty.json], [2, {}]);
  assert.match(empty.stderr, "the files have no body");
  const other = await complete(write(product(9)));
  assert.match(other.stderr, /all 3 (category|product) entities would be deleted/);
});

test("7. --dry-run prints events that lint accepts, and changes nothing", async () => {
  const context = openImportTest();
  const path = context.write("shop.csv", csv(mug, tee));
  const { code, stdout } = await context.import([path, "--connection", "feed", "--dry-run"]);
  assert.is(code, 0);
  assert.is(stdout.trim().split("\n").length, 5);
  const linted = await run(["lint", "-"], { input: stdout });
  assert.is(linted.code, 0, linted.stdout);
  assert.not.ok(existsSync(join(context.dataDir, "journal")));
  const published = await importCsv(context, csv(mug, tee));
  assert.is(published.json["events"], 5);
});

test("8. A connection of files takes no deliveries; an import runs beside a gateway", async () => {
  const context = openImportTest();
  await importCsv(context, csv(mug));
  const entry = { ...shopifyEntry, name: "shopify" };
  const gateway = await openGateway({ dataDir: context.dataDir, connections: [entry] });
  const feed = await gateway.send("products/update", productBody(), { name: "feed" });
  assert.is(feed.status, 404);
  const bodies = Array.from({ length: 600 }, (_, at) =>
    productBody({ id: 1000 + at, handle: `tee-${at}`, title: `Tee ${at}`, variants: [] }),
  );
  const path = context.write("products.json", JSON.stringify(bodies));
  const importing = context.import([path, "--connection", "shopify", "--json"]);
  for (let at = 0; at < 20; at += 1)
    await gateway.send("products/update", productBody({ id: 7 + at, handle: `own-${at}` }), {
      name: "shopify",
    });
  const { code, json, stderr } = await importing;
  assert.equal([code, json["translated"]], [0, 600], stderr);
  await until(
    async () => dataOf(await gateway.events(), "shop.product.upserted").length,
    (count) => count === 621,
  );
  await gateway.stop();
});

test("Files of Shopify, 1. Ids are those of handles and options; a product that came by its own id is ignored", async () => {
  const context = openImportTest();
  const path = context.write("shop.csv", csv(tee));
  assert.is((await context.import([path, "--connection", "shopify"])).code, 0);
  const [product] = dataOf(await context.events(), "shop.product.upserted");
  assert.is(product?.["externalId"], "handle/tee");
  const variants = product?.["variants"] as readonly Readonly<Record<string, unknown>>[];
  assert.equal(
    variants.map(({ externalId, url }) => [externalId, url]),
    [
      ["handle/tee/S", null],
      ["handle/tee/M", null],
    ],
  );
  const textId = product?.["id"];
  const bodies = context.write("products.json", JSON.stringify([productBody()]));
  assert.is((await context.import([bodies, "--connection", "shopify"])).code, 0);
  const deleted = dataOf(await context.events(), "shop.product.deleted");
  assert.equal(deleted, [{ id: textId }]);
  const again = await context.import([path, "--connection", "shopify", "--json"]);
  assert.equal(again.json["events"], 0);
  assert.equal(again.json["ignored"], { "a product of a file that came by its own id": 1 });
  const complete = await context.import([path, "--connection", "shopify", "--complete"]);
  assert.match(complete.stderr, "has no ids");
});

test("Files of Shopify, 2. Stock without a tracker has no quantity; Published and Status hide", async () => {
  const context = openImportTest();
  const columns =
    "Handle,Title,Published,Status,Variant Price,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy";
  const rows = [
    "a,A,TRUE,active,5,,7,deny",
    "b,B,true,Active,5,shopify,0,continue",
    "c,C,FALSE,active,5,shopify,2,deny",
    "d,D,TRUE,draft,5,shopify,2,deny",
  ];
  await importCsv(context, [columns, ...rows, ""].join("\n"));
  const events = await context.events();
  assert.equal(
    dataOf(events, "shop.product.upserted").map(({ name, active }) => [name, active]),
    [
      ["A", true],
      ["B", true],
      ["C", false],
      ["D", false],
    ],
  );
  assert.equal(
    dataOf(events, "shop.stock.changed").map(({ quantity, availability }) => [
      quantity,
      availability,
    ]),
    [
      [null, "in_stock"],
      [0, "backorder"],
      [2, undefined],
      [2, undefined],
    ],
  );
});

test.run();
