import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { agentOf } from "../mcp/calls.ts";

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

interface ToolAnswer {
  readonly products: readonly { readonly id: string | number }[];
}

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
    products: names("Huile d'olive", "Lampe quelqu'une"),
    // Not one of these is a stop word, so that it would have to match.
    queries: { "l'olive": [1], "jusqu'olive": [1], "lorsqu'une lampe": [2] },
  },
  {
    clause: "a raised number behind a word is a note",
    products: names("Kettle¹ steel", "Tile 9 m²"),
    queries: { "kettle steel": [1], kettle1: [], "9 m2": [2] },
  },
  {
    clause: "groups of three digits are also one number, and decimals are none",
    products: names(
      "Confetti 3,000",
      "Confetti 3000",
      "Power 12,000 mAh",
      "Tube 1,5 m",
      "Tube 15 m",
    ),
    queries: {
      "confetti 3000": [2, 1],
      "confetti 3,000": [1, 2],
      "power 12000mah": [3],
      "15 m": [5],
      "tube 1,5": [4],
    },
  },
  {
    clause: "a size may begin with letters",
    products: names("Nut M12 × 30", "Bolt M12x45"),
    queries: { m12x30: [1], "m12 x 30": [1], "m12 × 45": [2] },
  },
  {
    clause: "a number that the query repeats is found where a text has it as often",
    products: names("Trousers 36/36", "Trousers 34/36", "Boot 9.9", "Boot 9"),
    queries: { "trousers 36/36": [1], "boot 9.9": [3] },
  },
  {
    clause: "a word is found at the end of a longer Chinese word",
    language: "zh",
    products: names("平底锅", "空气加湿器"),
    queries: { 锅: [1], 加湿器: [2] },
  },
  {
    clause: "a word with accents is another word",
    language: "pt",
    products: names("Coco", "Cocô bordado"),
    queries: { cocô: [2, 1], coco: [1, 2] },
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
    try {
      for (const [query, expected] of Object.entries(queries)) {
        const { ids, corrections } = await search(query);
        assert.equal([ids, corrections], [expected, []], query);
      }
    } finally {
      await close();
    }
  });
}

test("contract §4 a word is corrected only when no product has any of its forms", async () => {
  const { search, close } = await openShop({ products: names("Mouse", "Mic", "Router 101") });
  try {
    assert.equal((await search("mice")).ids, [1]);
    assert.equal((await search("moise")).corrections, [{ word: "moise" }]);
    assert.equal((await search("the")).corrections, []);
    assert.equal((await search("102")).corrections, []);
  } finally {
    await close();
  }
});

test("contract §4 partial matches have the words in their names first, and name the words that counted", async () => {
  const { search, close } = await openShop({
    products: names("Cheese board for two", "Tent for a person", "Tent"),
  });
  try {
    const { ids, relaxed, matchedWords } = await search("two person tent", true);
    assert.is(relaxed, true);
    assert.is(ids[0], 2);
    assert.equal(matchedWords, ["person", "tent"]);
  } finally {
    await close();
  }
});

test("contract §4 options and attributes are words, on GraphQL and in the tools", async () => {
  const service = await openTestServer();
  const option = (name: string, value: string) => ({ options: [{ name, value }] });
  const bare = { descriptionHtml: null, reference: null, gtin: null };
  const typed = { name: "Capacity", value: "3", numericValue: 3, unit: "litres" };
  try {
    service.apply(
      settingsUpdated({ language: "en" }),
      productUpserted({
        ...{ ...bare, id: 1, name: "Sail jacket" },
        options: [
          { name: "Lining", values: ["Fleece", "Mesh"] },
          { name: "Fit", values: ["Slim", "Wide"] },
        ],
        variants: [{ id: 1, ...option("Lining", "Fleece") }],
      }),
      productUpserted({ ...bare, id: 2, name: "Jug", specifications: [typed] }),
    );
    const expected = {
      "sail jacket lining fleece": [1],
      // No variant has Mesh. The option Fit is open, so each of its values is possible.
      "jacket mesh": [],
      "jacket fit wide": [1],
      "jug capacity 3litres": [2],
      "jug 3 litres": [2],
    };
    const agent = await agentOf(service);
    for (const [query, ids] of Object.entries(expected)) {
      const { data } = await service.graphql<Answer>(document, { query, relax: false });
      const found = data.products.nodes.map(({ id }) => Number(id));
      assert.equal(found, ids, query);
      const wanted = { query, match_all: true };
      const { structuredContent } = await agent.call<ToolAnswer>("search_products", wanted);
      assert.equal(
        structuredContent.products.map(({ id }) => Number(id)),
        ids,
        query,
      );
    }
  } finally {
    await service.close();
  }
});

test.run();
