import { suite } from "uvu";
import * as assert from "uvu/assert";
import { convertibleUnit, isConvertible } from "../../src/offers/units.ts";
import { productUpserted } from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { euros, settings } from "./goods/situations.ts";

const test = suite("Contract 9, unit prices");

type Amount = readonly [value: string, unit: string];
type Row = readonly [price: string, measure: Amount, base: Amount, shown: string | null];

const toMeasure = ([value, unit]: Amount) => ({ value, unit });

/** Reads the unit price of one product for each row, in the currency of the row. */
const unitPrices = async (
  rows: readonly Row[],
  currencies: readonly string[],
): Promise<readonly (string | null)[]> => {
  const server = await openTestServer();
  try {
    const { deadLetters } = server.apply(
      settings(),
      ...rows.map(([price, measure, base], at) =>
        productUpserted({
          id: at + 1,
          price: euros(price, currencies[at % currencies.length]),
          unitPricing: { measure: toMeasure(measure), base: toMeasure(base) },
        }),
      ),
    );
    assert.equal(deadLetters, []);
    const { data } = await server.graphql<{
      products: { nodes: readonly { unitPrice: { price: { amount: string } } | null }[] };
    }>("{ products(first: 100) { nodes { unitPrice { price { amount } } } } }");
    return data.products.nodes.map(({ unitPrice }) => unitPrice?.price.amount ?? null);
  } finally {
    await server.close();
  }
};

const conversions: readonly Row[] = [
  // Case.
  ["6.00", ["300", "Mg"], ["1", "G"], "20.00"],
  ["6.00", ["30", "Cm"], ["1", "M"], "20.00"],
  ["6.00", ["300", "MM"], ["1", "m"], "20.00"],
  ["6.00", ["3000", "CM2"], ["1", "M2"], "20.00"],
  ["6.00", ["3000", "cm²"], ["1", "M²"], "20.00"],
  ["6.00", ["3", "Roll"], ["1", "roll"], "2.00"],
  // Units that metric shops also write.
  ["3.00", ["5", "dl"], ["1", "L"], "6.00"],
  ["3.00", ["500", "cm3"], ["1", "l"], "6.00"],
  ["3.00", ["500", "CM³"], ["1", "DL"], "0.60"],
  ["3.00", ["500", "gr"], ["1", "kg"], "6.00"],
  ["3.00", ["2", "SQM"], ["1", "m2"], "1.50"],
  ["3.00", ["2", "sqm"], ["100", "cm²"], "0.02"],
  // Units of the United States.
  ["8.00", ["1", "lb"], ["1", "oz"], "0.50"],
  ["10.00", ["1", "lb"], ["1", "kg"], "22.05"],
  ["10.00", ["8", "Oz"], ["100", "g"], "4.41"],
  ["10.00", ["12", "fl oz"], ["1", "l"], "28.18"],
  ["10.00", ["12", "FL. OZ."], ["1", "floz"], "0.83"],
  ["10.00", ["5", "ft"], ["1", "in"], "0.17"],
  ["10.00", ["5", "FT"], ["1", "m"], "6.56"],
  ["10.00", ["1", "In"], ["1", "cm"], "3.94"],
  // What does not convert.
  ["10.00", ["1", "oz"], ["1", "fl oz"], null],
  ["10.00", ["1", "in"], ["1", "sqm"], null],
  ["10.00", ["1", "roll"], ["1", "m"], null],
  ["10.00", ["1", "mass"], ["1", "g"], null],
];

test("Contract 9, Prices 7: units are converted inside their dimension, in any case", async () => {
  assert.equal(
    await unitPrices(conversions, ["EUR"]),
    conversions.map(([, , , shown]) => shown),
  );
});

test("Contract 9, Prices 7: conversions are exact, so that a half is rounded up", () => {
  assert.is(convertibleUnit("lb")?.factor, 16n * (convertibleUnit("OZ")?.factor ?? 0n));
  assert.is(convertibleUnit("ft")?.factor, 12n * (convertibleUnit("in")?.factor ?? 0n));
  assert.is(convertibleUnit("piece"), undefined);
  assert.is(isConvertible("Piece", "piece"), true);
  assert.is(isConvertible("piece", "m"), false);
  assert.is(isConvertible("m", "piece"), false);
});

const decimals: readonly (readonly [currency: string, shown: string])[] = [
  // Of these, a locale library has other decimals.
  ...["AFN", "ALL", "IDR", "IRR", "LBP", "MGA", "MMK", "RSD", "SYP", "TZS", "UZS", "YER"].map(
    (currency) => [currency, "12.35"] as const,
  ),
  ["KRW", "12"],
  ["VND", "12"],
  ["ISK", "12"],
  ["UYI", "12"],
  ["XPF", "12"],
  ["BHD", "12.346"],
  ["IQD", "12.346"],
  ["TND", "12.346"],
  ["CLF", "12.3457"],
  ["UYW", "12.3457"],
  // Withdrawn codes, and one without a minor unit.
  ["ITL", "12"],
  ["GRD", "12"],
  ["DEM", "12.35"],
  ["XAU", "12.35"],
];

test("Contract 9, Prices 7: the decimals of a unit price are the minor unit of ISO 4217", async () => {
  const each: Row = ["12.345678", ["1", "kg"], ["1000", "g"], null];
  assert.equal(
    await unitPrices(
      decimals.map(() => each),
      decimals.map(([currency]) => currency),
    ),
    decimals.map(([, shown]) => shown),
  );
});

test("Contract 9, Prices 7: a variant has the unit price and the quantity rule that it states, another those of the product", async () => {
  const server = await openTestServer();
  try {
    const of = (grams: string) => ({
      measure: toMeasure([grams, "g"]),
      base: toMeasure(["1", "kg"]),
    });
    server.apply(
      settings(),
      productUpserted({
        ...{ id: 1, price: euros("6.00"), unitPricing: of("300"), quantityRule: { min: 2 } },
        variants: [
          { id: 1, sku: "A" },
          { id: 2, sku: "B", unitPricing: of("500") },
          { id: 3, sku: "C", quantityRule: { min: 4 } },
        ],
      }),
    );
    const { data } = await server.graphql<{
      products: { nodes: readonly { variants: { nodes: readonly object[] } }[] };
    }>(
      "{ products { nodes { variants { nodes { unitPrice { price { amount } } quantityRule { min } } } } } }",
    );
    assert.equal(
      data.products.nodes.flatMap(({ variants }) => variants.nodes),
      [
        { unitPrice: { price: { amount: "20.00" } }, quantityRule: { min: 2 } },
        { unitPrice: { price: { amount: "12.00" } }, quantityRule: { min: 2 } },
        { unitPrice: { price: { amount: "20.00" } }, quantityRule: { min: 4 } },
      ],
    );
  } finally {
    await server.close();
  }
});

test.run();
