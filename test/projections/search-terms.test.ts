import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  computeTermEntries,
  maxSpecificationChars,
  type SearchableFields,
} from "../../projections/search-terms.ts";
import { getLanguage } from "../../src/read-model/search/text/language.ts";

const test = suite("the search terms of a product");

const terms = (fields: Partial<SearchableFields>) =>
  computeTermEntries(
    {
      name: "",
      brand: null,
      reference: null,
      gtin: null,
      description: null,
      specifications: [],
      labels: [],
      codes: [],
      ...fields,
    },
    getLanguage("en"),
  );

test("a product without texts has none", () => assert.is(terms({}).size, 0));

test("words with one stem are one term, with every spelling", () => {
  const entry = terms({ name: "Lamp", description: "Lamps for a lamp shop" }).get("lamp");
  assert.equal(entry?.surfaceForms, ["lamp", "lamps"]);
});

test("a word of the name weighs more than one of the description", () => {
  const [name, description] = [terms({ name: "Lamp" }), terms({ description: "Lamp" })];
  assert.ok((name.get("lamp")?.payload ?? 0) > (description.get("lamp")?.payload ?? 0));
});

test("a reference is found with its parts and as one word", () => {
  const found = terms({ reference: "AB-12" });
  assert.ok(found.has("ab12"));
});

test("specifications are indexed up to a limit", () => {
  const long = { name: "x", value: `${"y".repeat(maxSpecificationChars)} rosewood` };
  assert.not(terms({ specifications: [long] }).has("rosewood"));
  assert.ok(terms({ specifications: [{ name: "wood", value: "rosewood" }] }).has("rosewood"));
});

test("codes of variants weigh as references, and labels as specifications", () => {
  assert.ok(terms({ codes: ["AB-12"] }).has("ab12"));
  const [label, specification] = [
    terms({ labels: ["Red"] }),
    terms({ specifications: [{ name: "", value: "Red" }] }),
  ];
  assert.is(label.get("red")?.payload, specification.get("red")?.payload);
});

test.run();
