import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Connection } from "../../src/connectors/delivery.ts";
import { readGoogle } from "../../src/connectors/files/google/reader.ts";
import { translateGoogle } from "../../src/connectors/files/google/translate.ts";
import { type FileItem, UnusableFileError } from "../../src/connectors/files/items.ts";
import { toEntityId } from "../../src/connectors/ids.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { feed, itemOf } from "../connectors/files/google-feeds.ts";
import {
  type Answer,
  membersOf,
  openConnection,
  type TestConnection,
} from "../helpers/connection-state.ts";

const test = suite("Contract 10, Product data for Google");

const connection: Connection = {
  url: "https://shop.example",
  currency: "EUR",
  categoryUrl: "https://shop.example/c/{id}",
};

const open = (members: Partial<Connection> = {}): TestConnection =>
  openConnection(translateGoogle, { ...connection, ...members });

const idOf = (kind: string, text: string): number => toEntityId(kind, text)?.id ?? 0;

type Attributes = Readonly<Record<string, string | undefined>>;

/** Reads a file of RSS. */
const readFile = async (file: string): Promise<FileItem[]> => {
  const items: FileItem[] = [];
  const chunks = async function* () {
    yield Buffer.from(file);
  };
  const context = { taken: "2026-11-01T12:00:00.000Z", columns: new Map<string, string>() };
  for await (const item of readGoogle(chunks(), context)) items.push(item);
  return items;
};

/** Imports items of RSS, and gives the events of all bodies. */
const importItems = async (
  shop: TestConnection,
  items: readonly string[],
  arrivedAt = "2026-11-01T12:00:00.000Z",
): Promise<CloudEvent[]> =>
  (await readFile(feed(...items))).flatMap((item) => {
    if ("reason" in item) throw new Error(`${item.column} ${item.reason}`);
    return [...eventsOf(shop.deliver(item.topic, item.body, { arrivedAt }))];
  });

const eventsOf = (answer: Answer): readonly CloudEvent[] => {
  if (answer.outcome !== "prepared") throw new Error(`${answer.outcome}: ${answer.reason}`);
  return answer.events;
};

/** Delivers one item past the reader. */
const deliver = (attributes: Attributes, settings: Partial<Connection> = {}): Answer => {
  const defaults = { id: "M1", title: "Mug", link: "https://shop.example/mug", price: "15.00 EUR" };
  const values = Object.entries({ ...defaults, ...attributes }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value]] as const],
  );
  return open(settings).deliver("google/item", { items: [Object.fromEntries(values)] });
};

const dataOf = (
  events: readonly CloudEvent[],
  subject: string,
): Readonly<Record<string, unknown>> =>
  membersOf(events.findLast((each) => each.subject === subject));

const product = (attributes: Attributes, settings?: Partial<Connection>) =>
  dataOf(eventsOf(deliver(attributes, settings)), `product/${idOf("product", "M1")}`);

const stock = (attributes: Attributes, settings?: Partial<Connection>) =>
  dataOf(eventsOf(deliver(attributes, settings)), `stock/${idOf("product", "M1")}`);

const pathOf = (answer: Answer): string => (answer.outcome === "refused" ? answer.path : "");

const grouped = (id: string, color: string, attributes: Attributes = {}): string =>
  itemOf({ id, item_group_id: "G", title: `Tee ${color}`, color, ...attributes });

const group = idOf("product", "G");
const variantOf = (id: string): string => `variant/${group}/${idOf("variant", id)}`;

test("1: an item is a product with the id of its text", () => {
  const events = eventsOf(deliver({}));
  const id = idOf("product", "M1");
  assert.equal(
    events.map(({ subject, time }) => [subject, time]),
    [
      [`product/${id}`, "2026-11-01T12:00:00.000Z"],
      [`stock/${id}`, "2026-11-01T12:00:00.000Z"],
    ],
  );
  const { externalId, reference, name, url, price } = dataOf(events, `product/${id}`);
  assert.equal(
    [externalId, reference, name, url, price],
    ["M1", "M1", "Mug", "https://shop.example/mug", { amount: "15.00", currency: "EUR" }],
  );
  assert.is(dataOf(eventsOf(deliver({ id: "77" })), "product/77")["id"], 77);
});

test("1: an item of a group is a variant, also alone", async () => {
  const events = await importItems(open(), [grouped("A", "Red")]);
  assert.equal(
    events.map(({ subject }) => subject),
    [`product/${group}`, variantOf("A"), `stock/${group}/${idOf("variant", "A")}`],
  );
  assert.is(dataOf(events, `product/${group}`)["externalId"], "G");
  const { externalId, sku, productId, price, options } = dataOf(events, variantOf("A"));
  assert.equal([externalId, sku, productId], ["A", "A", group]);
  assert.equal(price, { amount: "15.00", currency: "EUR" });
  assert.equal(options, [{ name: "Color", value: "Red" }]);
});

