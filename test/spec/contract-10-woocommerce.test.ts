import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Connection } from "../../src/connectors/delivery.ts";
import {
  translateWooCommerce,
  wooCommerceTopics,
} from "../../src/connectors/woocommerce/translate.ts";
import { decode } from "../../src/events/decode.ts";
import { type CloudEvent, toMessage } from "../../src/events/envelope.ts";
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

const test = suite("Contract 10, WooCommerce");

const open = (members: Partial<Connection> = {}): TestConnection =>
  openConnection(translateWooCommerce, { ...connection, ...members });

const eventsOf = (answer: Answer): readonly CloudEvent[] => {
  if (answer.outcome !== "prepared") throw new Error(`${answer.outcome}: ${answer.reason}`);
  for (const event of answer.events) {
    const { body, headers } = toMessage(event);
    const decoded = decode({ body, headers, sequence: 1, time: Date.UTC(2027, 0, 1) });
    assert.ok(decoded.ok, JSON.stringify(decoded));
  }
  return answer.events;
};

type Summary = readonly [type: string, subject: string | undefined, time: string];

const summarize = (answer: Answer): readonly Summary[] =>
  eventsOf(answer).map(({ type, subject, time }) => [
    type.replace("shop.", ""),
    subject,
    (time ?? "").slice(5, 19),
  ]);

const dataOf = (answer: Answer, subject: string): Readonly<Record<string, unknown>> =>
  membersOf(eventsOf(answer).find((event) => event.subject === subject));

const at = (minutes: number): string =>
  new Date(Date.UTC(2026, 9, 1, 8, minutes)).toISOString().replace(".000Z", "");

/** A change at a number of minutes after 08:00. */
const changed = (minutes: number, members: object = {}): object => ({
  date_modified_gmt: at(minutes),
  ...members,
});

const update = (shop: TestConnection, body: object): Answer =>
  shop.deliver("product.updated", body);

const product = (members: object = {}, settings: Partial<Connection> = {}): Answer =>
  update(open(settings), productBody(members));

const variation = (members: object = {}): Answer => update(open(), variationBody(members));

const arrival = (minutes: number) => ({ arrivedAt: `${at(minutes)}.000Z` });

/** A shop with product 7 and its variations 501 and 502, at 08:00. */
const openTees = (): TestConnection => {
  const shop = open();
  update(shop, parentBody());
  update(shop, variationBody());
  const medium = { id: 502, sku: "TEE-M", attributes: [{ id: 6, name: "Size", option: "M" }] };
  update(shop, variationBody(medium));
  return shop;
};

const eur = (amount: string) => ({ amount, currency: "EUR" });

test("a product has its members, its category and its stock", () => {
  const answer = product();
  assert.equal(summarize(answer), [
    ["category.upserted", "category/9", "10-01T08:00:00"],
    ["product.upserted", "product/7", "10-01T08:00:00"],
    ["stock.changed", "stock/7", "10-01T08:00:00"],
  ]);
  assert.equal(dataOf(answer, "product/7"), {
    id: 7,
    name: "Mug",
    url: "https://shop.example/product/mug/",
    reference: "MUG",
    active: true,
    descriptionHtml: "<p>Holds coffee.</p>",
    gtin: "4006381333931",
    brand: null,
    images: [{ url: "https://cdn.example/a.jpg", alt: "Front" }],
    tags: [],
    rating: null,
    related: [],
    delivery: null,
    price: eur("19.99"),
    sales: [],
    options: [],
    specifications: [],
    categoryIds: [9],
  });
});

test("a variation is a variant of its parent", () => {
  const answer = variation();
  assert.equal(summarize(answer), [
    ["variant.upserted", "variant/7/501", "10-01T08:00:00"],
    ["stock.changed", "stock/7/501", "10-01T08:00:00"],
  ]);
  assert.equal(dataOf(answer, "variant/7/501"), {
    productId: 7,
    id: 501,
    sku: "TEE-S",
    gtin: null,
    url: "https://shop.example/product/tee/?attribute_pa_size=s",
    price: eur("19.99"),
    sales: [],
    images: [{ url: "https://cdn.example/s.jpg", alt: null }],
    active: true,
    options: [{ name: "Size", value: "S" }],
  });
});

