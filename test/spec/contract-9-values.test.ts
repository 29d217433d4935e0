import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decode } from "../../src/events/decode.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { endOfDate, toInstant } from "../../src/offers/instants.ts";
import { warningsOf } from "../cli/event-files/warnings-of.ts";
import {
  priceChanged,
  productPatched,
  productUpserted,
  recordOf,
  stockChanged,
  variantUpserted,
} from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { agentOf } from "../mcp/calls.ts";
import { euros, settings } from "./goods/situations.ts";

const test = suite("Contract 9, values of goods");

/** @returns the path that a refusal names; undefined for an accepted event */
const refusedPath = (event: CloudEvent): string | null | undefined => {
  const decoded = decode(recordOf(event));
  return decoded.ok ? undefined : decoded.rejection.field;
};

const withData = (event: CloudEvent, members: object): CloudEvent => ({
  ...event,
  data: { ...(event.data as object), ...members },
});

const saleFrom = (from: string) =>
  priceChanged({ price: euros("20.00"), sales: [{ price: euros("15.00"), from }] });
const shipsAt = (availabilityDate: string) => stockChanged({ availabilityDate });

const utc = Date.UTC(2026, 10, 27);
/** Spellings of one instant. */
const spellings = [
  "2026-11-27T00:00:00Z",
  "2026-11-27 01:00:00+01",
  "2026-11-27T13:00:00+13",
  "2026-11-26t21:30:00-0230",
  "2026-11-27 05:45:00+05:45",
  "2026-11-26T12:00:00.000000-12",
];

test("Contract 9, values of goods: 1 each spelling of a time is its instant, in sales and in stock", () => {
  for (const text of spellings) {
    assert.is(refusedPath(saleFrom(text)), undefined, text);
    assert.is(refusedPath(shipsAt(text)), undefined, text);
    assert.is(toInstant(text), utc, text);
    assert.is(endOfDate(text, "Europe/Berlin"), utc, text);
  }
});

test("Contract 9, values of goods: 1 a text that is no time is refused with its path", () => {
  for (const text of ["2026-11-27T00:00:00", "2026-11-27T00:00:00+1", "2026-02-30T00:00:00+01"]) {
    assert.is(refusedPath(saleFrom(text)), "data.sales[0].from", text);
    assert.is(refusedPath(shipsAt(text)), "data.availabilityDate", text);
  }
  for (const text of ["2026-11-27T25:00:00Z", "2026-11-27T00:00:00+25", "27.11.2026 00:00Z"])
    assert.is(refusedPath(saleFrom(text)), "data.sales[0].from", text);
});

test("Contract 9, values of goods: 1 every accepted text has an instant", () => {
  const pair = fc.integer({ min: 0, max: 61 }).map((n) => String(n).padStart(2, "0"));
  const year = fc.constantFrom("0000", "0099", "1900", "2026", "9999");
  const offset = fc.oneof(
    fc.constantFrom("Z", "z", ""),
    fc.tuple(fc.constantFrom("+", "-"), pair).map((parts) => parts.join("")),
    fc
      .tuple(fc.constantFrom("+", "-"), pair, fc.constantFrom("", ":"), pair)
      .map((p) => p.join("")),
  );
  const fraction = fc.constantFrom("", ".5", ".123456", ".12345678901234");
  const text = fc
    .tuple(year, pair, pair, fc.constantFrom("T", "t", " "), pair, pair, pair, fraction, offset)
    .map(
      ([y, m, d, between, h, min, s, f, o]) => `${y}-${m}-${d}${between}${h}:${min}:${s}${f}${o}`,
    );
  let accepted = 0;
  fc.assert(
    fc.property(text, (each) => {
      if (refusedPath(saleFrom(each)) !== undefined) return;
      accepted += 1;
      const year = new Date(toInstant(each)).getUTCFullYear();
      assert.ok(Math.abs(year - Number(each.slice(0, 4))) <= 1, each);
    }),
    { numRuns: 20_000, seed: 1 },
  );
  assert.ok(accepted > 50, `${accepted} accepted`);
});

test("Contract 9, values of goods: 1 a text that no schema accepts has no instant", () => {
  assert.throws(() => toInstant("2026-11-27T00:00:00+1"), /is no time/);
});

test("Contract 9, values of goods: 1 a sale with an offset of hours is in force from its first to its last instant", async () => {
  let now = 0;
  const server = await openTestServer({ now: () => now });
  try {
    const window = { from: "2026-11-27 00:00:00-03", to: "2026-11-28 00:00:00+0130" };
    const sales = [{ price: euros("15.00"), ...window }];
    server.apply(settings(), productUpserted({ id: 1, price: euros("20.00"), sales }));
    const begin = Date.UTC(2026, 10, 27, 3);
    const end = Date.UTC(2026, 10, 27, 22, 30);
    for (const [instant, amount] of [
      [begin - 1, "20.00"],
      [begin, "15.00"],
      [end - 1, "15.00"],
      [end, "20.00"],
    ] as const) {
      now = instant;
      const { data } = await server.graphql<unknown>(
        "{ product(id: 1) { product { price { amount } } } }",
      );
      assert.match(JSON.stringify(data), `"amount":"${amount}"`);
    }
  } finally {
    await server.close();
  }
});

