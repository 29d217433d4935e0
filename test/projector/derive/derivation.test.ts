import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { categoryUpserted, productUpserted } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("counters");

test.before.each((context) => {
  context.model = openModel();
});
test.after.each(({ model }) => model.close());

/** Mean of an unsigned 32-bit hash: a sum of unsigned hashes would grow by it with every row. */
const meanUnsigned = 2 ** 31;

const twoLetters = Array.from({ length: 26 * 26 }, (_, at) =>
  String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26)),
);

test("the version of the words of all categories does not grow with their number", ({ model }) => {
  model.apply(
    ...twoLetters.map((letters, at) =>
      categoryUpserted({ id: at + 1, name: `${letters}x ${letters}y ${letters}z` }),
    ),
  );
  const version = model.store.get(tables.counters, "categoryWords") ?? 0;
  const rows = [...model.store.keys(tables.categoryWords)].length;
  assert.ok(rows > 2_000, `${rows} rows`);
  assert.ok(Math.abs(version) < (rows * meanUnsigned) / 8, `${version} of ${rows} rows`);
});

test("the version of all spellings does not grow with their number", ({ model }) => {
  const words = (letters: string): string =>
    twoLetters.map((more) => `${letters}${more}o`).join(" ");
  model.apply(
    ...twoLetters
      .slice(0, 20)
      .map((letters, at) =>
        productUpserted({ id: at + 1, descriptionHtml: `<p>${words(letters)}</p>` }),
      ),
  );
  const version = model.store.get(tables.counters, "spellings") ?? 0;
  assert.ok(version !== 0);
  assert.ok(Math.abs(version) < (10_000 * meanUnsigned) / 8, `${version}`);
});

test.run();
