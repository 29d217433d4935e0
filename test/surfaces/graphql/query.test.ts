import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  aCategory,
  aPage,
  aProduct,
  aShop,
  type MemoryShop,
  memoryReader,
} from "../../helpers/reader.ts";
import { baseUrl, open, type TestApp } from "../../http/test-app.ts";

const shop: MemoryShop = {
  shop: aShop(),
  products: [
    aProduct({ id: 1, name: "Red hammer", categoryIds: [2] }),
    aProduct({ id: 2, name: "Blue hammer", availability: "OUT_OF_STOCK", categoryIds: [2] }),
    aProduct({ id: 4711, name: "Saw", gtin: null, brand: null, price: null, description: null }),
  ],
  categories: [
    aCategory({ id: 2, name: "Hammers", depth: 2, parentId: 1 }),
    aCategory({ id: 3, name: "Anvils", depth: 2, parentId: 1 }),
    aCategory({ id: 1, name: "Tools" }),
  ],
  pages: [aPage(), aPage({ id: 2, title: "About us", policy: null })],
};

const test = suite<{ testApp: TestApp }>("GraphQL queries");

test.before(async (context) => {
  context.testApp = await open(shop);
});
test.after(({ testApp }) => testApp.close());

/** Executes a document twice, so that both executors answer: first graphql-js, then the compiled plan. */
const twice = async (testApp: TestApp, query: string, variables?: object): Promise<unknown> => {
  const first = await testApp.ask(query, variables);
  const second = await testApp.ask(query, variables);
  assert.equal(second, first);
  assert.is(first.status, 200);
  assert.is(first.errors, undefined);
  return first.data;
};

test("§2 Shop: settings, counts and the API version", async ({ testApp }) => {
  const data = await twice(
    testApp,
    "{ shop { name url language currency productCount categoryCount apiVersion } }",
  );
  assert.equal(data, {
    shop: {
      name: "The Shop",
      url: "https://shop.example",
      language: "de",
      currency: "EUR",
      productCount: 3,
      categoryCount: 1,
      apiVersion: "1",
    },
  });
});

test("§2 Shop: defaults before the first settings event", async () => {
  const bare = await open({});
  const data = await twice(bare, "{ shop { name url language currency productCount } }");
  assert.equal(data, {
    shop: {
      name: "agents.shop.example",
      url: baseUrl,
      language: "en",
      currency: "XXX",
      productCount: 0,
    },
  });
  await bare.close();
});

test("§2 Shop.deprecationPolicy: the shop's text, or how this schema evolves", async ({
  testApp,
}) => {
  const { data } = await testApp.ask<{ shop: { deprecationPolicy: string } }>(
    "{ shop { deprecationPolicy } }",
  );
  assert.match(data.shop.deprecationPolicy, "180 days");
  const own = await open({ shop: aShop({ deprecationPolicy: "Ask us." }) });
  assert.equal(await twice(own, "{ shop { deprecationPolicy } }"), {
    shop: { deprecationPolicy: "Ask us." },
  });
  await own.close();
});

const everyField =
  "id name description url reference gtin brand price { amount currency } availability inStock updatedAt";

test("§2 Product: every field", async ({ testApp }) => {
  assert.equal(await twice(testApp, `{ product(id: 1) { product { ${everyField} } } }`), {
    product: {
      product: {
        id: "1",
        name: "Red hammer",
        description: "What product 1 is good for.",
        url: "https://shop.example/p/1",
        reference: "REF-1",
        gtin: "4006381333931",
        brand: "Acme",
        price: { amount: "12.90", currency: "EUR" },
        availability: "IN_STOCK",
        inStock: true,
        updatedAt: "2026-01-02T03:04:05.000Z",
      },
    },
  });
});

test("§2 Product: missing values are null, and inStock follows availability", async ({
  testApp,
}) => {
  const query = `query Of($id: ID!) { product(id: $id) {
    product { description gtin brand price { amount } inStock availability } userErrors { code } } }`;
  assert.equal(await twice(testApp, query, { id: 4711 }), {
    product: {
      product: {
        description: null,
        gtin: null,
        brand: null,
        price: null,
        inStock: true,
        availability: "IN_STOCK",
      },
      userErrors: [],
    },
  });
  assert.equal(await twice(testApp, "{ product(id: 2) { product { inStock availability } } }"), {
    product: { product: { inStock: false, availability: "OUT_OF_STOCK" } },
  });
});

test("§4.1 rule 3: an unknown id is NOT_FOUND at product, id", async ({ testApp }) => {
  const query = "{ product(id: 99) { product { id } userErrors { code field message } } }";
  assert.equal(await twice(testApp, query), {
    product: {
      product: null,
      userErrors: [
        {
          code: "NOT_FOUND",
          field: ["product", "id"],
          message: "No product has the id 99.",
        },
      ],
    },
  });
});