const visible: readonly [members: object, isActive: boolean][] = [
  [{ status: "publish" }, true],
  [{ status: "private" }, false],
  [{ status: "draft" }, false],
  [{ status: "trash" }, false],
  [{ catalog_visibility: "search" }, true],
  [{ catalog_visibility: "hidden" }, false],
];

test("1: a product is visible when it is published and not hidden", () => {
  for (const [members, isActive] of visible) {
    const { active } = dataOf(product(members), "product/7");
    assert.is(active, isActive, JSON.stringify(members));
  }
});

test("1: a variation is active when it is published and has a price", () => {
  const bodies: readonly [members: object, isActive: boolean][] = [
    [{}, true],
    [{ status: "private" }, false],
    [{ price: "", regular_price: "" }, false],
    [{ price: "0.00", regular_price: "0.00" }, true],
  ];
  for (const [members, isActive] of bodies)
    assert.is(dataOf(variation(members), "variant/7/501")["active"], isActive);
});

test("2: a product states no list of variants, and one that it lists no more is deleted", () => {
  const shop = openTees();
  const answer = update(shop, parentBody(changed(5, { variations: [502] })));
  assert.equal(summarize(answer), [["variant.deleted", "variant/7/501", "10-01T08:05:00"]]);
  assert.not.ok("variants" in dataOf(product(parentBody()), "product/7"));
  const repeated = update(shop, parentBody(changed(6, { variations: [502] })));
  assert.equal(summarize(repeated), []);
});

test("2: an older body of a variation that is gone changes nothing shown", () => {
  const shop = open();
  update(shop, parentBody(changed(5, { variations: [502] })));
  assert.equal(summarize(update(shop, variationBody(changed(4)))), []);
  const relisted = update(shop, parentBody(changed(6)));
  assert.equal(summarize(relisted), [
    ["variant.upserted", "variant/7/501", "10-01T08:06:00"],
    ["stock.changed", "stock/7/501", "10-01T08:06:00"],
  ]);
});

test("2: a variation that is newer than the list of its parent stays", () => {
  for (const minutes of [5, 6]) {
    const shop = open();
    update(shop, parentBody(changed(5, { variations: [] })));
    const [[type] = []] = summarize(update(shop, variationBody(changed(minutes))));
    assert.is(type, "variant.upserted", `${minutes}`);
  }
  const shop = open();
  update(shop, variationBody(changed(6)));
  const older = update(shop, parentBody(changed(5, { variations: [] })));
  assert.not.ok(summarize(older).some(([type]) => type === "variant.deleted"));
});

test("2: a variation that its parent lists again is there again, also with an older body", () => {
  const shop = openTees();
  update(shop, parentBody(changed(5, { variations: [] })));
  const relisted = summarize(update(shop, parentBody(changed(6))));
  assert.equal(relisted, [
    ["variant.upserted", "variant/7/501", "10-01T08:06:00"],
    ["variant.upserted", "variant/7/502", "10-01T08:06:00"],
  ]);
  const [news] = eventsOf(update(shop, variationBody(changed(5, { sku: "NEW" }))));
  assert.equal([membersOf(news)["sku"], news?.time], ["NEW", "2026-10-01T08:06:00.000Z"]);
});

test("2: `variations` may be an object, and another type with variations is variable", () => {
  const shop = open();
  update(shop, variationBody());
  const body = parentBody(changed(5, { type: "bundle", variations: { 0: 502, 3: 501 } }));
  const events = summarize(update(shop, body)).map(([type]) => type);
  assert.equal(events, ["category.upserted", "product.upserted"]);
});

test("2: a body without a list of variations takes none away", () => {
  const shop = openTees();
  const events = summarize(
    update(shop, parentBody(changed(5, { name: "New", variations: undefined }))),
  );
  assert.equal(
    events.map(([, subject]) => subject),
    ["product/7"],
  );
  const older = variationBody(changed(3, { id: 503, sku: "TEE-L" }));
  assert.is(summarize(update(shop, older))[0]?.[1], "variant/7/503");
  // Of one time with the list, and later.
  update(shop, variationBody({ id: 504, sku: "TEE-XL" }));
  const subjects = (minutes: number) =>
    summarize(update(shop, parentBody(changed(minutes, { variations: undefined })))).map(
      ([type, subject]) => `${type} ${subject}`,
    );
  assert.equal(subjects(6), ["product.upserted product/7"]);
  shop.deliver("product.deleted", { id: 7 }, arrival(10));
  assert.equal(
    subjects(11).filter((each) => each.startsWith("variant")),
    [501, 502, 503].map((id) => `variant.upserted variant/7/${id}`),
  );
});

