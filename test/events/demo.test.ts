import { statSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type EventType, eventTypes, type ShopEvent } from "../../src/events/event.ts";
import { readEventFile, validateNdjson } from "../../src/events/ndjson.ts";
import { packageRoot } from "../../src/package-info.ts";
import { runHere } from "../helpers/run-here.ts";

const test = suite("demo shop");
const path = join(packageRoot, "deploy", "demo", "shop.ndjson");
/** The demo has no later event, so that none is in the future. */
const end = Date.UTC(2026, 10, 16);
const events: ShopEvent[] = [];

test.before(async () => {
  for await (const line of validateNdjson(readEventFile(path), end)) {
    if (!line.ok) throw new Error(`line ${line.line}: ${line.rejection.reason}`);
    events.push(line.event);
  }
});

const ofType = <T extends EventType>(type: T) =>
  events.filter((event): event is Extract<ShopEvent, { type: T }> => event.type === type);

test("the demo shop has only valid events, and some of every type", () => {
  for (const type of eventTypes) assert.ok(ofType(type).length > 0, type);
  assert.is(events.length, 6138);
  assert.ok(statSync(path).size < 4_000_000);
});

test("the demo shop has the products, categories and carriers of the shop it describes", () => {
  const ids = (
    type: "shop.product.upserted" | "shop.category.upserted" | "shop.carrier.upserted",
  ) => new Set(ofType(type).map(({ data }) => data.id)).size;
  assert.is(ids("shop.product.upserted"), 2465);
  assert.is(ids("shop.category.upserted"), 105);
  assert.is(ids("shop.carrier.upserted") - ofType("shop.carrier.deleted").length, 4);
  assert.is(ofType("shop.product.deleted").length, 2);
  const hidden = ofType("shop.product.upserted").filter(({ data }) => data.active === false);
  assert.is(hidden.length, 1);
  const topics = new Set(ofType("shop.page.upserted").map(({ data }) => data.policy));
  for (const topic of ["returns", "shipping", "payment", "terms", "privacy", "contact"] as const) {
    assert.ok(topics.has(topic), topic);
  }
});

test("the events of the demo shop are sorted by time, in the past, with unique ids", () => {
  const ids = new Set(events.map(({ id }) => id));
  assert.is(ids.size, events.length);
  const times = events.map(({ time }) => time);
  assert.equal(
    times,
    [...times].sort((one, other) => one - other),
  );
  assert.ok((times.at(-1) ?? end) < end);
});

test("the sequences of each product count up by one", () => {
  const newest = new Map<string, number>();
  for (const { subject, sequence } of events) {
    const entity = subject.replace(/^(?:price|stock|variant)\/(\d+).*/, "product/$1");
    assert.is(Number(sequence), (newest.get(entity) ?? 0) + 1, subject);
    newest.set(entity, Number(sequence));
  }
});

test("every product of the demo has stock; some sell out and some come back", () => {
  const orderable = new Map<number, boolean[]>();
  for (const { data } of ofType("shop.stock.changed")) {
    const now = data.orderable ?? (data.quantity ?? 0) > 0;
    orderable.set(data.productId, [...(orderable.get(data.productId) ?? []), now]);
  }
  assert.is(orderable.size, 2465);
  const lives = [...orderable.values()];
  assert.ok(lives.filter((life) => life.at(-1) === false).length > 50);
  assert.ok(lives.filter((life) => life.includes(false) && life.at(-1)).length > 10);
});

const variantOf = ({ productId, variantId }: { productId: number; variantId?: number }) =>
  variantId === undefined ? [] : [`${productId}.${variantId}`];

test("every variant of the demo has stock of its own, and its product has none", () => {
  const listed = ofType("shop.product.upserted").flatMap(({ data }) =>
    (data.variants ?? []).map(({ id }) => `${data.id}.${id}`),
  );
  const alone = ofType("shop.variant.upserted").map(({ data }) => `${data.productId}.${data.id}`);
  assert.is(new Set(listed.map((id) => id.split(".")[0])).size, 15);
  assert.is(new Set(alone).size, 7);
  assert.is(ofType("shop.variant.deleted").length, 1);
  const stock = ofType("shop.stock.changed");
  const inStock = new Map(
    stock.flatMap(({ data }) => variantOf(data).map((id) => [id, data.quantity ?? 0] as const)),
  );
  assert.equal([...inStock.keys()].sort(), [...new Set([...listed, ...alone])].sort());
  const quantities = [...inStock.values()];
  assert.ok(quantities.filter((quantity) => quantity === 0).length > 5);
  assert.ok(quantities.filter((quantity) => quantity > 0 && quantity <= 5).length > 5);
});

test("the demo has a sale that is over, one in force and one to come, long before and after its end", () => {
  const year = 365 * 24 * 60 * 60 * 1000;
  const sales = ofType("shop.price.changed").flatMap(({ data }) => data.sales ?? []);
  const windows = sales.map(({ from, to }) => [Date.parse(from ?? ""), to ? Date.parse(to) : null]);
  const isIn = (at: number) =>
    windows.filter(([from, to]) => (from ?? at) <= at && at < (to ?? Number.POSITIVE_INFINITY));
  assert.is(windows.length, 4);
  assert.is(isIn(end).length, 2);
  assert.equal(isIn(end + 1.9 * year), isIn(end));
  assert.is(windows.filter(([, to]) => to != null && to < end).length, 1);
  assert.is(windows.filter(([from]) => from != null && from > end).length, 1);
});

test("the demo has goods with a status, a unit price, an amount in packs, a warning and a rating", () => {
  const statuses = new Set(ofType("shop.stock.changed").map(({ data }) => data.availability));
  for (const status of ["preorder", "backorder", "limited_stock", "discontinued"] as const)
    assert.ok(statuses.has(status), status);
  const products = ofType("shop.product.upserted").map(({ data }) => data);
  for (const member of [
    ...(["unitPricing", "quantityRule", "warnings", "rating", "returns"] as const),
    ...(["minimumAge", "related", "releaseDate", "highlights", "tags"] as const),
  ])
    assert.ok(
      products.some((product) => product[member] != null),
      member,
    );
  const attributes = products.flatMap(({ specifications }) => specifications ?? []);
  assert.ok(attributes.some(({ code, unit }) => code && unit));
});

test("lint warns of nothing in the demo", async () => {
  const { code, stdout } = await runHere(["lint", "--json", path]);
  assert.is(code, 0);
  assert.equal(JSON.parse(stdout).warnings, []);
});

test("the demo refers only to its own categories, products and URLs", () => {
  const categories = new Set(ofType("shop.category.upserted").map(({ data }) => data.id));
  for (const { data } of ofType("shop.product.upserted")) {
    for (const id of data.categoryIds ?? []) assert.ok(categories.has(id));
    assert.ok(data.url.startsWith("https://shop.example/"));
  }
  const addresses = new Map<string, string>();
  for (const event of events) {
    if (!("url" in event.data) || event.subject === "settings") continue;
    const url = String(event.data.url);
    assert.is(addresses.get(url) ?? event.subject, event.subject, url);
    addresses.set(url, event.subject);
  }
});

test.run();
