import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  memberIndex,
  parseString,
  sliceMembers,
  sliceValue,
  unexpectedForm,
} from "../../../src/read-model/reader/product-json.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

const test = suite("product text");

const name = 'Späte "Rose", ,"url":"x" \\ 𝄞';

/** A stored product, and the same product parsed. */
const stored = async (): Promise<readonly [string, object]> => {
  const model = openModel();
  model.apply(settingsUpdated(), productUpserted({ name, brand: ',"lastmod":"' }));
  model.store.refresh();
  const parsed = [
    model.store.rawJson(tables.products, 1),
    model.store.get(tables.products, 1),
  ] as const;
  await model.close();
  return parsed as [string, object];
};

test("each member is sliced correctly, alone and together with others", async () => {
  const [text, product] = await stored();
  const names = Object.keys(product);
  for (const [position, [key, value]] of Object.entries(product).entries()) {
    assert.is(memberIndex(key), position);
    const json = Buffer.from(sliceValue(position)(text), "latin1").toString();
    assert.equal(JSON.parse(json), value);
    if (typeof value === "string") assert.is(parseString(sliceValue(position)(text)), value);
    if (position === 0) continue;
    for (let count = 1; count <= names.length - position; count += 1) {
      const cut = JSON.parse(`{${Buffer.from(sliceMembers(position, count)(text), "latin1")}}`);
      assert.equal(Object.keys(cut), names.slice(position, position + count));
    }
  }
  assert.is(memberIndex("price "), -1);
});

test("a product in another stored form is not sliced", () => {
  for (const cut of [sliceValue(memberIndex("url")), sliceMembers(memberIndex("price"), 2)]) {
    assert.throws(
      () => cut('{"id":1,"brand":null}'),
      (error: unknown) => error === unexpectedForm,
    );
  }
});

test.run();