test("1: a text with the number of another text is refused", () => {
  const shop = openConnection<Connection, Record<string, unknown>>(
    (delivery, settings, state) =>
      translateGoogle(delivery, settings, {
        get: (table, key) => (table === "texts" ? JSON.parse('"another"') : state.get(table, key)),
      }),
    connection,
  );
  const item = { id: ["A"], title: ["A"], link: ["https://shop.example/a"], price: ["1 EUR"] };
  assert.is(pathOf(shop.deliver("google/item", { items: [item] })), "items[0].id");
  const body = { items: [{ ...item, item_group_id: ["G"] }] };
  assert.is(pathOf(shop.deliver("google/item", body)), "items[0].item_group_id");
});

test("2: the first item decides the product, and no variant that comes later is lost", async () => {
  const other = itemOf({ id: "M1" });
  const items = [grouped("A", "Red"), grouped("B", "Blue"), other, grouped("C", "Green")];
  const shop = open();
  const events = await importItems(shop, items);
  const { name, options, variants, price } = dataOf(events, `product/${group}`);
  assert.equal([name, variants, price], ["Tee Red", undefined, undefined]);
  assert.equal(options, [{ name: "Color", values: ["Red", "Blue", "Green"], code: "color" }]);
  for (const id of ["A", "B", "C"]) assert.is(dataOf(events, variantOf(id))["sku"], id);
  const types = events.map(({ type }) => type);
  assert.not(types.some((type) => type.endsWith(".deleted")));
  assert.equal(await importItems(shop, items), []);
  assert.equal(await importItems(shop, items, "2026-11-02T12:00:00.000Z"), []);
});

test("2: a later file has its own first item, and its own options", async () => {
  const shop = open();
  await importItems(shop, [grouped("A", "Red"), grouped("B", "Blue")]);
  const events = await importItems(
    shop,
    [grouped("B", "Blue"), grouped("C", "Green")],
    "2026-11-02T12:00:00.000Z",
  );
  const { name, options } = dataOf(events, `product/${group}`);
  assert.is(name, "Tee Blue");
  assert.equal(options, [{ name: "Color", values: ["Blue", "Green"], code: "color" }]);
});

test("2: a file that is mended and has the same time replaces the members", async () => {
  const shop = open();
  await importItems(shop, [grouped("A", "Red")]);
  const events = await importItems(shop, [grouped("A", "Red", { title: "Shirt" })]);
  assert.is(dataOf(events, `product/${group}`)["name"], "Shirt");
});

test("2: a product has the title and the address of its group", async () => {
  const members = { item_group_title: "Tee", canonical_link: "https://shop.example/tee" };
  const events = await importItems(open(), [grouped("A", "Red", members)]);
  const { name, url } = dataOf(events, `product/${group}`);
  assert.equal([name, url], ["Tee", "https://shop.example/tee"]);
  const variant = dataOf(events, variantOf("A"));
  assert.equal([variant["name"], variant["url"]], ["Tee Red", "https://shop.example/mug"]);
});

test("3: options of a variant, and specifications of a product alone", async () => {
  const option =
    "<g:variant_option><g:name>Width</g:name><g:value>Wide</g:value></g:variant_option>";
  const detail = (value: string) =>
    `<g:product_detail><g:section_name>Care</g:section_name><g:attribute_name>Wash</g:attribute_name><g:attribute_value>${value}</g:attribute_value></g:product_detail>`;
  const attributes = { item_group_id: "G", size: "M", gender: "unisex" };
  const events = await importItems(open(), [
    itemOf({ ...attributes, id: "A" }, option + detail("cold")),
    itemOf({ ...attributes, id: "B", size: "L" }, option + detail("warm")),
  ]);
  assert.equal(dataOf(events, `product/${group}`)["options"], [
    { name: "Size", values: ["M", "L"], code: "size" },
    { name: "Width", values: ["Wide"] },
  ]);
  assert.equal(dataOf(events, `product/${group}`)["specifications"], [
    { name: "Gender", value: "unisex", code: "gender" },
    { name: "Wash", value: "cold", group: "Care" },
  ]);
  const variant = dataOf(events, variantOf("B"));
  assert.equal(variant["options"], [
    { name: "Size", value: "L" },
    { name: "Width", value: "Wide" },
  ]);
  assert.equal(variant["specifications"], [{ name: "Wash", value: "warm", group: "Care" }]);
  const repeated = dataOf(
    await importItems(open(), [grouped("C", "Red", { variant_option: "color:Blue" })]),
    variantOf("C"),
  );
  assert.equal(repeated["options"], [{ name: "Color", value: "Red" }]);
  assert.equal(product({ color: "Red", product_detail: "Care:Wash:cold: 30°" })["specifications"], [
    { name: "Color", value: "Red", code: "color" },
    { name: "Wash", value: "cold: 30°", group: "Care" },
  ]);
});

