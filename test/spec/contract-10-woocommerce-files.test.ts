import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { FileItem } from "../../src/connectors/files/items.ts";
import { toEntityId } from "../../src/connectors/ids.ts";
import { translateWooCommerce } from "../../src/connectors/woocommerce/translate.ts";
import { decode } from "../../src/events/decode.ts";
import { type CloudEvent, toMessage } from "../../src/events/envelope.ts";
import {
  bodyOf,
  type Cells,
  parentRow,
  productRow,
  readAll,
  toCsv,
  variationRow,
} from "../connectors/files/woocommerce-export.ts";
import {
  connection,
  parentBody,
  productBody,
  variationBody,
} from "../connectors/woocommerce/bodies.ts";
import {
  type Answer,
  membersOf,
  openConnection,
  type TestConnection,
} from "../helpers/connection-state.ts";

const test = suite("Contract 10, Files of WooCommerce");

const open = (members: object = {}): TestConnection =>
  openConnection(translateWooCommerce, { ...connection, platform: "woocommerce", ...members });

const openFiles = (members: object = {}): TestConnection => open({ platform: "files", ...members });

const toEvents = (answer: Answer): readonly CloudEvent[] => {
  if (answer.outcome !== "prepared") throw new Error(answer.reason);
  assert.equal([...answer.leftOut], []);
  for (const event of answer.events) {
    const { body, headers } = toMessage(event);
    const decoded = decode({ body, headers, sequence: 1, time: Date.UTC(2027, 0, 1) });
    assert.ok(decoded.ok, JSON.stringify(decoded));
  }
  return answer.events;
};

const readRows = (...rows: readonly Cells[]): Promise<readonly FileItem[]> => readAll(toCsv(rows));

/** Delivers the bodies of a file. */
const deliver = async (shop: TestConnection, ...rows: readonly Cells[]) =>
  (await readRows(...rows)).map((item) => {
    if ("reason" in item) throw new Error(item.reason);
    return shop.deliver(item.topic, item.body);
  });

/** Imports a file, and returns the last event of each subject. */
const importRows = async (shop: TestConnection, ...rows: readonly Cells[]) => {
  const events = (await deliver(shop, ...rows)).flatMap(toEvents);
  return new Map(events.map((event) => [event.subject, event]));
};

type Events = Awaited<ReturnType<typeof importRows>>;

const dataOf = (events: Events, subject: string) => membersOf(events.get(subject));

const eur = (amount: string) => ({ amount, currency: "EUR" });

test("1: a row is the product that a webhook with the same values states", async () => {
  const cells: Cells = {
    ...{ type: "simple, downloadable, virtual", global_unique_id: "4006381333931" },
    ...{ short_description: "<p>Short.</p>", description: "<p>Holds coffee.</p>", tag_ids: "a, b" },
    ...{ images: "https://cdn.example/a.jpg", sale_price: "9,90", regular_price: "19,90" },
    ...{ date_on_sale_from: "2026-10-01 0:00:00", date_on_sale_to: "2026-10-31 23:59:59" },
    ...{ "attribute_name/1": "Material", "attribute_value/1": "Clay", "attribute_visible/1": "1" },
    ...{ brand_ids: "Acme", stock: "4", backorders: "notify", category_ids: "" },
  };
  const events = await importRows(open(), productRow(cells));
  const body = productBody({
    ...{ permalink: "https://shop.example/?p=7", categories: [], virtual: true },
    ...{ tags: [{ name: "a" }, { name: "b" }], brands: [{ name: "Acme" }] },
    ...{ price: "9.90", regular_price: "19.90", sale_price: "9.90" },
    ...{ date_on_sale_from: "2026-10-01T00:00:00", date_on_sale_to: "2026-10-31T23:59:59" },
    ...{ manage_stock: true, stock_quantity: 4, backorders: "notify" },
    attributes: [{ id: 0, name: "Material", visible: true, options: ["Clay"] }],
    images: [{ src: "https://cdn.example/a.jpg" }],
  });
  const stated = toEvents(open().deliver("product.updated", body));
  assert.equal(
    [...events.values()].map(({ subject, data }) => [subject, data]),
    stated.map(({ subject, data }) => [subject, data]),
  );
  assert.is(events.get("product/7")?.time, "2026-10-02T10:00:00.000Z");
});

