import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type DraftEvent, parseBody } from "../../src/connectors/delivery.ts";
import { firstTextId, toEntityId } from "../../src/connectors/ids.ts";
import { toMoney } from "../../src/connectors/money.ts";
import { prepareEvents } from "../../src/connectors/prepare-events.ts";
import type { ShopifyTables } from "../../src/connectors/shopify/state.ts";
import { translateShopify } from "../../src/connectors/shopify/translate.ts";
import { toUtcTime } from "../../src/connectors/times.ts";
import { decode } from "../../src/events/decode.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { maxBodyBytes } from "../../src/events/message-content.ts";
import { connection, levelBody, productBody, variantBody } from "../connectors/shopify/bodies.ts";
import { membersOf, openConnection, openConnectionState } from "../helpers/connection-state.ts";

const test = suite("Contract 10");

/** Prepares drafts with one state, as deliveries one after the other. */
const openPublisher = () => {
  const { state, commit } = openConnectionState<object>();
  let delivery = 0;
  return (events: readonly DraftEvent[]) => {
    delivery += 1;
    const buildId = (_: unknown, position: number) => `${delivery}/${position}`;
    const translated = { outcome: "translated", events, changes: [], leftOut: new Map() } as const;
    const prepared = prepareEvents(translated, state, { source: "/connections/a", buildId });
    if (prepared.outcome === "refused") return prepared;
    commit(prepared.changes);
    for (const event of prepared.events) {
      const { body, headers } = toMessage(event);
      const decoded = decode({ body, headers, sequence: 1, time: Date.UTC(2026, 10, 1) });
      assert.ok(decoded.ok, JSON.stringify(decoded));
    }
    return prepared;
  };
};

const time = (minute: number) => new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString();

const product = (members: object = {}, minute = 0): DraftEvent => ({
  type: "shop.product.upserted",
  data: { id: 1, name: "Mug", url: "https://shop.example/mug", ...members },
  time: time(minute),
});

const typesOf = (prepared: ReturnType<ReturnType<typeof openPublisher>>) =>
  prepared.outcome === "prepared" ? prepared.events.map(({ type }) => type) : prepared.path;

test("Translation 1: equal input gives equal output, and no state is changed by a translator", () => {
  const { state, rows } = openConnectionState<ShopifyTables>();
  const delivery = {
    ...{ topic: "products/update", headers: {}, arrivedAt: time(0) },
    body: parseBody(JSON.stringify(productBody())),
  };
  const outcomes = [0, 1].map(() => translateShopify(delivery, connection, state));
  assert.equal(outcomes[0], outcomes[1]);
  assert.is(rows.size, 0);
});

test("Translation 4: ids and prices are read by their digits", () => {
  assert.equal(parseBody('{"id":788032119674292922,"price":19.990000000000000001,"n":12}'), {
    id: "788032119674292922",
    price: "19.990000000000000001",
    n: 12,
  });
  const text = JSON.stringify(productBody({ id: "@" })).replace('"@"', "788032119674292922");
  const shop = openConnection(translateShopify, connection);
  const answer = shop.deliver("products/update", text);
  const data = answer.outcome === "prepared" ? answer.events[1]?.data : undefined;
  assert.is((data as { externalId: string }).externalId, "788032119674292922");
});