const prices: readonly [text: string, amount: string | undefined][] = [
  ["15.00 EUR", "15.00"],
  ["15,00 EUR", "15.00"],
  ["EUR 15,00", "15.00"],
  ["15eur", "15"],
  ["15", "15"],
  ["0", "0"],
  ["1.234,50 EUR", "1234.50"],
  ["1,234.50 EUR", "1234.50"],
  ["1 234,5 EUR", "1234.5"],
  ["1\u00a0234\u202fEUR", "1234"],
  ["1’234.50 EUR", "1234.50"],
  ["1.234.567 EUR", "1234567"],
  ["1234.500 EUR", "1234.500"],
  ["0.125 EUR", "0.125"],
  ["0.1234567 EUR", undefined],
  ["1.234 EUR", undefined],
  ["12,345 EUR", undefined],
  ["1,23,456 EUR", undefined],
  ["1,234,50 EUR", undefined],
  ["1 234 5 EUR", undefined],
  ["-5 EUR", undefined],
  ["5. EUR", undefined],
  ["15 USD", undefined],
  ["€15", undefined],
  ["free", undefined],
  [`${" ".repeat(30)}1${" ".repeat(100_000)}x`, undefined],
];

test("4: a price has an amount and a currency", () => {
  for (const [text, amount] of prices) {
    if (amount === undefined)
      assert.is(pathOf(deliver({ price: text })), "items[0].price", text.slice(0, 40));
    else assert.equal(product({ price: text })["price"], { amount, currency: "EUR" }, text);
  }
});

test("4: a connection without a currency takes any that the file states", () => {
  const shop = (price: string) =>
    openConnection(translateGoogle, { url: "https://shop.example" }).deliver("google/item", {
      items: [{ id: ["M1"], title: ["Mug"], link: ["https://shop.example/m"], price: [price] }],
    });
  const id = `product/${idOf("product", "M1")}`;
  assert.equal(dataOf(eventsOf(shop("15 USD")), id)["price"], { amount: "15", currency: "USD" });
  assert.equal(dataOf(eventsOf(shop("1.234 KWD")), id)["price"], {
    amount: "1.234",
    currency: "KWD",
  });
  assert.is(pathOf(shop("1,234 KWD")), "items[0].price");
  assert.is(pathOf(shop("15")), "items[0].price");
});

const windows: readonly [text: string, window: readonly [string, string] | undefined][] = [
  [
    "2026-02-24T13:00-0800/2026-03-01T15:30-0800",
    ["2026-02-24T21:00:00.000Z", "2026-03-01T23:30:00.000Z"],
  ],
  [
    "2026-02-24T13:00-08:00 / 2026-03-01T15:30Z",
    ["2026-02-24T21:00:00.000Z", "2026-03-01T15:30:00.000Z"],
  ],
  [
    "2026-11-27T00:00+0100/2026-11-29T23:59+0100",
    ["2026-11-26T23:00:00.000Z", "2026-11-29T23:00:00.000Z"],
  ],
  [
    "2026-11-27T00:00:00Z/2026-11-29T23:59:59Z",
    ["2026-11-27T00:00:00.000Z", "2026-11-30T00:00:00.000Z"],
  ],
  ["2026-11-27T00:00/2026-11-29T23:59", undefined],
  ["2026-11-27T00:00Z", undefined],
  ["2026-11-27T00:00Z/", undefined],
  ["/2026-11-27T00:00Z", undefined],
  ["2026-02-24T00:00Z/2026-02-29T00:00Z", undefined],
  ["2026-02-24T00:00Z/2026-02-25T00:00Z/2026-02-26T00:00Z", undefined],
];

test("5: a sale has its window, and the last minute of a day is in it", () => {
  const price = { amount: "9.00", currency: "EUR" };
  for (const [text, window] of windows) {
    const sale = { sale_price: "9.00 EUR", sale_price_effective_date: text };
    if (!window) assert.is(pathOf(deliver(sale)), "items[0].sale_price_effective_date", text);
    else assert.equal(product(sale)["sales"], [{ price, from: window[0], to: window[1] }], text);
  }
  assert.equal(product({ sale_price: "9.00 EUR" })["sales"], [{ price }]);
  assert.equal(product({ sale_price_effective_date: "soon" })["sales"], []);
  assert.is(pathOf(deliver({ sale_price: "9 USD" })), "items[0].sale_price");
  assert.is(pathOf(deliver({ sale_price: "-1" })), "items[0].sale_price");
});

