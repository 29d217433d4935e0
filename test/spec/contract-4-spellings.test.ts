import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";

const test = suite("contract §4 spellings");

interface Answer {
  readonly products: {
    readonly nodes: readonly { readonly id: string }[];
    readonly search: {
      readonly relaxed: boolean;
      readonly matchedWords: readonly string[];
      readonly corrections: readonly { readonly word: string }[];
    };
  };
}

const document = `query ($query: String, $relax: Boolean) { products(first: 100, query: $query, relax: $relax) {
  nodes { id } search { relaxed matchedWords corrections { word } } } }`;

/** Products of a shop, numbered from 1, and what queries find among them, the best first. */
interface Clause {
  readonly clause: string;
  readonly language?: string;
  readonly products: readonly { readonly name: string; readonly gtin?: string }[];
  readonly queries: Readonly<Record<string, readonly number[]>>;
}

const names = (...all: readonly string[]) => all.map((name) => ({ name }));

const clauses: readonly Clause[] = [
  {
    clause: "irregular forms are forms",
    products: names("Knives", "Knife"),
    queries: { knife: [2, 1], knives: [1, 2] },
  },
  {
    clause: "a language without a stemmer finds words as they are spelled",
    language: "pl",
    products: names("Krzesło", "Krzesła"),
    queries: { krzesło: [1], krzesla: [2] },
  },
  {
    clause: "a word written joined, with a hyphen or with a space finds the same products",
    products: names("WiFi", "Wi-Fi", "Wi Fi", "Sun Glasses", "Sunglasses", "Shelf 80 × 30"),
    queries: {
      wifi: [1, 2, 3],
      "wi-fi": [2, 3, 1],
      "wi fi": [2, 3, 1],
      sunglasses: [5, 4],
      "sun glasses": [4, 5],
      "80x30": [6],
    },
  },
  {
    clause: "signs are no letters",
    products: names("LEGO™ set", "Shoe 10½", "Salt & Pepper", "C++"),
    queries: { lego: [1], "10 1/2": [2], "101": [], "salt and pepper": [3], c: [4] },
  },
  {
    clause: "characters with one meaning are one",
    products: names("Lamp ۱۲۸", "Men’s hat"),
    queries: { "lamp 128": [1], "men's hat": [2] },
  },
  {
    clause: "elided words are left out",
    language: "fr",
    products: names("Huile d'olive"),
    queries: { "l'olive": [1] },
  },
  {
    clause: "ae, oe and ue are umlauts in German",
    language: "de",
    products: names("Büro", "Buero"),
    queries: { buero: [2, 1], büro: [1, 2] },
  },
  {
    clause: "parts of a Japanese word are found after the word itself",
    language: "ja",
    products: names("東京タワー模型", "タワー"),
    queries: { タワー: [2, 1] },
  },
  {
    clause: "words as typed come first",
    products: names("Glasses", "Glass", "C", "C#"),
    queries: { glass: [2, 1], glasses: [1, 2], "c#": [4, 3] },
  },
  {
    clause: "words that carry nothing need not match and count for the rank",
    products: names("North Face", "The North Face"),
    queries: { "the north face": [2, 1], "a north face": [1, 2] },
  },
  {
    clause: "an ISBN-10 and the ISBN-13 made of it are one number",
    products: [{ name: "Book", gtin: "080442957X" }],
    queries: { "9780804429573": [1], "ISBN 0-8044-2957-X": [1] },
  },
];

const openShop = async ({ language = "en", products }: Omit<Clause, "clause" | "queries">) => {
  const service = await openTestServer();
  service.apply(settingsUpdated({ language }));
  const bare = { descriptionHtml: null, reference: null, gtin: null };
  for (const [at, product] of products.entries()) {
    service.apply(productUpserted({ ...bare, ...product, id: at + 1 }));
  }
  return {
    async search(query: string, relax = false) {
      const { data } = await service.graphql<Answer>(document, { query, relax });
      const { nodes, search } = data.products;
      return { ids: nodes.map(({ id }) => Number(id)), ...search };
    },
    close: service.close,
  };
};

for (const { clause, queries, ...shop } of clauses) {
  test(`contract §4 ${clause}`, async () => {
    const { search, close } = await openShop(shop);
    for (const [query, expected] of Object.entries(queries)) {
      const { ids, corrections } = await search(query);
      assert.equal([ids, corrections], [expected, []], query);
    }
    await close();
  });
}

test("contract §4 a word is corrected only when no product has any of its forms", async () => {
  const { search, close } = await openShop({ products: names("Mouse", "Mic", "Router 101") });
  assert.equal((await search("mice")).ids, [1]);
  assert.equal((await search("moise")).corrections, [{ word: "moise" }]);
  assert.equal((await search("the")).corrections, []);
  assert.equal((await search("102")).corrections, []);
  await close();
});

test("contract §4 partial matches have the words in their names first, and name the words that counted", async () => {
  const { search, close } = await openShop({
    products: names("Cheese board for two", "Tent for a person", "Tent"),
  });
  const { ids, relaxed, matchedWords } = await search("two person tent", true);
  assert.is(relaxed, true);
  assert.is(ids[0], 2);
  assert.equal(matchedWords, ["person", "tent"]);
  await close();
});

test.run();
