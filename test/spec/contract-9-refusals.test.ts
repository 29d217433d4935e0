import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decode } from "../../src/events/decode.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  priceChanged,
  productPatched,
  productUpserted,
  recordOf,
  settingsUpdated,
  stockChanged,
  variantUpserted,
} from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { euros } from "./goods/situations.ts";

const test = suite("Contract 9, refusals");

/** Adds members to the data of an event, also invalid ones. */
const withData = (event: CloudEvent, members: object): CloudEvent => ({
  ...event,
  data: { ...(event.data as object), ...members },
});
const product = (members: object) => withData(productUpserted(), members);
const patch = (members: object) => withData(productPatched(), members);
const variant = (members: object) => withData(variantUpserted(), members);
const price = (members: object) => withData(priceChanged(), members);
const stock = (members: object) => withData(stockChanged(), members);
const shop = (members: object) => withData(settingsUpdated(), members);

/** @returns the path that a refusal names; undefined for an accepted event */
const refusedPath = (event: CloudEvent): string | null | undefined => {
  const decoded = decode(recordOf(event));
  if (decoded.ok) return undefined;
  const { code, field, reason } = decoded.rejection;
  assert.is(code, "schema");
  assert.ok(reason.startsWith(`${field} `), reason);
  return field;
};

const sale = (window: object = {}) => ({ price: euros("1.00"), ...window });
const times = <V>(count: number, build: (at: number) => V) =>
  Array.from({ length: count }, (_, at) => build(at));
const color = { name: "Color", value: "Red" };
const size = { name: "Size", value: "S" };
const local = "2026-11-27T00:00:00";

type Row = readonly [what: string, path: string, event: CloudEvent];

const rows: readonly Row[] = [
  ["a local time from", "data.sales[0].from", price({ sales: [sale({ from: local })] })],
  ["a local time to", "data.sales[0].to", price({ sales: [sale({ to: local })] })],
  [
    "a local time in the second sale",
    "data.sales[1].to",
    product({ sales: [sale(), sale({ to: local })] }),
  ],
  ["a date as from", "data.sales[0].from", patch({ sales: [sale({ from: "2026-11-27" })] })],
  [
    "a day that is not",
    "data.sales[0].to",
    price({ sales: [sale({ to: "2026-02-30T00:00:00Z" })] }),
  ],
  [
    "a local time in a listed variant",
    "data.variants[1].sales[0].from",
    product({ variants: [{ id: 1 }, { id: 2, sales: [sale({ from: local })] }] }),
  ],
  ["a local time in a variant", "data.sales[0].from", variant({ sales: [sale({ from: local })] })],
  ["a local availability date", "data.availabilityDate", stock({ availabilityDate: local })],
  ["a day of no month", "data.availabilityDate", stock({ availabilityDate: "2027-02-30" })],
  ["11 sales", "data.sales", price({ sales: times(11, () => sale()) })],
  ["11 sales of a variant", "data.sales", variant({ sales: times(11, () => sale()) })],
  ["a sale without a price", "data.sales[0].price", price({ sales: [{}] })],
  [
    "11 options",
    "data.options",
    product({ options: times(11, (at) => ({ name: `Option ${at}`, values: [] })) }),
  ],
  [
    "2,049 values",
    "data.options[0].values",
    product({ options: [{ name: "Size", values: times(2_049, (at) => `${at}`) }] }),
  ],
  [
    "2,049 variants",
    "data.variants",
    product({ variants: times(2_049, (at) => ({ id: at + 1 })) }),
  ],
  [
    "an id of two variants",
    "data.variants[2].id",
    product({ variants: [{ id: 1 }, { id: 2 }, { id: 1 }] }),
  ],
  [
    "an id as a number and as a text",
    "data.variants[1].id",
    patch({ variants: [{ id: 1 }, { id: "1" }] }),
  ],
  [
    "two variants with the same options",
    "data.variants[1].options",
    product({
      variants: [
        { id: 1, options: [color, size] },
        { id: 2, options: [size, color] },
      ],
    }),
  ],
  [
    "two variants that leave out the same option",
    "data.variants[2].options",
    patch({
      variants: [
        { id: 1, options: [color, size] },
        { id: 2, options: [color] },
        { id: 3, options: [color] },
      ],
    }),
  ],
  [
    "an option that a listed variant has twice",
    "data.variants[0].options[1].name",
    product({ variants: [{ id: 1, options: [color, { ...color, value: "Blue" }] }] }),
  ],
  [
    "an option that a variant has twice",
    "data.options[2].name",
    variant({ options: [color, size, color] }),
  ],
  [
    "an option that a product has twice",
    "data.options[1].name",
    product({ options: times(2, () => ({ name: "Size", values: ["S"] })) }),
  ],
  [
    "option names of a product that differ in blanks alone",
    "data.options[1].name",
    product({
      options: [
        { name: "Size", values: ["S"] },
        { name: "Size ", values: ["M"] },
      ],
    }),
  ],
  ["a rating above its scale", "data.rating.value", product({ rating: { value: 5.1, count: 1 } })],
  ["a rating below its scale", "data.rating.value", patch({ rating: { value: 0.9, count: 1 } })],
  [
    "a rating above a stated scale",
    "data.rating.value",
    product({ rating: { value: 10.1, worst: 0, best: 10, count: 1 } }),
  ],
  [
    "a scale that is upside down",
    "data.rating.best",
    product({ rating: { value: 5, worst: 5, best: 5, count: 1 } }),
  ],
  ["a rating without a count", "data.rating.count", product({ rating: { value: 4 } })],
  [
    "max below numericValue",
    "data.specifications[1].max",
    product({
      specifications: [
        { name: "Weight", value: "2 kg" },
        { name: "Height", value: "9 to 10 cm", numericValue: "10", max: "9" },
      ],
    }),
  ],
  [
    "max below numericValue in a listed variant",
    "data.variants[0].specifications[0].max",
    product({
      variants: [
        { id: 1, specifications: [{ name: "Height", value: "1", numericValue: 1.5, max: 1 }] },
      ],
    }),
  ],
  [
    "max below numericValue in a variant",
    "data.specifications[0].max",
    variant({ specifications: [{ name: "Height", value: "1", numericValue: "-1", max: "-2" }] }),
  ],
  ["max below min", "data.quantityRule.max", product({ quantityRule: { min: 6, max: 5 } })],
  [
    "max below min of a listed variant",
    "data.variants[0].quantityRule.max",
    patch({ variants: [{ id: 1, quantityRule: { min: 6, max: 5 } }] }),
  ],
  ["a measure of 0", "data.unitPricing.measure.value", product({ unitPricing: unit("0", "1") })],
  ["a base of 0", "data.unitPricing.base.value", variant({ unitPricing: unit("1", "0.00") })],
  [
    "a code of an attribute with capitals",
    "data.specifications[0].code",
    product({ specifications: [{ name: "Color", value: "Red", code: "Color" }] }),
  ],
  ["an unknown state", "data.availability", stock({ availability: "maybe" })],
  ["an age of 0", "data.minimumAge", product({ minimumAge: 0 })],
  ["a threshold of 1,001", "data.lowStockThreshold", shop({ lowStockThreshold: 1_001 })],
  ["a threshold of 0", "data.lowStockThreshold", shop({ lowStockThreshold: 0 })],
  ["an unknown time zone", "data.timeZone", shop({ timeZone: "Europe/Nowhere" })],
];