const noIds = ["0", "-1", "1e3", "007", " 7", "7 ", "1.0", "", "abc", "９"];
for (const id of [...noIds, "9".repeat(10_000)]) {
  test(`§7.1: the id ${JSON.stringify(id.slice(0, 20))} is an INVALID_ARGUMENT`, async ({
    testApp,
  }) => {
    const query =
      "query($id: ID!) { product(id: $id) { product { id } userErrors { code field } } }";
    assert.equal(await twice(testApp, query, { id }), {
      product: {
        product: null,
        userErrors: [{ code: "INVALID_ARGUMENT", field: ["product", "id"] }],
      },
    });
  });
}

test("§2 CategoryPayload: sorted by depth, then name; parentId is null at the root", async ({
  testApp,
}) => {
  const query =
    "{ categories { categories { id name url depth parentId productCount } userErrors { code } } }";
  const url = "https://shop.example/c/1";
  assert.equal(await twice(testApp, query), {
    categories: {
      categories: [
        { id: "1", name: "Tools", url, depth: 1, parentId: null, productCount: 0 },
        { id: "3", name: "Anvils", url, depth: 2, parentId: "1", productCount: 0 },
        { id: "2", name: "Hammers", url, depth: 2, parentId: "1", productCount: 2 },
      ],
      userErrors: [],
    },
  });
});

test("§2 PolicyPayload: every policy page and no other page", async ({ testApp }) => {
  assert.equal(
    await twice(testApp, "{ policies { policies { id title url summary } userErrors { code } } }"),
    {
      policies: {
        policies: [
          {
            id: "1",
            title: "Returns",
            url: "https://shop.example/returns",
            summary: "Thirty days.",
          },
        ],
        userErrors: [],
      },
    },
  );
});

test("§2 Money: prices are null when the shop hides them", async () => {
  const hidden = await open({ ...shop, shop: aShop({ pricesVisible: false }) });
  assert.equal(await twice(hidden, "{ products { nodes { price { amount } } } }"), {
    products: { nodes: [{ price: null }, { price: null }, { price: null }] },
  });
  await hidden.close();
});

test("§7.1: an exception in a field is INTERNAL, with its message only in the log", async () => {
  const broken = await open(shop, {
    reader: () => ({
      ...memoryReader(() => shop),
      snapshot: (read) => read(new Proxy({} as never, { get: () => () => fail() })),
    }),
  });
  const fail = () => {
    throw new Error("secret path /var/lib");
  };
  const query = `{ product(id: 1) { product { id } userErrors { code field message } }
    products { totalCount nodes { id } userErrors { code } }
    categories { categories { id } userErrors { code } }
    policies { policies { id } userErrors { code } } }`;
  assert.equal(await twice(broken, query), {
    product: {
      product: null,
      userErrors: [
        {
          code: "INTERNAL",
          field: ["product"],
          message: "The store failed to answer; retry is safe.",
        },
      ],
    },
    products: { totalCount: 0, nodes: [], userErrors: [{ code: "INTERNAL" }] },
    categories: { categories: [], userErrors: [{ code: "INTERNAL" }] },
    policies: { policies: [], userErrors: [{ code: "INTERNAL" }] },
  });
  assert.match(JSON.stringify(broken.logged), "secret path");

  const ofShop = await broken.ask("{ shop { name } }");
  assert.is(ofShop.data, null);
  assert.is(ofShop.errors?.[0]?.message, "The store failed to answer; retry is safe.");
  await broken.close();
});

test("one request reads one snapshot", async () => {
  let snapshots = 0;
  const moving = await open(() => {
    snapshots += 1;
    return { ...shop, shop: aShop({ name: `Snapshot ${snapshots}` }) };
  });
  const { data } = await moving.ask<Record<"a" | "b", { name: string }>>(
    "{ a: shop { name } b: shop { name } }",
  );
  await moving.close();
  assert.match(data.a.name, /^Snapshot \d+$/);
  assert.is(data.b.name, data.a.name);
});

const lacking: readonly [what: string, query: string, variables: object][] = [
  ["an argument", 'query ($id: ID = "1") { product(id: $id) { product { id } } }', { id: null }],
  [
    "a part of an argument",
    'query ($a: ID = "1") { products(ids: [$a]) { totalCount } }',
    { a: null },
  ],
  ["a directive", "query ($x: Boolean = true) { shop @include(if: $x) { name } }", { x: null }],
];
for (const [what, query, variables] of lacking) {
  test(`${what} whose variable is null is the client's error each time, and is not logged`, async () => {
    const ownApp = await open(shop);
    const statuses: number[] = [];
    for (const accept of ["application/json", "application/graphql-response+json"]) {
      for (let use = 0; use < 3; use += 1) {
        const answer = await ownApp.post({ query, variables }, { accept });
        statuses.push(answer.status);
        const { errors } = (await answer.json()) as { errors: { message: string }[] };
        assert.match(errors[0]?.message ?? "", /must not be null|has invalid value/);
      }
    }
    assert.equal(statuses, [200, 200, 200, 400, 400, 400]);
    assert.equal(ownApp.logged, []);
    await ownApp.close();
  });
}

test.run();
