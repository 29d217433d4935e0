import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { bare } from "./named-products.ts";
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

/** Applies the products of catalogues of one language. @param toId makes the id of a product */
const openShop = (
  language: string,
  shops: readonly Catalogue[],
  toId: (shop: number, product: number) => number,
): TestModel => {
  const model = openModel();
  model.apply(
    settingsUpdated({ language }),
    ...shops.flatMap(({ names }, shop) =>
      names.map((name, at) => productUpserted({ ...bare, id: toId(shop, at + 1), name })),
    ),
  );
  return model;
};

for (const catalogue of catalogues) {
  const { rule, language, names, queries } = catalogue;
  test(`${rule}: ${names[0]} (${language})`, async () => {
    const model = openShop(language, [catalogue], (_, product) => product);
    for (const { text, found } of queries) {
      const page = model.read((snapshot) => snapshot.products({ query: text, first: 100 }));
      const ids = page?.products.map(({ id }) => id);
      assert.equal(page?.understood?.corrected, [], `${text} is no typing error`);
      assert.equal(ids, found, `${text} in ${names.join(", ")}`);
    }
    await model.close();
  });
}

for (const language of new Set(catalogues.map((each) => each.language))) {
  test(`queries find the same products whatever others the shop has (${language})`, async () => {
    const shops = catalogues.filter((each) => each.language === language);
    const model = openShop(language, shops, (shop, product) => 1_000 * (shop + 1) + product);
    for (const [shop, { queries }] of shops.entries()) {
      for (const { text, found } of queries) {
        const ids = model.read((snapshot) => snapshot.listing({ query: text, ...all }).products);
        const own = ids
          .map(({ id }) => id - 1_000 * (shop + 1))
          .filter((id) => id > 0 && id < 1_000);
        assert.equal(own.toSorted(ascending), found.toSorted(ascending), text);
      }
    }
    await model.close();
  });
}

const all = { sort: "relevance", limit: 10_000, offset: 0 } as const;
const ascending = (one: number, other: number): number => one - other;

test("at least 150 queries cover at least 20 languages", () => {
  const languages = catalogues.flatMap(({ language, queries }) => queries.map(() => language));
  assert.ok(languages.length >= 150, `${languages.length} queries`);
  assert.ok(new Set(languages).size >= 20, `${new Set(languages).size} languages`);
});

test.run();