function unit(measure: string, base: string) {
  return { measure: { value: measure, unit: "kg" }, base: { value: base, unit: "kg" } };
}

for (const [what, path, event] of rows) {
  test(`Contract 9, refusals: ${what} in ${event.type} is refused, naming ${path}`, () => {
    assert.is(refusedPath(event), path);
  });
}

const accepted: readonly (readonly [what: string, event: CloudEvent])[] = [
  ["10 sales", price({ sales: times(10, () => sale({ from: "2026-11-27T00:00:00+01:00" })) })],
  ["a sale that ends when it begins", price({ sales: [sale(equalEnds())] })],
  [
    "10 options, one with 2,048 values",
    product({
      options: times(10, (at) => ({
        name: `Option ${at}`,
        values: times(at === 0 ? 2_048 : 1, String),
      })),
    }),
  ],
  ["2,048 variants without options", product({ variants: times(2_048, (at) => ({ id: at + 1 })) })],
  [
    "variants of which one leaves an option out",
    product({
      variants: [
        { id: 1, options: [color] },
        { id: 2, options: [color, size] },
      ],
    }),
  ],
  ["a rating at both ends", product({ rating: { value: 0, worst: 0, best: 1, count: 0 } })],
  ["max equal to min", product({ quantityRule: { min: 6, max: 6 } })],
  [
    "max equal to numericValue",
    product({ specifications: [{ name: "Height", value: "1", numericValue: "1.0", max: 1 }] }),
  ],
  ["a bare date", stock({ availabilityDate: "2027-01-15" })],
];

function equalEnds() {
  return { from: "2026-11-27T00:00:00Z", to: "2026-11-27T00:00:00Z" };
}

for (const [what, event] of accepted) {
  test(`Contract 9, refusals: ${what} is accepted in ${event.type}`, () => {
    assert.is(refusedPath(event), undefined);
  });
}

test("Contract 9, refusals: a refused event changes nothing, and is kept with its path", async () => {
  const server = await openTestServer();
  try {
    const page = async () => (await server.get("/products/1.md")).text();
    server.apply(settingsUpdated(), productUpserted());
    const before = await page();
    const later = { time: "2026-10-02T00:00:00Z" };
    const wrong = withData(productUpserted({ name: "Other" }, later), {
      variants: [{ id: 1 }, { id: 1 }],
    });
    const { rejected, deadLetters } = server.apply(wrong);
    assert.is(rejected, 1);
    assert.is(deadLetters[0]?.field, "data.variants[1].id");
    assert.is(await page(), before);
  } finally {
    await server.close();
  }
});

test.run();