test("3: options are the attributes of variations by position, others that are visible are specifications", () => {
  const attributes = [
    { id: 3, name: "Fit", position: 2, visible: true, variation: true, options: ["Slim"] },
    { id: 0, name: "Care", position: 1, visible: true, variation: false, options: ["Wash", "Dry"] },
    { id: 0, name: "Note", position: 3, visible: false, variation: false, options: ["x"] },
    { id: 6, name: "Size &amp; cut", position: 0, visible: true, variation: true, options: ["S"] },
  ];
  const parent = dataOf(update(open(), parentBody({ attributes })), "product/7");
  assert.equal(parent["options"], [
    { name: "Size & cut", values: ["S"] },
    { name: "Fit", values: ["Slim"] },
  ]);
  assert.equal(parent["specifications"], [{ name: "Care", value: "Wash, Dry" }]);
  assert.equal(dataOf(product({ attributes }), "product/7")["options"], []);
});

const spellings: readonly [id: number, name: string, spelled: string][] = [
  [6, "pa_size", "Size"],
  [0, "shoe-width", "Shoe width"],
  [0, "SHOE WIDTH", "Shoe width"],
  [0, "Length", "Length"],
];

test("3: an option is named as the parent names it, whichever arrives first", () => {
  const attributes = [
    { id: 6, name: "Size", position: 0, visible: true, variation: true, options: ["S"] },
    { id: 0, name: "Shoe width", position: 1, visible: true, variation: true, options: ["F"] },
  ];
  for (const [id, name, spelled] of spellings) {
    const own = variationBody({ attributes: [{ id, name, option: "S" }] });
    for (const bodies of [
      [parentBody({ attributes }), own],
      [own, parentBody({ attributes })],
    ]) {
      const shop = open();
      const events = bodies.flatMap((body) => eventsOf(update(shop, body)));
      const last = events.findLast(({ subject }) => subject === "variant/7/501");
      assert.equal(membersOf(last)["options"], [{ name: spelled, value: "S" }]);
    }
  }
});

test("3: an attribute with a new name renames the options of the variants", () => {
  const attributes = [{ id: 6, name: "Fit", position: 0, variation: true, options: ["S", "M"] }];
  const answer = update(openTees(), parentBody(changed(5, { attributes })));
  assert.equal(dataOf(answer, "variant/7/502")["options"], [{ name: "Fit", value: "M" }]);
});

test("3: an attribute of a variation without an option stands for any", () => {
  const attributes = [
    { id: 6, name: "Size", option: "" },
    { id: 3, name: "Fit", option: "Slim" },
  ];
  const { options } = dataOf(variation({ attributes }), "variant/7/501");
  assert.equal(options, [{ name: "Fit", value: "Slim" }]);
});

const from = "2026-11-26T23:00:00.000Z";
const to = "2026-11-30T23:00:00.000Z";
const dates = {
  date_on_sale_from_gmt: "2026-11-26T23:00:00",
  date_on_sale_to_gmt: "2026-11-30T22:59:59",
};
const sale = { price: "15", regular_price: "20", sale_price: "15" };
const none = { price: null, sales: [] };
const prices: readonly [name: string, members: object, expected: object][] = [
  ["no sale", { price: "20", regular_price: "20" }, { price: eur("20"), sales: [] }],
  ["no price", { price: "", regular_price: "" }, none],
  ["a regular price that is not offered", { price: "", regular_price: "20" }, none],
  [
    "a price of a plug-in",
    { price: "13.99", regular_price: "" },
    { price: eur("13.99"), sales: [] },
  ],
  ["numbers", { price: 13, regular_price: 13.99 }, { price: eur("13.99"), sales: [] }],
  ["no `price`", { price: undefined, regular_price: "20" }, { price: eur("20"), sales: [] }],
  ["a sale", sale, { price: eur("20"), sales: [{ price: eur("15"), from: null, to: null }] }],
  [
    "a sale with a window, before it",
    { ...sale, price: "20", ...dates },
    { price: eur("20"), sales: [{ price: eur("15"), from, to }] },
  ],
  [
    "a window in local time",
    { ...sale, date_on_sale_from: "2026-11-27T00:00:00", date_on_sale_to: "2026-11-30T23:59:59" },
    { price: eur("20"), sales: [{ price: eur("15"), from, to }] },
  ],
  [
    "a window that cannot be read",
    { ...sale, date_on_sale_to_gmt: "soon" },
    { price: eur("20"), sales: [] },
  ],
  [
    "an empty sale price that is on sale",
    { price: "20", regular_price: "20", sale_price: "", on_sale: true, ...dates },
    { price: eur("20"), sales: [] },
  ],
];