const readings: readonly (readonly [cells: Cells, subject: string, members: object])[] = [
  [{ published: "1" }, "product/7", { active: true }],
  [{ published: "0" }, "product/7", { active: false }],
  [{ published: "-1" }, "product/7", { active: false }],
  [{ published: "2" }, "product/7", { active: false }],
  [{ catalog_visibility: "hidden" }, "product/7", { active: false }],
  [{ regular_price: "" }, "product/7", { price: null, sales: [] }],
  [{ regular_price: "1234,5" }, "product/7", { price: eur("1234.5") }],
  [{ regular_price: "" }, "stock/7", { quantity: null, orderable: false }],
  [{ type: "external" }, "stock/7", { quantity: null, orderable: false }],
  [{ stock_status: "0" }, "stock/7", { orderable: false, availability: "out_of_stock" }],
  [{ stock_status: "backorder" }, "stock/7", { orderable: true, availability: "backorder" }],
  [{ stock: "0", backorders: "0" }, "stock/7", { quantity: 0 }],
  [{ stock: "-3", backorders: "1" }, "stock/7", { quantity: -3, availability: "backorder" }],
  [{ stock: "16.5" }, "stock/7", { quantity: 16 }],
];

test("1: what the cells of a row say", async () => {
  for (const [cells, subject, members] of readings) {
    const data = dataOf(await importRows(open(), productRow(cells)), subject);
    for (const [name, value] of Object.entries(members))
      assert.equal(data[name], value, `${JSON.stringify(cells)} ${name}`);
  }
});

test("1: a variation with the stock of its parent has none of its own", async () => {
  const rows = [parentRow({ stock: "4" }), variationRow({ stock: "parent" })];
  const events = await importRows(open(), ...rows);
  assert.is(dataOf(events, "stock/7")["quantity"], 4);
  assert.not.ok(events.has("stock/7/501"));
});

const unusable: readonly (readonly [cells: Cells, column: string])[] = [
  [{ id: "" }, "ID"],
  [{ id: "TEE" }, "ID"],
  [{ name: " " }, "Name"],
  [{ published: "" }, "Published"],
  [{ published: "TRUE" }, "Published"],
  [{ stock_status: "" }, "In stock?"],
  [{ stock_status: "yes" }, "In stock?"],
  [{ stock: "many" }, "Stock"],
  [{ backorders: "maybe" }, "Backorders allowed?"],
  [{ regular_price: "1.234,50" }, "Regular price"],
  [{ regular_price: "1,234.50" }, "Regular price"],
  [{ regular_price: "19,90 €" }, "Regular price"],
  [{ regular_price: "-1" }, "Regular price"],
  [{ sale_price: "1'000" }, "Sale price"],
];

test("1: a row that cannot be used is named by its line and column", async () => {
  for (const [cells, column] of unusable) {
    const items = await readRows(productRow(cells), productRow({ id: "8", sku: "" }));
    const bad = items.flatMap((item) => ("reason" in item ? [[item.line, item.column]] : []));
    assert.equal([items.length, bad], [2, [[2, column]]], JSON.stringify(cells));
  }
});

test("2: the escapes of the exporter are undone", async () => {
  const file = toCsv([
    productRow({
      ...{ name: "=SUM", sku: "-1", tag_ids: "red\\, dark, blue", published: "-1" },
      description: "one\\ntwo \\\\n",
    }),
  ]);
  assert.match(file, "'=SUM");
  const body = bodyOf(await readAll(file));
  assert.equal([body["name"], body["sku"], body["status"]], ["=SUM", "-1", "draft"]);
  assert.equal(body["tags"], [{ name: "red, dark" }, { name: "blue" }]);
  assert.is(body["description"], "one\ntwo \\n");
});

