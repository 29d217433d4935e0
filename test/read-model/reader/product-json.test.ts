import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  memberIndex,
  parseProduct,
  parseString,
  readDates,
  sliceMembers,
  sliceValue,
} from "../../../src/read-model/reader/product-json.ts";
import type { ProductText } from "../../../src/read-model/schema/documents.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

const test = suite("product text");

const name = 'Späte "Rose", ,"url":"x" \\ 𝄞';
const copied = ["id", "name", "url", "reference", "gtin", "brand"] as const;

/** A stored product, and the same product parsed. */
const stored = async (): Promise<readonly [json: string, text: ProductText]> => {
  const model = openModel();
  model.apply(
    settingsUpdated(),
    productUpserted({
      name,
      brand: ',"categoryIds":[',
      specifications: [{ name: ',"url":"', value: '"changedAt":1,"shownAt":2}' }],
      options: [{ name: ',"brand":null', values: ["S"] }],
    }),
  );
  model.store.refresh();
  const [json, text] = [
    model.store.rawJson(tables.products, 1),
    model.store.get(tables.products, 1),
  ];
  await model.close();
  if (json === undefined || !text) throw new Error("there is no product");
  return [json, text];
};

const toUtf8 = (json: string): string => Buffer.from(json, "latin1").toString();

test("each copied member is sliced correctly, alone and together with others", async () => {
  const [json, text] = await stored();
  assert.equal(Object.keys(text).slice(0, copied.length + 1), [...copied, "categoryIds"]);
  for (const [position, key] of copied.entries()) {
    const value = text[key];
    assert.is(memberIndex(key), position);
    assert.equal(JSON.parse(toUtf8(sliceValue(key)(json))), value);
    if (typeof value === "string") assert.is(parseString(sliceValue(key)(json)), value);
    if (position === 0) continue;
    for (let count = 1; count <= copied.length - position; count += 1) {
      const cut = JSON.parse(`{${toUtf8(sliceMembers(position, count)(json))}}`);
      assert.equal(Object.keys(cut), copied.slice(position, position + count));
    }
  }
});

test("other members are not copied", () => {
  for (const other of ["price ", "categoryIds", "facts", "changedAt"])
    assert.is(memberIndex(other), -1, other);
});

test("a product is parsed, and its dates are read without the rest", async () => {
  const [json, text] = await stored();
  assert.equal(parseProduct(json), text);
  assert.equal(readDates(json), { changedAt: text.changedAt, shownAt: text.shownAt });
});

test("a product in another stored form is not sliced", () => {
  for (const cut of [sliceValue("url"), sliceMembers(memberIndex("gtin"), 2), readDates]) {
    assert.throws(() => cut('{"id":1,"brand":null}'), /members in another sequence/);
  }
});

test.run();