test("4: the price is the regular one, and a sale has its window with the last second in it", () => {
  for (const [name, members, expected] of prices) {
    for (const answer of [product(members), variation(members)]) {
      const [data] = eventsOf(answer)
        .filter(({ type }) => type.endsWith(".upserted"))
        .slice(-1);
      const { price, sales } = membersOf(data);
      assert.equal({ price, sales }, expected, name);
    }
  }
});

test("4: a variable or grouped product has no price, because it is that of a part", () => {
  const group = dataOf(product({ type: "grouped", grouped_products: [8] }), "product/7");
  assert.equal(group["price"], null);
  assert.equal(group["related"], [{ productId: 8, relationship: "part_of_set" }]);
  const subscription = { type: "variable-subscription", variations: [], regular_price: "20" };
  for (const members of [{}, subscription])
    assert.is(dataOf(update(open(), parentBody(members)), "product/7")["price"], null);
});

const inStock = { quantity: null, orderable: true, availability: "in_stock" };
const outOfStock = { orderable: false, availability: "out_of_stock" };
const managed = { manage_stock: true };
const stocks: readonly [members: object, expected: object][] = [
  [{ stock_status: "instock" }, inStock],
  [{ stock_status: "outofstock" }, { quantity: null, ...outOfStock }],
  [{ stock_status: "onbackorder" }, { quantity: null, orderable: true, availability: "backorder" }],
  [{ manage_stock: false, stock_quantity: 5 }, inStock],
  [{ ...managed, stock_quantity: 5 }, { quantity: 5 }],
  [{ ...managed, stock_quantity: 16.5 }, { quantity: 16 }],
  [{ ...managed, stock_quantity: "12" }, { quantity: 12 }],
  [{ ...managed, stock_quantity: null }, inStock],
  [{ ...managed, stock_quantity: 0 }, { quantity: 0 }],
  [
    { ...managed, stock_quantity: 5, stock_status: "outofstock" },
    { quantity: 5, ...outOfStock },
  ],
  [
    { ...managed, stock_quantity: -2, stock_status: "onbackorder", backorders: "notify" },
    { quantity: -2, orderable: true, availability: "backorder" },
  ],
  [
    { ...managed, stock_quantity: 0, backorders: "yes" },
    { quantity: 0, orderable: true, availability: "backorder" },
  ],
  [{ ...managed, stock_quantity: 2, backorders: "yes" }, { quantity: 2 }],
];

test("5: stock is the quantity where it is managed, and the status", () => {
  for (const [members, expected] of stocks) {
    assert.equal(dataOf(product(members), "stock/7"), { productId: 7, ...expected });
    const own = dataOf(variation(members), "stock/7/501");
    assert.equal(own, { productId: 7, variantId: 501, ...expected });
  }
});

const unsold: readonly [members: object, quantity: number | null][] = [
  [{ type: "external" }, null],
  [{ type: "grouped", manage_stock: true, stock_quantity: 4 }, null],
  [{ price: "", regular_price: "" }, null],
  [{ type: "composite", price: "", ...managed, stock_quantity: 4 }, 4],
];

test("5: a product of another shop, a group and a product without a price cannot be ordered", () => {
  for (const [members, quantity] of unsold) {
    const { orderable, quantity: stated } = dataOf(product(members), "stock/7");
    assert.equal([orderable, stated], [false, quantity]);
  }
});

const sharedStock = { ...managed, stock_quantity: 4 };
const shares = { manage_stock: "parent", stock_quantity: 4 };

test("6: a variation with the stock of its parent has none of its own, whichever arrives first", () => {
  const bodies = [parentBody(sharedStock), variationBody(shares)];
  for (const sequence of [bodies, bodies.toReversed()]) {
    const shop = open();
    const events = sequence.flatMap((body) => eventsOf(update(shop, body)));
    const stated = events.filter(({ type }) => type === "shop.stock.changed");
    assert.equal(stated.map(membersOf), [{ productId: 7, quantity: 4 }]);
  }
});

