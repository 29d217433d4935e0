import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";
import { spellings } from "./spellings.ts";

const test = suite("spellings");

/** A catalogue, and which products queries find: all of them, the best first. */
interface Catalogue {
  readonly rule: string;
  readonly language: string;
  readonly names: string[];
  readonly queries: { readonly text: string; readonly found: readonly number[] }[];
}

const readCatalogues = (list: string): readonly Catalogue[] => {
  const catalogues: Catalogue[] = [];
  let rule = "";
  for (const line of list.split("\n").filter(Boolean)) {
    const { title, language, number, name, found, text } = line.match(lineForm)?.groups ?? {};
    const catalogue = catalogues.at(-1);
    if (title !== undefined) rule = title;
    else if (language !== undefined) catalogues.push({ rule, language, names: [], queries: [] });
    else if (name !== undefined && catalogue?.names.push(name) === Number(number)) continue;
    else if (text !== undefined && catalogue)
      catalogue.queries.push({ text, found: toNumbers(found) });
    else throw new Error(`line of no known form: ${line}`);
  }
  return catalogues;
};

const lineForm =
  /^(?:# (?<title>.+)|(?<language>[a-z]{2})|(?<number>\d+)\. (?<name>.+)|(?<found>nothing|\d+(?: \d+)*) <- (?<text>.+))$/;

const toNumbers = (found = ""): readonly number[] =>
  found === "nothing" ? [] : found.split(" ").map(Number);

const catalogues = readCatalogues(spellings);

for (const { rule, language, names, queries } of catalogues) {
  test(`${rule}: ${names[0]} (${language})`, async () => {
    const model = openModel();
    const bare = { descriptionHtml: null, reference: null };
    model.apply(
      settingsUpdated({ language }),
      ...names.map((name, at) => productUpserted({ ...bare, id: at + 1, name })),
    );
    for (const { text, found } of queries) {
      const page = model.read((snapshot) => snapshot.products({ query: text, first: 100 }));
      const ids = page?.products.map(({ id }) => id);
      assert.equal(page?.understood?.corrected, [], `${text} is no typing error`);
      assert.equal(ids, found, `${text} in ${names.join(", ")}`);
    }
    await model.close();
  });
}

test("at least 150 queries cover at least 20 languages", () => {
  const languages = catalogues.flatMap(({ language, queries }) => queries.map(() => language));
  assert.ok(languages.length >= 150, `${languages.length} queries`);
  assert.ok(new Set(languages).size >= 20, `${new Set(languages).size} languages`);
});

test.run();