const amounts: readonly [value: unknown, amount: string | undefined][] = [
  ["19.99", "19.99"],
  ["19.9900000", "19.990000"],
  ["007.50", "7.50"],
  ["0", "0"],
  [12, "12"],
  ["13.999999", "13.999999"],
  ["13.9999999", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["1,5", undefined],
  ["1.", undefined],
  ["", undefined],
  [null, undefined],
];

test("Translation 4: an amount is a decimal text", () => {
  for (const [value, amount] of amounts) {
    assert.is(toMoney(value, "EUR")?.amount, amount, String(value));
  }
});

test("Ids 1, 2: an integer below 2^52 is the id, any other text is hashed above it", () => {
  for (const value of [1, "1", 4711, "4503599627370495"]) {
    assert.equal(toEntityId("product", value), { id: Number(value) });
  }
  for (const text of [
    "4503599627370496",
    "788032119674292922",
    "0",
    "007",
    "-1",
    "blue-mug",
    "ü",
  ]) {
    const entity = toEntityId("product", text);
    assert.is(entity?.externalId, text);
    assert.ok(Number.isSafeInteger(entity?.id) && Number(entity?.id) >= firstTextId);
    assert.not.equal(entity?.id, toEntityId("category", text)?.id);
  }
  // printf 'product\0blue-mug' | sha256sum
  assert.equal(toEntityId("product", "blue-mug"), { id: 7444914072407522, externalId: "blue-mug" });
  for (const value of [null, undefined, "", " ", {}, [], true]) {
    assert.is(toEntityId("product", value), undefined);
  }
});

test("Ids 3: a second text of a number is refused", () => {
  const id = toEntityId("category", "Shirts")?.id;
  const { state, commit } = openConnectionState<ShopifyTables>();
  commit([{ table: "texts", key: `category/${id}`, row: "Trousers" }]);
  const body = parseBody(JSON.stringify(productBody()));
  const delivery = { topic: "products/update", headers: {}, arrivedAt: time(0), body };
  const outcome = translateShopify(delivery, connection, state);
  assert.is(outcome.outcome === "refused" && outcome.path, "product_type");
});

test("Ids 4: a product that an import had by its handle is deleted when its own id comes", () => {
  const { state, commit } = openConnectionState<ShopifyTables>();
  const textId = toEntityId("product", "tee")?.id ?? 0;
  commit([
    { table: "handles", key: "tee", row: textId },
    {
      table: "products",
      key: String(textId),
      row: { time: time(59), handle: "tee", items: ["variant/1"] },
    },
  ]);
  const body = parseBody(JSON.stringify(productBody()));
  const delivery = { topic: "products/update", headers: {}, arrivedAt: time(0), body };
  const outcome = translateShopify(delivery, connection, state);
  const events = outcome.outcome === "translated" ? outcome.events : [];
  assert.equal(
    events.find(({ type }) => type === "shop.product.deleted"),
    {
      type: "shop.product.deleted",
      data: { id: textId },
      time: time(59),
    },
  );
});

const times: readonly [value: unknown, zone: string | undefined, utc: string | undefined][] = [
  ["2026-10-01T10:00:00+02:00", undefined, "2026-10-01T08:00:00.000Z"],
  ["2026-10-01T10:00:00.123456Z", undefined, "2026-10-01T10:00:00.123Z"],
  ["2026-10-01 10:00:00.000Z", undefined, "2026-10-01T10:00:00.000Z"],
  ["2026-10-01T10:00:00", undefined, undefined],
  ["2026-10-01T10:00:00", "Europe/Berlin", "2026-10-01T08:00:00.000Z"],
  ["2026-12-01 0:00:00", "Europe/Berlin", "2026-11-30T23:00:00.000Z"],
  ["2026-12-01 23:59", "Europe/Berlin", "2026-12-01T22:59:00.000Z"],
  ["2026-12-01", "Europe/Berlin", "2026-11-30T23:00:00.000Z"],
  ["2026-12-01", "+05:30", "2026-11-30T18:30:00.000Z"],
  ["2026-03-29 02:30:00", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-10-25 02:30:00", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["2026-02-30 10:00:00", "Europe/Berlin", undefined],
  ["2026-13-01T10:00:00Z", undefined, undefined],
  ["1969-12-31T00:00:00Z", undefined, undefined],
  ["+010000-01-01T00:00:00Z", undefined, undefined],
  ["yesterday", "Europe/Berlin", undefined],
  [1790000000, undefined, undefined],
];

test("Times 1: a time is UTC with milliseconds, a local one by the zone of the connection", () => {
  for (const [value, zone, utc] of times) assert.is(toUtcTime(value, zone), utc, String(value));
});

test("Times 2: an older body changes nothing, and of two of one time the later counts", () => {
  const shop = openConnection(translateShopify, connection);
  const body = (title: string, minute: number) => productBody({ title, updated_at: time(minute) });
  shop.deliver("products/update", body("First", 5));
  assert.is(shop.deliver("products/update", body("Older", 4)).outcome, "ignored");
  const answer = shop.deliver("products/update", body("Second", 5));
  assert.is(answer.outcome === "prepared" && answer.events.length, 1);
});

test("Once in effect 1: a body that is restated publishes nothing, and its time counts", () => {
  const publish = openPublisher();
  assert.is(typesOf(publish([product({}, 1)])).length, 1);
  assert.equal(typesOf(publish([product({}, 9)])), []);
  assert.equal(typesOf(publish([product({ name: "Cup" }, 5)])), []);
  assert.is(typesOf(publish([product({ name: "Cup" }, 9)])).length, 1);
  assert.equal(typesOf(publish([product({ name: "Cup" }, 9)])), []);
});

test("Once in effect 2: what is older than the published is dropped, also a deletion", () => {
  const publish = openPublisher();
  publish([product({}, 5)]);
  assert.equal(typesOf(publish([product({ name: "Cup" }, 4)])), []);
  const deletion = (minute: number): DraftEvent => ({
    type: "shop.product.deleted",
    data: { id: 1 },
    time: time(minute),
  });
  assert.equal(typesOf(publish([deletion(4)])), []);
  assert.is(typesOf(publish([deletion(6)])).length, 1);
  assert.equal(typesOf(publish([product({ name: "Cup" }, 5)])), []);
});

test("Once in effect: a sale that changes a whole product's quantity publishes the stock alone", () => {
  const shop = openConnection(translateShopify, connection);
  shop.deliver("products/update", productBody());
  const variants = [variantBody({ inventory_quantity: 2 }), productBody().variants[1]];
  const answer = shop.deliver("products/update", productBody({ variants, updated_at: time(30) }));
  const subjects = answer.outcome === "prepared" ? answer.events.map(({ subject }) => subject) : [];
  assert.equal(subjects, ["stock/7/501"]);
  assert.equal(shop.deliver("inventory_levels/update", levelBody()).outcome, "prepared");
});

const long = "x".repeat(3_000);
const misfits: readonly [members: object, name: string, expected: object][] = [
  [{ reference: long }, "reference", {}],
  [
    { images: [{ url: "no address" }, { url: "https://a.example/1.jpg" }] },
    "images",
    { images: [{ url: "https://a.example/1.jpg" }] },
  ],
  [
    { images: [{ url: "https://a.example/1.jpg", width: 0 }] },
    "images.width",
    { images: [{ url: "https://a.example/1.jpg" }] },
  ],
  [{ tags: ["a", ""] }, "tags", { tags: ["a"] }],
  [{ variants: [{ id: 1, gtin: long }] }, "variants.gtin", { variants: [{ id: 1 }] }],
  [{ rating: { count: 3, value: 9 } }, "rating.value", { rating: { count: 3, value: 9 } }],
];

test("What does not fit 1: an optional member is left out and counted by its name", () => {
  for (const [members, name, expected] of misfits.slice(0, -1)) {
    const prepared = openPublisher()([product(members)]);
    if (prepared.outcome !== "prepared") throw new Error(prepared.reason);
    const leftOut = [...prepared.leftOut.keys()].at(0);
    assert.is(leftOut?.startsWith(name), true, `${leftOut}`);
    const { id, name: title, url, ...rest } = membersOf(prepared.events[0]);
    assert.equal([id, title, url, rest], [1, "Mug", "https://shop.example/mug", expected]);
  }
});

test("What does not fit 1: a rating outside its scale is left out", () => {
  const prepared = openPublisher()([product({ rating: { count: 3, value: 9 } })]);
  assert.not.ok(prepared.outcome === "refused");
  const [event] = prepared.outcome === "prepared" ? prepared.events : [];
  assert.not.ok("rating" in membersOf(event));
});

test("What does not fit 2: of two variants with the same options the later is left out", () => {
  const options = [{ name: "Size", value: "S" }];
  const variants = [1, 2, 3].map((id) => ({
    id,
    options: id === 3 ? [{ name: "Size", value: "M" }] : options,
  }));
  const prepared = openPublisher()([product({ variants })]);
  if (prepared.outcome !== "prepared") throw new Error(prepared.reason);
  assert.equal([...prepared.leftOut], [["variants", 1]]);
  const data = prepared.events[0]?.data as { variants: { id: number }[] };
  assert.equal(
    data.variants.map(({ id }) => id),
    [1, 3],
  );
});

test("What does not fit 3: a required member refuses the delivery, and so do too many", () => {
  const refusal = openPublisher()([product({ name: long })]);
  assert.is(refusal.outcome === "refused" && refusal.path, "name");
  const variants = Array.from({ length: 101 }, (_, at) => ({ id: at + 1, gtin: long }));
  assert.is(openPublisher()([product({ variants })]).outcome, "refused");
});

test("What does not fit 4: a product above 1 MiB is divided, and its lost variants are deleted", () => {
  const publish = openPublisher();
  const variant = (id: number) => ({
    id,
    specifications: [{ name: "Text", value: "y".repeat(9_000) }],
    options: [{ name: "Number", value: String(id) }],
  });
  const list = (count: number) => Array.from({ length: count }, (_, at) => variant(at + 1));
  const count = Math.ceil(maxBodyBytes / 9_000) + 5;
  const first = publish([product({ variants: list(count) }, 1)]);
  assert.is(typesOf(first).length, count + 1);
  assert.not.ok(first.outcome === "prepared" && "variants" in membersOf(first.events[0]));
  assert.equal(typesOf(publish([product({ variants: list(count) }, 2)])), []);
  const second = publish([product({ variants: list(count - 1) }, 3)]);
  assert.equal(typesOf(second), ["shop.variant.deleted"]);
});

test("What does not fit 4: after a body that fits, a divided product still deletes what it lost before", () => {
  const publish = openPublisher();
  const text = "y".repeat(400_000);
  const variants = (texts: readonly string[]) =>
    texts.map((value, at) => ({
      id: at + 1,
      specifications: Array.from({ length: 40 }, () => ({
        name: "Text",
        value: value.slice(0, 10_000),
      })),
      options: [{ name: "Number", value: String(at + 1) }],
    }));
  const [large, small] = [
    [text, text, text],
    ["", ""],
  ];
  assert.is(typesOf(publish([product({ variants: variants(large) }, 1)])).length, 4);
  assert.equal(typesOf(publish([product({ variants: variants(small) }, 2)])), [
    "shop.product.upserted",
  ]);
  const types = typesOf(
    publish([
      product({ variants: variants([text, text, ""].slice(0, 2)), descriptionHtml: text }, 3),
    ]),
  );
  assert.ok(types.includes("shop.variant.deleted"), String(types));
});

test("What does not fit 4: a description that is too large by itself is left out", () => {
  const prepared = openPublisher()([product({ descriptionHtml: "漢".repeat(600_000) })]);
  if (prepared.outcome !== "prepared") throw new Error(prepared.reason);
  assert.equal([...prepared.leftOut], [["descriptionHtml", 1]]);
  assert.is(membersOf(prepared.events[0])["descriptionHtml"], null);
  const specifications = Array.from({ length: 200 }, () => ({
    name: "Text",
    value: "y".repeat(9_000),
  }));
  assert.is(openPublisher()([product({ specifications })]).outcome, "refused");
});

test("What does not fit 3: the reason is what was wrong with the member", () => {
  const refusal = openPublisher()([product({ name: long })]);
  assert.match(
    refusal.outcome === "refused" ? refusal.reason : "",
    "a text of 1 to 500 characters",
  );
  assert.not.match(refusal.outcome === "refused" ? refusal.reason : "", "missing");
});

test.run();