test("6: a variable product that does not manage its stock has none", () => {
  assert.equal(dataOf(update(open(), parentBody()), "stock/7"), {});
});

test("6: stock that was published once is kept up, because no event takes it back", () => {
  const shop = openTees();
  update(shop, variationBody(changed(4, shares)));
  const first = update(shop, parentBody(changed(5, sharedStock)));
  assert.is(dataOf(first, "stock/7/501")["quantity"], 4);
  const sold = update(shop, parentBody(changed(6, { ...managed, stock_quantity: 3 })));
  assert.equal(summarize(sold), [
    ["stock.changed", "stock/7", "10-01T08:06:00"],
    ["stock.changed", "stock/7/501", "10-01T08:06:00"],
    ["stock.changed", "stock/7/502", "10-01T08:06:00"],
  ]);
  const unmanaged = update(shop, parentBody(changed(7)));
  assert.equal(dataOf(unmanaged, "stock/7"), { productId: 7, ...inStock });
  assert.equal(dataOf(unmanaged, "stock/7/501"), { productId: 7, variantId: 501, ...inStock });
});

test("6: a variation without stock of its own follows a parent that begins to manage its stock", () => {
  const shop = openTees();
  update(shop, variationBody(changed(1, { ...managed, stock_quantity: 9 })));
  const medium = changed(1, { id: 502, sku: "TEE-M", stock_status: "outofstock" });
  update(shop, variationBody(medium));
  const sharing = summarize(update(shop, parentBody(changed(5, sharedStock))));
  assert.equal(
    sharing.map(([, subject]) => subject),
    ["stock/7", "stock/7/502"],
  );
  const own = update(shop, parentBody(changed(6)));
  assert.is(dataOf(own, "stock/7/502")["availability"], "out_of_stock");
});

test("7: a body has its time in UTC, or that of the time zone", () => {
  const local = { date_modified_gmt: null, date_modified: "2026-10-01T12:00:00" };
  assert.is(eventsOf(product(local))[0]?.time, "2026-10-01T10:00:00.000Z");
  assert.is(eventsOf(variation(local))[0]?.time, "2026-10-01T10:00:00.000Z");
});

test("7: an older body changes nothing, and of two of one time the later arrival counts", () => {
  const shop = openTees();
  update(shop, parentBody(changed(5, { name: "New" })));
  assert.is(update(shop, parentBody(changed(4, { name: "Old" }))).outcome, "ignored");
  const equal = update(shop, parentBody(changed(5, { name: "Newer" })));
  assert.is(dataOf(equal, "product/7")["name"], "Newer");
  update(shop, variationBody(changed(5, { sku: "A" })));
  assert.is(update(shop, variationBody(changed(4, { sku: "B" }))).outcome, "ignored");
  const later = update(shop, variationBody(changed(5, { sku: "C" })));
  assert.is(dataOf(later, "variant/7/501")["sku"], "C");
  assert.equal(summarize(update(shop, variationBody(changed(6, { sku: "C" })))), []);
});

test("8: a deletion has the time of its arrival, and deletes the variants", () => {
  const shop = openTees();
  const answer = shop.deliver("product.deleted", { id: 7 }, arrival(10));
  assert.equal(summarize(answer), [
    ["product.deleted", "product/7", "10-01T08:10:00"],
    ["variant.deleted", "variant/7/501", "10-01T08:10:00"],
    ["variant.deleted", "variant/7/502", "10-01T08:10:00"],
  ]);
  assert.is(update(shop, parentBody(changed(9))).outcome, "ignored");
  assert.equal(summarize(update(shop, variationBody(changed(9)))), []);
});

test("8: a deletion is never older than what was published", () => {
  const shop = open();
  update(shop, productBody(changed(20)));
  const [[, , time] = []] = summarize(shop.deliver("product.deleted", { id: 7 }, arrival(10)));
  assert.is(time, "10-01T08:20:00");
});

