import { suite } from "uvu";
import * as assert from "uvu/assert";
import { categoryUpserted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { applyNames, bare } from "./named-products.ts";

const test = suite<{ model: TestModel }>("identifiers and corrections");

test.before.each((context) => {
  context.model = openModel();
  context.model.apply(settingsUpdated({ language: "en" }));
});
test.after.each(({ model }) => model.close());

type Request = { query: string; relax?: boolean } | { gtin: string } | { reference: string };

const find = ({ read }: TestModel, request: Request) => {
  const page = read((snapshot) => snapshot.products({ first: 100, ...request }));
  return { ids: page?.products.map(({ id }) => id), ...page?.understood };
};

/** Spellings of one number: each finds the product that has another. */
const numbers: Readonly<Record<string, readonly string[]>> = {
  "an ISBN-10 and its ISBN-13": [
    "080442957X",
    "080442957x",
    "0-8044-2957-X",
    "0 8044 2957 x",
    "ISBN 080442957X",
    "isbn:0-8044-2957-x",
    "ISBN-10: 0-8044-2957-X",
    "9780804429573",
    "978-0-8044-2957-3",
    "978 0 8044 2957 3",
    "ISBN 9780804429573",
    "ISBN-13: 978-0-8044-2957-3",
    "EAN 9780804429573",
    "EAN-13 9780804429573",
    "GTIN 09780804429573",
  ],
  "an ISBN-10 of digits alone": [
    "0306406152",
    "0-306-40615-2",
    "ISBN 0306406152",
    "9780306406157",
    "ISBN 978-0-306-40615-7",
    "EAN: 9780306406157",
  ],
  "a GTIN-8": [
    "96385074",
    "9638 5074",
    "EAN-8 96385074",
    "EAN 96385074",
    "0000096385074",
    "GTIN 00000096385074",
  ],
  "a GTIN-12": [
    "036000291452",
    "0 36000 29145 2",
    "36000291452",
    "UPC 036000291452",
    "0036000291452",
    "GTIN-14: 00036000291452",
  ],
  "a GTIN-13": ["4006381333931", "4-006381-333931", "EAN 4006381333931", "04006381333931"],
  "a GTIN-14": [
    "10614141000415",
    "1 06 14141 00041 5",
    "GTIN 10614141000415",
    "gtin-14 10614141000415",
  ],
};

for (const [number, spellings] of Object.entries(numbers)) {
  test(`each spelling of ${number} finds every other, as argument and as query`, ({ model }) => {
    const other = productUpserted({ ...bare, id: 2, name: "Globe", gtin: "4006381333900" });
    for (const stored of spellings) {
      model.apply(productUpserted({ ...bare, id: 1, name: "Atlas", gtin: stored }), other);
      for (const typed of spellings) {
        const text = `${typed} for ${stored}`;
        assert.equal(find(model, { gtin: typed }).ids, [1], text);
        assert.equal(find(model, { query: typed }).ids, [1], text);
      }
    }
  });
}

test("a number of another book, or with a wrong check digit, finds nothing", ({ model }) => {
  model.apply(productUpserted({ ...bare, id: 1, name: "Atlas", gtin: "080442957X" }));
  for (const typed of ["0804429570", "9780804429574", "ISBN 9790804429573", "804429573", "ISBN"]) {
    assert.equal(find(model, { gtin: typed }).ids, [], typed);
    assert.equal(find(model, { query: typed }).ids, [], typed);
  }
});

test("leading zeros pad barcodes, and are a part of shorter references", ({ model }) => {
  model.apply(
    productUpserted({ ...bare, id: 1, reference: "00123" }),
    productUpserted({ ...bare, id: 2, reference: "123" }),
  );
  assert.equal(find(model, { reference: "00123" }).ids, [1]);
  assert.equal(find(model, { reference: "123" }).ids, [2]);
});

test("a number is found with other words of its product", ({ model }) => {
  for (const gtin of ["9780804429573", "978-0-8044-2957-3", "09780804429573"]) {
    model.apply(productUpserted({ ...bare, id: 1, name: "Atlas", gtin }));
    assert.equal(find(model, { query: "atlas 9780804429573" }).ids, [1], gtin);
  }
});

/** Queries that no product has as typed, with what they find: forms of their words, and no similar words. */
const forms: readonly (readonly [language: string, query: string, ...names: readonly string[]])[] =
  [
    ["en", "mice", "Optical mouse", "Mic stand", "Mic", "Microphone", "Rice"],
    ["en", "geese", "Goose", "Cheese", "Geisha"],
    ["en", "knives", "Knife", "Knits", "Kives"],
    ["de", "gläser", "Glas", "Laser", "Gaser"],
    ["fr", "yeux", "Œil", "Jeux", "Deux"],
    ["es", "luces", "Luz", "Dulces", "Cruces"],
    ["nl", "vazen", "Vaas", "Hazen"],
    ["sv", "böcker", "Bok", "Säcker"],
    ["ru", "люди", "Человек", "Лыжи"],
  ];

for (const [language, query, ...names] of forms) {
  test(`${query} finds ${names[0]} and is not corrected (${language})`, ({ model }) => {
    model.apply(settingsUpdated({ language }));
    applyNames(model, ...names);
    for (const relax of [false, true]) {
      const { ids, corrected, relaxed } = find(model, { query, relax });
      assert.equal([ids, corrected, relaxed], [[1], [], false]);
    }
  });
}

/** Queries with a word of the stop list that resembles a word of the catalogue. Each finds the first product. */
const stopWords: readonly (readonly [
  language: string,
  query: string,
  ...names: readonly string[],
])[] = [
  ["en", "lamp with shade", "Lamp shade", "Wish lamp"],
  ["en", "gift from home", "Home gift", "Foam gift"],
  ["de", "eine tasche", "Tasche", "Leine"],
  ["fr", "gant pour cuisine", "Gant de cuisine", "Four de cuisine"],
  ["es", "guante para jardín", "Guante de jardín", "Pala de jardín"],
  ["it", "borsa della sposa", "Borsa sposa", "Stella sposa"],
  ["nl", "tas voor dames", "Tas dames", "Koor dames"],
];

for (const [language, query, ...names] of stopWords) {
  test(`no stop word of ${query} is corrected (${language})`, ({ model }) => {
    model.apply(settingsUpdated({ language }));
    applyNames(model, ...names);
    for (const relax of [false, true]) {
      const { ids, corrected, unknown } = find(model, { query, relax });
      assert.equal([ids?.[0], corrected, unknown], [1, [], []]);
    }
  });
}

test("no word of a product is corrected, be it common or rare", ({ model }) => {
  applyNames(model, ...Array<string>(20).fill("Lamp"), "Lama");
  const lamps = Array.from({ length: 20 }, (_, at) => at + 1);
  const correctionsOf = (query: string) => find(model, { query, relax: true }).corrected;
  assert.equal(find(model, { query: "lamp" }).ids, lamps);
  assert.equal(find(model, { query: "lama" }).ids, [21]);
  for (const query of ["lamp", "lamps", "lama", "lama unheard"]) {
    assert.equal(correctionsOf(query), [], query);
  }
  assert.equal(correctionsOf("lamc"), [{ word: "lamc", words: ["lamp", "lama"] }]);
});

test("products named by a word of the query come before those that mention the others", ({
  model,
}) => {
  const mention = "<p>Two layers of wood, which one person can carry, in a box.</p>";
  model.apply(
    categoryUpserted({ id: 1, name: "Tents" }),
    productUpserted({ ...bare, id: 1, name: "Cheese board", descriptionHtml: mention }),
    productUpserted({ ...bare, id: 2, name: "Dome tent" }),
    productUpserted({ ...bare, id: 3, name: "Tunnel tents" }),
    productUpserted({ ...bare, id: 4, name: "Hogan", categoryIds: [1] }),
    ...Array.from({ length: 20 }, (_, at) =>
      productUpserted({ ...bare, id: 10 + at, name: `Lamp ${at}` }),
    ),
  );
  const { ids, relaxed, matched, unknown } = find(model, { query: "two person tent", relax: true });
  assert.equal([ids, relaxed, matched], [[2, 3, 4], true, ["tent"]]);
  assert.equal(unknown, []);
  assert.equal(find(model, { query: "two person tent" }).ids, []);
});

test("a partial match names the words that its products have", ({ model }) => {
  applyNames(model, "Red tent", "Blue tent", "Red lamp");
  const { ids, matched, unknown } = find(model, { query: "red tent unheard", relax: true });
  assert.equal([ids, matched, unknown], [[1], ["red", "tent"], ["unheard"]]);
  assert.equal(find(model, { query: "red tent", relax: true }).matched, []);
});

test.run();