test("5: times without an offset are those of the connection", () => {
  const settings = { timeZone: "Europe/Berlin" };
  const window = (text: string) => {
    const sale = { sale_price: "9.00 EUR", sale_price_effective_date: text };
    const [first] = product(sale, settings)["sales"] as { from: string; to: string }[];
    return [first?.from, first?.to];
  };
  const expected = ["2026-10-23T22:00:00.000Z", "2026-10-25T23:00:00.000Z"];
  assert.equal(window("2026-10-24T00:00/2026-10-25T23:59"), expected);
  assert.equal(window("2026-10-24/2026-10-25"), expected);
});

const availabilities: readonly [text: string | undefined, orderable: boolean, state: string][] = [
  [undefined, true, "in_stock"],
  ["in stock", true, "in_stock"],
  ["in_stock", true, "in_stock"],
  ["IN_STOCK", true, "in_stock"],
  ["limited_availability", true, "limited_stock"],
  ["preorder", true, "preorder"],
  ["Backorder", true, "backorder"],
  ["out of stock", false, "out_of_stock"],
];

test("6: stock is the availability of the item", () => {
  for (const [availability, orderable, state] of availabilities) {
    assert.equal(stock({ availability }), {
      productId: idOf("product", "M1"),
      ...{ quantity: null, availability: state, orderable, availabilityDate: null },
    });
  }
  assert.is(pathOf(deliver({ availability: "sold" })), "items[0].availability");
  assert.is(stock({ quantity: "7" })["quantity"], 7);
  assert.is(stock({ sell_on_google_quantity: "3" })["quantity"], 3);
  const dated = (date: string) => stock({ availability_date: date })["availabilityDate"];
  assert.is(dated("2027-01-15"), "2027-01-15");
  assert.is(dated("2027-01-15T08:00+0100"), "2027-01-15T07:00:00.000Z");
  assert.is(dated("later"), undefined);
  const day = stock({ availability_date: "2027-01-15" }, { timeZone: "Europe/Berlin" });
  assert.is(day["availabilityDate"], "2027-01-15");
});

test("7: an item is active until its expiration", async () => {
  assert.is(product({ expiration_date: "2026-11-01T12:00Z" })["active"], false);
  assert.is(product({ expiration_date: "2026-11-01T12:01Z" })["active"], true);
  assert.is(product({})["active"], true);
  assert.is(pathOf(deliver({ expiration_date: "2026-12-01T00:00" })), "items[0].expiration_date");
  const past = { expiration_date: "2026-10-01T00:00Z" };
  const activeOf = async (...items: string[]) => {
    const events = await importItems(open(), items);
    const variants = ["A", "B"].map((id) => dataOf(events, variantOf(id))["active"]);
    return [dataOf(events, `product/${group}`)["active"], ...variants];
  };
  const [red, blue] = [grouped("A", "Red", past), grouped("B", "Blue")];
  assert.equal(await activeOf(red, blue), [true, false, true]);
  assert.equal(await activeOf(red, itemOf({}), blue), [true, false, true]);
  assert.equal(await activeOf(blue, itemOf({}), red), [true, false, true]);
  assert.equal(await activeOf(red, grouped("B", "Blue", past)), [false, false, false]);
});

test("8: each part of a path is a category below the one before it", () => {
  const answer = deliver({ product_type: "Home & Garden >Kitchen> Mugs" });
  const paths = ["Home & Garden", "Home & Garden > Kitchen", "Home & Garden > Kitchen > Mugs"];
  const [root = 0, middle = 0, leaf = 0] = paths.map((path) => idOf("category", path));
  assert.equal(
    eventsOf(answer)
      .slice(0, 3)
      .map(({ data }) => data),
    [
      {
        ...{ id: root, externalId: paths[0], name: "Home & Garden" },
        ...{ url: "https://shop.example/c/Home%20%26%20Garden", parentId: null },
      },
      {
        ...{ id: middle, externalId: paths[1], name: "Kitchen", parentId: root },
        url: "https://shop.example/c/Home%20%26%20Garden%20%3E%20Kitchen",
      },
      {
        ...{ id: leaf, externalId: paths[2], name: "Mugs", parentId: middle },
        url: "https://shop.example/c/Home%20%26%20Garden%20%3E%20Kitchen%20%3E%20Mugs",
      },
    ],
  );
  assert.equal(product({ product_type: "Home & Garden >Kitchen> Mugs" })["categoryIds"], [leaf]);
});