test("8: a restored product is there again with its variations, whose bodies are known or come", () => {
  const shop = openTees();
  shop.deliver("product.deleted", { id: 7 }, arrival(10));
  // The clock of the gateway is ahead: the body is older than the arrival of the deletion.
  const restored = shop.deliver("product.restored", parentBody(changed(9)), arrival(11));
  const shown = summarize(restored).map(([type, subject]) => `${type} ${subject}`);
  assert.equal(shown, [
    "product.upserted product/7",
    "variant.upserted variant/7/501",
    "variant.upserted variant/7/502",
  ]);
  assert.ok(
    summarize(restored).every(
      ([, , time]) => time === "10-01T08:10:00" || time === "10-01T08:09:00",
    ),
  );
  assert.is(dataOf(update(shop, parentBody(changed(10, { name: "X" }))), "product/7")["name"], "X");
  const body = variationBody(changed(10, { sku: "NEW" }));
  assert.is(dataOf(update(shop, body), "variant/7/501")["sku"], "NEW");
});

test("8: a deletion that is retried after a restoration is ignored", () => {
  const shop = openTees();
  const deletion = () => shop.deliver("product.deleted", { id: 7 }, arrival(10));
  assert.is(deletion().outcome, "prepared");
  assert.is(deletion().outcome, "ignored");
  shop.deliver("product.restored", parentBody(changed(12)), arrival(13));
  assert.is(deletion().outcome, "ignored");
  assert.is(shop.deliver("product.deleted", { id: 7 }, arrival(14)).outcome, "prepared");
});

test("8: a deletion of a variation deletes it, until it or its parent is restored", () => {
  const restorations: readonly [topic: string, body: object][] = [
    ["product.restored", variationBody(changed(9))],
    ["product.restored", parentBody(changed(9))],
    ["product.updated", variationBody(changed(11))],
    ["product.updated", parentBody(changed(11))],
  ];
  for (const [topic, body] of restorations) {
    const shop = openTees();
    const answer = shop.deliver("product.deleted", { id: 501 }, arrival(10));
    assert.equal(summarize(answer), [["variant.deleted", "variant/7/501", "10-01T08:10:00"]]);
    assert.is(update(shop, variationBody(changed(8))).outcome, "ignored");
    assert.equal(summarize(update(shop, parentBody(changed(8)))), []);
    const [[type, subject] = []] = summarize(shop.deliver(topic, body));
    assert.equal([type, subject], ["variant.upserted", "variant/7/501"]);
  }
});

test("8: a body that is older than the deletion of its id is ignored, also without a body before it", () => {
  for (const body of [productBody({ id: 501 }), variationBody()]) {
    const shop = open();
    shop.deliver("product.deleted", { id: 501 }, arrival(10));
    assert.is(update(shop, body).outcome, "ignored");
    const newer = update(shop, { ...body, date_modified_gmt: at(11) });
    assert.is(newer.outcome, "prepared");
  }
});

test("9: a category has the address of the shop or the connection, and is published once", () => {
  const categories = [
    { id: 9, name: "Cups &amp; mugs", slug: "cups-mugs" },
    { id: 10, name: "Чашки", slug: "%d1%87%d0%b0" },
    { id: 11, name: "", slug: "nameless" },
  ];
  const shop = open();
  const [first, second, third] = eventsOf(update(shop, productBody({ categories })));
  const url = "https://shop.example/product-category";
  assert.equal(membersOf(first), { id: 9, name: "Cups & mugs", url: `${url}/cups-mugs/` });
  assert.is(membersOf(second)["url"], `${url}/%D1%87%D0%B0/`);
  assert.equal(membersOf(third)["categoryIds"], [9, 10]);
  const other = update(shop, productBody({ ...changed(5), id: 8, categories }));
  assert.not.ok(summarize(other).some(([type]) => type === "category.upserted"));
  const [template] = eventsOf(product({}, { categoryUrl: "https://shop.example/c/{id}" }));
  assert.is(membersOf(template)["url"], "https://shop.example/c/9");
});

test("9: an answer of /products/categories states the parent, which later bodies of products keep", () => {
  const shop = open();
  const body = { id: 9, name: "Mugs", slug: "mugs", parent: 3, display: "default" };
  const [category] = eventsOf(shop.deliver("category", body));
  assert.is(membersOf(category)["parentId"], 3);
  const categories = [{ id: 9, name: "All mugs", slug: "mugs" }];
  const named = update(shop, productBody({ date_modified_gmt: "2027-01-01T00:00:00", categories }));
  assert.equal(dataOf(named, "category/9")["parentId"], 3);
  const nameless = shop.deliver("category", { ...body, name: "" });
  assert.is(nameless.outcome, "refused");
});