test("3: products are named by id or SKU, also ones of later rows", async () => {
  const shop = open();
  const set = productRow({ ...{ type: "grouped", grouped_products: "id:8, 10" }, upsell_ids: "A" });
  const parts = [productRow({ id: "8", sku: "" }), productRow({ id: "9", sku: "10" })];
  const events = await importRows(shop, set, ...parts);
  // The SKU is 10, and the id is 9. No row has A.
  const related = [8, 9].map((productId) => ({ productId, relationship: "part_of_set" }));
  assert.equal(dataOf(events, "product/7")["related"], related);
  const later = await importRows(shop, productRow({ id: "11", sku: "B", cross_sell_ids: "10" }));
  const [bought] = dataOf(later, "product/11")["related"] as readonly object[];
  assert.equal(bought, { productId: 9, relationship: "often_bought_with" });
});

test("3: a variation has the parent that it names, which a file or a webhook had", async () => {
  for (const parent_id of ["TEE", "id:7"]) {
    for (const rows of [
      [parentRow(), variationRow({ parent_id })],
      [variationRow({ parent_id }), parentRow()],
    ]) {
      const { productId, url } = dataOf(await importRows(open(), ...rows), "variant/7/501");
      assert.equal([productId, url], [7, null]);
    }
  }
  const shop = open();
  const [alone] = await deliver(shop, variationRow());
  assert.is(alone?.outcome === "refused" && alone.path, "parent_id");
  assert.match(alone?.outcome === "refused" ? alone.reason : "", "SKU");
  toEvents(shop.deliver("product.updated", parentBody()));
  // The SKU of its parent is in the body of a variation without one.
  toEvents(shop.deliver("product.updated", variationBody({ id: 502, sku: "TEE" })));
  assert.ok((await importRows(shop, variationRow())).has("variant/7/501"));
});

test("4: an attribute is an option where a variation has it", async () => {
  const cloth: Cells = {
    ...{
      "attribute_name/2": "Cloth",
      "attribute_value/2": "Wool, Silk",
      "attribute_visible/2": "1",
    },
  };
  const any: Cells = { "attribute_name/2": "Colour", "attribute_value/2": "" };
  const colour: Cells = { "attribute_name/3": "Colour", "attribute_value/3": "Red" };
  const rows = [parentRow({ ...cloth, ...colour }), variationRow(any)];
  const events = await importRows(open(), ...rows);
  const { options, specifications } = dataOf(events, "product/7");
  assert.equal(options, [
    { name: "Size", values: ["S", "M"] },
    { name: "Colour", values: ["Red"] },
  ]);
  assert.equal(specifications, [{ name: "Cloth", value: "Wool, Silk" }]);
  assert.equal(dataOf(events, "variant/7/501")["options"], [{ name: "Size", value: "S" }]);
});

test("5: a file takes no variation away, and shows none that the shop took away", async () => {
  const shop = open();
  const bodies = [501, 502, 503].map((id) => variationBody({ id, sku: `TEE-${id}` }));
  for (const body of [parentBody({ variations: [501, 502, 503] }), ...bodies])
    toEvents(shop.deliver("product.updated", body));
  const newer = { date_modified_gmt: "2026-10-01T09:00:00" };
  toEvents(shop.deliver("product.updated", parentBody({ ...newer, variations: [501, 502] })));
  const arrivedAt = "2026-10-01T09:30:00.000Z";
  toEvents(shop.deliver("product.deleted", { id: 502 }, { arrivedAt }));
  const events = await importRows(shop, parentRow({ name: "New" }));
  assert.equal([...events.keys()], ["product/7"]);
  assert.equal(
    [...(await importRows(shop, variationRow({ regular_price: "5" }))).keys()],
    ["variant/7/501"],
  );
  assert.ok((await importRows(shop, variationRow({ id: "503", sku: "" }))).has("variant/7/503"));
  const late = variationBody({ id: 504, ...newer, sku: "" });
  assert.is(toEvents(shop.deliver("product.updated", late))[0]?.subject, "variant/7/504");
});