test("8: there are no categories without an address, or above the bounds", () => {
  const answer = deliver({ product_type: "a".repeat(501) });
  assert.equal(eventsOf(answer).length, 2);
  assert.is(answer.outcome === "prepared" && answer.leftOut.get("categoryIds"), 1);
  const types = Array.from({ length: 12 }, (_, at) => `T${at}`);
  const item = { id: ["M1"], title: ["M"], link: ["https://shop.example/m"], price: ["1"] };
  const many = open().deliver("google/item", { items: [{ ...item, product_type: types }] });
  assert.is(eventsOf(many).length, 12);
  const slug = { categoryUrl: "https://shop.example/{slug}" };
  assert.equal(product({ product_type: "A > B" }, slug)["categoryIds"], []);
  const bare = openConnection(translateGoogle, { url: "https://shop.example" });
  const body = { items: [{ ...item, price: ["1 EUR"], product_type: ["A"] }] };
  assert.is(eventsOf(bare.deliver("google/item", body)).length, 2);
});

test("9: texts, pictures, unit prices and labels", () => {
  const html = (description: string) => product({ description })["descriptionHtml"];
  assert.is(html("5 < 6 & 7\nnew"), "5 &#60; 6 &#38; 7<br>new");
  assert.is(html("<p>A</p>\nB"), "<p>A</p>\nB");
  assert.is(html("A &amp; B"), "A &amp; B");
  const unit = (measure: string, base?: string) =>
    product({ unit_pricing_measure: measure, unit_pricing_base_measure: base })["unitPricing"];
  const millilitres = { value: "750", unit: "ml" };
  assert.equal(unit("750 ml", "1l"), { measure: millilitres, base: { value: "1", unit: "l" } });
  assert.equal(unit("0,5kg"), {
    measure: { value: "0.5", unit: "kg" },
    base: { value: "1", unit: "kg" },
  });
  assert.is(unit("some"), undefined);
  const label = { energy_efficiency_class: "B", certification: "EC:EPREL:123456" };
  const scale = { min_energy_efficiency_class: "G", max_energy_efficiency_class: "A" };
  assert.equal(product({ ...label, ...scale })["energyLabel"], {
    ...{ class: "B", scale: ["A", "G"], eprelId: "123456" },
  });
  assert.is(product({ certification: "EC:EPREL:123456" })["energyLabel"], null);
  const { gtin, mpn, brand, condition } = product({
    ...{ gtin: "4006381333931", mpn: "X-1", brand: "Acme", condition: "Used" },
  });
  assert.equal([gtin, mpn, brand, condition], ["4006381333931", "X-1", "Acme", "used"]);
});

test("9: ten further pictures count", async () => {
  const further = Array.from(
    { length: 12 },
    (_, at) => `<g:additional_image_link>https://cdn.example/${at}.jpg</g:additional_image_link>`,
  );
  const image = { image_link: "https://cdn.example/main.jpg" };
  const events = await importItems(open(), [itemOf(image, further.join(""))]);
  const images = dataOf(events, `product/${idOf("product", "M1")}`)["images"] as { url: string }[];
  assert.is(images.length, 11);
  assert.is(images[0]?.url, "https://cdn.example/main.jpg");
});

test("10: a file with an entity that a DOCTYPE declares is refused", async () => {
  const file = `<!DOCTYPE rss [<!ENTITY a "b">]>${feed("<item><g:id>&a;</g:id></item>")}`;
  const refusal = await readFile(file).catch((error: unknown) => error);
  assert.instance(refusal, UnusableFileError);
});

test("11: an item that cannot be used leaves the others of its group", async () => {
  const items = await readFile(
    feed(grouped("A", "Red"), grouped("B", "Blue", { price: "1,234" }), grouped("C", "Green")),
  );
  const [bad, ...others] = items;
  assert.equal(bad && "reason" in bad && [bad.line, bad.column], [4, "price"]);
  assert.is(others.length, 1);
  for (const name of ["id", "title", "link", "price"])
    assert.is(pathOf(deliver({ [name]: undefined })), `items[0].${name}`);
});

test("Translation 2: other topics are ignored, and bodies without items refused", () => {
  assert.is(open().deliver("products/update", {}).outcome, "ignored");
  for (const body of [null, [], {}, { items: [] }, { items: [1] }, { items: {} }])
    assert.is(pathOf(open().deliver("google/item", body)), "items");
});

test.run();