const refusals: readonly [path: string, topic: string, body: object][] = [
  ["", "product.updated", []],
  ["id", "product.updated", productBody({ id: null })],
  ["id", "product.updated", productBody({ id: "mug" })],
  ["name", "product.updated", productBody({ name: " " })],
  ["permalink", "product.created", productBody({ permalink: "" })],
  ["parent_id", "product.updated", variationBody({ parent_id: 0 })],
  [
    "date_modified_gmt",
    "product.restored",
    productBody({ date_modified_gmt: null, date_modified: null }),
  ],
  [
    "date_modified_gmt",
    "product.updated",
    variationBody({ date_modified_gmt: "0000-00-00", date_modified: "" }),
  ],
  ["id", "product.deleted", { webhook_id: 1 }],
];

test("10: bodies that cannot be used are refused with the path, and change no state", () => {
  for (const [path, topic, body] of refusals) {
    const shop = open();
    const answer = shop.deliver(topic, body);
    assert.is(answer.outcome === "refused" && answer.path, path, JSON.stringify(body));
    assert.is(shop.rows.size, 0);
  }
  const { url } = connection;
  const unpriced = openConnection(translateWooCommerce, { url });
  const answer = update(unpriced, productBody());
  assert.is(answer.outcome === "refused" && answer.path, "");
  assert.is(unpriced.deliver("product.deleted", { id: 7 }).outcome, "prepared");
});

test("10: topics without goods and bodies in another language are ignored", () => {
  for (const topic of ["order.created", "coupon.updated", "action.woocommerce_add_to_cart"])
    assert.is(open().deliver(topic, productBody()).outcome, "ignored");
  for (const [lang, language, outcome] of [
    ["en_GB", "en", "prepared"],
    ["de", "en", "ignored"],
    ["de_DE", "de", "prepared"],
  ] as const) {
    const shop = open({ language });
    assert.is(update(shop, productBody({ lang })).outcome, outcome);
    assert.is(shop.rows.size > 0, outcome === "prepared");
  }
  const silent = openConnection(translateWooCommerce, { url: connection.url, currency: "EUR" });
  assert.is(update(silent, productBody({ lang: "de" })).outcome, "prepared");
});

test("11: facts of a product are read where they say something", () => {
  const facts = dataOf(
    product({
      description: "",
      brands: [{ id: 1, name: "Acme &amp; Co", slug: "acme" }],
      tags: [{ id: 1, name: "blue", slug: "blue" }],
      average_rating: "4.50",
      rating_count: 2,
      upsell_ids: [8],
      cross_sell_ids: [9],
      virtual: true,
      images: [{ src: "" }, { src: "https://cdn.example/b.jpg", alt: "" }],
    }),
    "product/7",
  );
  assert.is(facts["descriptionHtml"], "<p>Short.</p>");
  assert.equal(
    [facts["brand"], facts["tags"], facts["delivery"]],
    ["Acme & Co", ["blue"], "digital"],
  );
  assert.equal(facts["rating"], { value: 4.5, count: 2 });
  assert.equal(facts["related"], [
    { productId: 8, relationship: "similar" },
    { productId: 9, relationship: "often_bought_with" },
  ]);
  assert.equal(facts["images"], [{ url: "https://cdn.example/b.jpg", alt: null }]);
  const many = Array.from({ length: 150 }, (_, index) => index + 1);
  const { related } = dataOf(product({ upsell_ids: many, cross_sell_ids: many }), "product/7");
  assert.is((related as readonly unknown[]).length, 100);
});

test("Translation 3: no body ends the translator with an exception, or makes an event that is refused", () => {
  const names = Object.keys({ ...parentBody(), ...variationBody(), lang: "", brands: [] });
  const member = fc.tuple(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }));
  const body = fc
    .tuple(fc.constantFrom(productBody(), parentBody(), variationBody()), fc.array(member))
    .map(([valid, members]) => ({ ...valid, ...Object.fromEntries(members) }));
  const delivery = fc.tuple(fc.constantFrom(...wooCommerceTopics), fc.oneof(body, fc.jsonValue()));
  const check = (deliveries: readonly [topic: string, body: unknown][]): void => {
    const shop = open();
    for (const [topic, json] of deliveries) {
      const answer = shop.deliver(topic, JSON.stringify(json));
      if (answer.outcome === "prepared") eventsOf(answer);
    }
  };
  fc.assert(fc.property(fc.array(delivery, { minLength: 1, maxLength: 6 }), check), {
    numRuns: 300,
  });
});

test.run();
