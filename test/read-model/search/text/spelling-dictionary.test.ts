import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createSpellingDictionaryCache } from "../../../../src/read-model/search/search-caches.ts";
import { productDeleted, productUpserted } from "../../../helpers/events.ts";
import { openModel, type TestModel } from "../../../helpers/model.ts";

const test = suite<{ model: TestModel }>("spelling dictionary");

test.before.each((context) => {
  context.model = openModel();
  const names = Array.from({ length: 400 }, (_, at) => `lamp${letters(at)} crème${letters(at)}`);
  context.model.apply(...names.map((name, at) => productUpserted({ id: at + 1, name })));
  context.model.store.refresh();
});
test.after.each(({ model }) => model.close());

const letters = (at: number): string =>
  at.toString(20).replace(/\d/g, (digit) => "qrstuvwxyz"[+digit] ?? "");

test("a dictionary that is too large for the cache finds the same words", ({ model }) => {
  const [kept, read] = [createSpellingDictionaryCache(), createSpellingDictionaryCache(1_000)];
  for (const [word, errors] of [
    ["lampab", 1],
    ["cremeab", 2],
    ["lqmpac", 2],
    ["nothing", 2],
  ] as const) {
    const found = kept(model.store).findSimilar(word, errors);
    assert.equal(read(model.store).findSimilar(word, errors), found);
    assert.is(found.length > 0, word !== "nothing");
  }
});

test("a new or removed word is known at once, with and without the cache", ({ model }) => {
  const [kept, read] = [createSpellingDictionaryCache(), createSpellingDictionaryCache(1_000)];
  const finds = (word: string) =>
    [kept, read].map((dictionary) => dictionary(model.store).findSimilar(word, 1).length);
  assert.equal(finds("unheardoff"), [0, 0]);
  model.apply(productUpserted({ id: 999, name: "unheardof" }));
  model.store.refresh();
  assert.equal(finds("unheardoff"), [1, 1]);
  model.apply(productDeleted(999));
  model.store.refresh();
  assert.equal(finds("unheardoff"), [0, 0]);
});

test.run();