const unrated: readonly object[] = [
  { value: 0, count: 0 },
  { value: null, count: 0 },
  { count: 0 },
  { value: -1, count: 0 },
  { value: 5000, count: 0 },
  { value: 0, best: 0, worst: 0, count: 0 },
  { value: 3, best: 1, worst: 5, count: 0 },
];

test("Contract 9, values of goods: 2 a rating with the count 0 refuses nothing and is shown nowhere", async () => {
  const server = await openTestServer();
  try {
    const products = unrated.map((rating, at) =>
      withData(productUpserted({ id: at + 1, name: `Cup ${at + 1}` }), { rating }),
    );
    assert.equal(server.apply(settings(), ...products).deadLetters, []);
    const { data } = await server.graphql<{ products: { nodes: { rating: unknown }[] } }>(
      "{ products { nodes { rating { value } } } }",
    );
    assert.equal(
      data.products.nodes.map(({ rating }) => rating),
      unrated.map(() => null),
    );
    const agent = await agentOf(server);
    const { structuredContent, content } = await agent.call<{ product: { rating?: unknown } }>(
      "get_product",
      { product_id: 2 },
    );
    assert.is(structuredContent.product.rating, undefined);
    assert.not.match(JSON.stringify(content), /rating/i);
    assert.not.match(await (await server.get("/products/4.md")).text(), /rating/i);
  } finally {
    await server.close();
  }
});

test("Contract 9, values of goods: 2 a rating with a count keeps its bounds", () => {
  for (const rating of [{ value: 0, count: 1 }, { value: null, count: 1 }, { count: 3 }]) {
    assert.is(refusedPath(withData(productUpserted(), { rating })), "data.rating.value");
    assert.is(refusedPath(withData(productPatched(), { rating })), "data.rating.value");
  }
  assert.is(
    refusedPath(withData(productUpserted(), { rating: { value: 3 } })),
    "data.rating.count",
  );
});

test("Contract 9, values of goods: 3 an offset as time zone ends days and dates texts", async () => {
  for (const [timeZone, ends, until] of [
    ["+02:00", "2027-01-15T22:00:00Z", "1 Dec 2026, 00:00 (+02:00)"],
    ["-03:30", "2027-01-16T03:30:00Z", "30 Nov 2026, 18:30 (-03:30)"],
    ["+05:45", "2027-01-15T18:15:00Z", "1 Dec 2026, 03:45 (+05:45)"],
    ["+14:00", "2027-01-15T10:00:00Z", "1 Dec 2026, 12:00 (+14:00)"],
    ["-00:00", "2027-01-16T00:00:00Z", "30 Nov 2026, 22:00 (-00:00)"],
    ["+0530", "2027-01-15T18:30:00Z", "1 Dec 2026, 03:30 (+0530)"],
  ] as const) {
    assert.is(endOfDate("2027-01-15", timeZone), Date.parse(ends), timeZone);
    const now = Date.UTC(2026, 10, 29);
    const server = await openTestServer({ now: () => now });
    try {
      const sale = { price: euros("15.00"), to: "2026-11-30T22:00:00Z" };
      const { deadLetters } = server.apply(
        settings({ timeZone }),
        productUpserted({ id: 1, price: euros("20.00"), sales: [sale] }),
      );
      assert.equal(deadLetters, []);
      assert.match(await (await server.get("/products/1.md")).text(), `until ${until}`);
    } finally {
      await server.close();
    }
  }
});

test("Contract 9, values of goods: 3 what is no offset and no name is refused", () => {
  for (const timeZone of ["+25:00", "+02:60", "+2", "02:00", "+02:00:00", "GMT+2", "Z", "Berlin"])
    assert.is(refusedPath(settings({ timeZone })), "data.timeZone", timeZone);
});

const swatched = (color: string) =>
  productUpserted({
    id: 1,
    options: [{ name: "Color", values: [{ value: "x", swatch: { color } }] }],
  });

test("Contract 9, values of goods: 4 a colour of three digits is accepted and shown as it was sent", async () => {
  const server = await openTestServer();
  try {
    const variants = [{ id: 1, options: [{ name: "Color", value: "x" }] }];
    assert.equal(
      server.apply(settings(), withData(swatched("#aB0"), { variants })).deadLetters,
      [],
    );
    const { data } = await server.graphql<unknown>(
      "{ product(id: 1) { product { options { values { swatchColor } } } } }",
    );
    assert.match(JSON.stringify(data), '"swatchColor":"#aB0"');
  } finally {
    await server.close();
  }
  assert.is(refusedPath(swatched("#c01515")), undefined);
  for (const color of ["#ab", "#abcd", "#abcde", "#1234567", "abc", "#ggg", "red"])
    assert.is(refusedPath(swatched(color)), "data.options[0].values[0].swatch.color", color);
});

test("Contract 9, values of goods: 5 lint warns of units, of dates and of currencies", () => {
  const odd = { measure: { value: "3", unit: "cl" }, base: { value: "1", unit: "kg" } };
  const warnings = warningsOf([
    variantUpserted({ unitPricing: odd }),
    stockChanged({ availability: "backorder" }),
    priceChanged({ price: euros("9.00"), priorPrice: euros("10.00", "GBP") }),
  ]);
  assert.equal(
    warnings.map(({ line, field }) => [line, field]),
    [
      [1, "data.unitPricing"],
      [2, "data.availabilityDate"],
      [3, "data.priorPrice.currency"],
    ],
  );
});

test.run();