test("5: a product that was deleted is there again with the variations of the file, in any sequence", async () => {
  for (const rows of [
    [parentRow(), variationRow()],
    [variationRow(), parentRow()],
  ]) {
    const shop = open();
    for (const body of [parentBody(), variationBody(), variationBody({ id: 502, sku: "X" })])
      toEvents(shop.deliver("product.updated", body));
    const arrivedAt = "2026-10-01T09:30:00.000Z";
    const removed = toEvents(shop.deliver("product.deleted", { id: 7 }, { arrivedAt }));
    assert.is(removed.length, 3);
    const events = await importRows(shop, ...rows);
    const shown = [...events.values()].filter(({ type }) => type === "shop.variant.upserted");
    assert.equal(shown.map(({ subject }) => subject).sort(), ["variant/7/501", "variant/7/502"]);
    assert.ok(events.has("product/7"));
  }
});

test("6: the address is that of the id, until a webhook states it, and a file keeps what it lacks", async () => {
  const shop = open();
  const first = await importRows(shop, productRow());
  assert.is(dataOf(first, "product/7")["url"], "https://shop.example/?p=7");
  const stated = { date_modified_gmt: "2026-10-02T10:00:00.001", rating_count: 2 };
  shop.deliver("product.updated", productBody({ ...stated, average_rating: "4.5" }));
  const file = toCsv([productRow({ name: "New", category_ids: "Kitchen" })]);
  const body = { ...bodyOf(await readAll(file)), date_modified_gmt: "2026-10-03T10:00:00" };
  const [event] = toEvents(shop.deliver("product.updated", body));
  const { name, url, rating, categoryIds } = membersOf(event);
  assert.equal([name, url], ["New", "https://shop.example/product/mug/"]);
  assert.equal([rating, categoryIds], [{ value: 4.5, count: 2 }, [9]]);
});

test("4: a variant of a webhook has its options as the row of its parent names them", async () => {
  const shop = open();
  const attributes = [{ id: 6, name: "size", option: "S" }];
  for (const body of [parentBody(), variationBody({ attributes })])
    toEvents(shop.deliver("product.updated", body));
  assert.equal([...(await importRows(shop, parentRow({ name: "New" }))).keys()], ["product/7"]);
});

test("6: a variant keeps its address", async () => {
  const shop = open();
  toEvents(shop.deliver("product.updated", parentBody()));
  toEvents(shop.deliver("product.updated", variationBody()));
  const events = await importRows(shop, parentRow(), variationRow({ regular_price: "5" }));
  assert.match(String(dataOf(events, "variant/7/501")["url"]), "/product/tee/");
});

test("7: a category of a file has the id of its path in a connection of files alone", async () => {
  const row = productRow({ category_ids: "Kitchen > Cups, Sale\\, now" });
  const ids = ["Kitchen > Cups", "Sale, now"].map((path) => toEntityId("category", path)?.id ?? 0);
  const categoryUrl = "https://shop.example/?s={name}";
  const events = await importRows(openFiles({ categoryUrl }), row);
  assert.equal(dataOf(events, "product/7")["categoryIds"], ids);
  const { name, url } = dataOf(events, `category/${ids[0]}`);
  assert.equal([name, url], ["Cups", "https://shop.example/?s=Cups"]);
  const slug = { categoryUrl: "https://shop.example/c/{slug}" };
  for (const shop of [openFiles(), openFiles(slug), open({ categoryUrl })])
    assert.equal(dataOf(await importRows(shop, row), "product/7")["categoryIds"], []);
});

test.run();
