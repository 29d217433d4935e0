import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openLintModel } from "../../../src/cli/event-files/lint/model.ts";
import {
  productDeleted,
  productPatched,
  productUpserted,
  variantDeleted,
  variantUpserted,
} from "../../helpers/events.ts";
import { positionsOf, warningsOf } from "./warnings-of.ts";

const test = suite("lint of options");

const sizes = (...values: string[]) => [{ name: "Size", values }];
const size = (value: string) => [{ name: "Size", value }];
const variant = (id: number, value: string) => ({ id, options: size(value) });

test("an option value is warned of when no variant has it", () => {
  const events = [
    productUpserted({ options: sizes("S", "M", "L"), variants: [variant(11, "M")] }),
    productUpserted({ id: 2, options: sizes("S"), variants: [variant(21, "S")] }),
    productUpserted({ id: 3, options: sizes("S") }),
    productUpserted({ id: 4, variants: [variant(41, "S")] }),
  ];
  const warnings = warningsOf(events);
  assert.equal(positionsOf(events), [[1, "data.options"]]);
  assert.is(
    warnings[0]?.reason,
    'no variant of product 1 in the file has "Size" "S", "L": leave the value out of options, or send its variant',
  );
});

test("values of objects, and more than ten of them, are named too", () => {
  const values = Array.from({ length: 12 }, (_, at) => ({ value: `V${at}` }));
  const [warning] = warningsOf([
    productUpserted({ options: [{ name: "Size", values }], variants: [variant(11, "V0")] }),
  ]);
  assert.match(warning?.reason ?? "", '"V1", "V2"');
  assert.match(warning?.reason ?? "", '"V10", 1 more:');
});

test("a variant that leaves an option out has any value of it", () => {
  const variants = [variant(11, "S"), { id: 12, options: [{ name: "Color", value: "Red" }] }];
  assert.equal(warningsOf([productUpserted({ options: sizes("S", "M"), variants })]), []);
});

test("options are compared after the last event of the product and its variants", () => {
  const early = variantUpserted({ id: 11, options: size("S") });
  const product = productUpserted({ options: sizes("S", "M") });
  const other = variantUpserted({ id: 12, options: size("M") });
  assert.equal(positionsOf([early, product]), [[2, "data.options"]]);
  assert.equal(positionsOf([early, product, other]), []);
  assert.equal(positionsOf([early, product, other, variantDeleted(1, 12)]), [[3, "data.options"]]);
  assert.equal(positionsOf([early, product, productPatched({ options: sizes("S") })]), []);
  assert.equal(positionsOf([early, product, productPatched({ options: null })]), []);
  assert.equal(positionsOf([early, product, productDeleted()]), []);
});

test("a list of variants ends those before it, and a product without a list ends its list alone", () => {
  const alone = variantUpserted({ id: 12, options: size("M") });
  const list = productUpserted({ options: sizes("S", "M"), variants: [variant(11, "S")] });
  const withoutList = productUpserted({ options: sizes("S", "M") });
  assert.equal(positionsOf([list, alone]), []);
  assert.equal(positionsOf([alone, list]), [[2, "data.options"]]);
  assert.match(warningsOf([list, alone, withoutList])[0]?.reason ?? "", '"Size" "S":');
  assert.equal(positionsOf([list, productPatched({ variants: [variant(12, "M")] })]), [
    [2, "data.variants"],
  ]);
});

test("names and values are warned of when they differ only by case or outer blanks", () => {
  const events = [
    productUpserted({
      options: [{ name: "Color", values: ["Red", "Blue"] }],
      variants: [
        { id: 11, options: [{ name: "Color", value: "red " }] },
        { id: 12, options: [{ name: "color", value: "Blue" }] },
      ],
    }),
    variantUpserted({ productId: 2, options: size("S") }),
    variantUpserted({ productId: 2, id: 22, options: size("s") }),
  ];
  const warnings = warningsOf(events);
  assert.equal(
    warnings.map(({ line, field }) => [line, field]),
    [
      [1, "data.options"],
      [1, "data.options"],
      [3, "data.options"],
    ],
  );
  const endings = "which count as different: write them alike";
  const names = 'product 1 has the option names "Color", "color", which count as one';
  assert.is(warnings[0]?.reason, `${names}: write them alike`);
  assert.is(warnings[1]?.reason, `product 1 has the values "Red", "red " of "Color", ${endings}`);
  assert.is(warnings[2]?.reason, `product 2 has the values "S", "s" of "Size", ${endings}`);
});

test("a spelling that a later event corrects is not warned of", () => {
  const wrong = variantUpserted({ id: 12, options: size("s") });
  const right = variantUpserted({ id: 12, options: size("S") });
  const list = productUpserted({ options: sizes("S"), variants: [variant(11, "S")] });
  assert.is(warningsOf([list, wrong]).length, 1);
  assert.equal(warningsOf([list, wrong, right]), []);
});

test("from the limit of rows on, products that change are not checked", () => {
  const options = sizes("S", "M");
  const variants = [variant(11, "S")];
  const products = Array.from({ length: 30 }, (_, at) =>
    productUpserted({ id: at + 1, options, variants }),
  );
  const events = [...products, productPatched({ id: 1, variants })];
  assert.is(warningsOf(events).at(-1)?.line, 31, "all are checked below the limit");
  const lines = warningsOf(events, openLintModel({ left: 200 })).map(({ line }) => line);
  assert.equal(
    lines,
    Array.from({ length: 24 }, (_, at) => at + 2),
    "25 fill the room",
  );
});

test.run();
