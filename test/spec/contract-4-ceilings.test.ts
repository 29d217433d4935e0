import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ lists: TestServer; texts: TestServer }>("contract §4 ceilings");

const numbered = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

interface Texts {
  readonly name: string;
  readonly description: string;
  /** Values of its specifications, and of the names of its variants. */
  readonly values: readonly string[];
  readonly tags: readonly string[];
  readonly highlights: readonly string[];
  readonly warnings: readonly string[];
}

/** Builds a product that has everything. */
const buildProduct = (id: number, { name, description, values, warnings, ...texts }: Texts) => {
  const urls = values.map((value) => `https://shop.example/${value.slice(0, 1_900)}`);
  const company = { name, address: description.slice(0, 1_000), url: urls[0] ?? null };
  return productUpserted({
    ...{ id, name, brand: name, descriptionHtml: `<p>${description}</p>`, ...texts },
    specifications: values.map((value, at) => ({ name: `Length ${at}`, value })),
    images: urls.map((url) => ({ url })),
    media: urls.map((url) => ({ type: "video", url })),
    warnings: warnings.map((text) => ({ text })),
    ...{ manufacturer: company, responsiblePerson: company },
    related: values.map((_, at) => ({ productId: at + 1, relationship: "similar" })),
    options: [{ name: "Size", values: values.map((_, at) => `${at}`) }],
    variants: values.map((value, at) => ({
      ...{ id: at + 1, name: value.slice(0, 500), specifications: [{ name: "Length", value }] },
      options: [{ name: "Size", value: `${at}` }],
    })),
  });
};

const open = async (texts: Texts): Promise<TestServer> => {
  const service = await openTestServer();
  const products = numbered(100, (at) => buildProduct(at + 1, texts));
  const { rejected } = service.apply(settingsUpdated({ currency: "EUR" }), ...products);
  assert.is(rejected, 0);
  return service;
};

const texts = (count: number, length: number): string[] =>
  numbered(count, (at) => `text-${at}`.padEnd(length, "x"));

test.before(async (context) => {
  context.lists = await open({
    ...{ name: "Text", description: "Text", values: texts(70, 1), tags: texts(70, 1) },
    ...{ highlights: texts(20, 1), warnings: texts(20, 1) },
  });
  context.texts = await open({
    ...{ name: "n".repeat(500), description: "d".repeat(2_000), values: texts(10, 2_000) },
    ...{ tags: texts(100, 100), highlights: texts(20, 150), warnings: texts(5, 2_000) },
  });
});
test.after(async ({ lists, texts }) => {
  await lists.close();
  await texts.close();
});

const times = (count: number, make: (at: number) => string): string =>
  numbered(count, make).join(" ");

const refused = async (
  service: TestServer,
  document: string,
  message: RegExp,
  variables?: object,
): Promise<void> => {
  const { data, errors = [] } = await service.graphql(document, variables);
  assert.is(data, undefined, document);
  assert.is(errors.length, 1);
  assert.match(errors[0]?.message ?? "", message, document);
};

const served = async (service: TestServer, document: string, variables?: object) => {
  const { errors } = await service.graphql(document, variables);
  assert.is(errors, undefined, `${errors?.[0]?.message} ${document}`);
};

const tooManyFields =
  /^The document is too large: fields and list entries of the response \d+ of at most 60000\. Ask for smaller pages or fewer fields, or send several requests\.$/;
const tooManyVariants =
  /^The document is too large: variants of products \d+ of at most 3000\. Ask/;
const tooMuchText =
  /^The document is too large: characters of text in the response \d+ of at most 5000000\. Ask/;
const tooExpensive = /^The document is too large: expensive arguments \d+ of at most 5\. Ask/;

const pageOf = (field: string, aliases: number): string =>
  `{ products(first: 100) { nodes { ${times(aliases, (at) => `a${at}: ${field}`)} } } }`;

test("contract §4 page sizes multiply the fields below them, by aliases, fragments and variables", async ({
  lists,
}) => {
  const titles = times(22, (at) => `t${at}: title`);
  const variants = `variants(first: 30) { nodes { ${titles} } }`;
  await refused(lists, `{ products(first: 100) { nodes { ${variants} } } }`, tooManyFields);
  await refused(
    lists,
    `{ products(first: 100) { edges { node { ${variants} } } } }`,
    tooManyFields,
  );
  await refused(
    lists,
    `{ products(first: 100, query: "x") { edges { matchedVariants(first: 10) { nodes { ...f } } } } }
     fragment f on Variant { ${times(20, (at) => `s${at}: stock { ...s }`)} }
     fragment s on Stock { status quantity availabilityDate }`,
    tooManyFields,
  );
  const byVariable = `query($p: Int, $v: Int = 30) { products(first: $p) { nodes { variants(first: $v) { nodes { ${titles} } } } } }`;
  await refused(lists, byVariable, tooManyFields, { p: 100 });
  await served(lists, byVariable, { p: 10 });
  await served(lists, byVariable, { p: 100, v: 2 });
});

test("contract §4 a field that several fragments select in one position counts once", async ({
  lists,
}) => {
  const page = "variants(first: 20) { nodes { id title url } }";
  const fragments = times(3, (at) => `fragment f${at} on Product { ${page} }`);
  await served(lists, `{ products(first: 100) { nodes { ...f0 ...f1 ...f2 } } } ${fragments}`);
});

const listFields = {
  attributes: "attributes { unit }",
  images: "images { width }",
  media: "media { alt }",
  warnings: "warnings { code }",
  related: "related { relationship }",
  highlights: "highlights",
  tags: "tags",
};

for (const [name, field] of Object.entries(listFields)) {
  test(`contract §4 each entry of \`${name}\` counts as it is written`, async ({ lists }) => {
    await served(lists, pageOf(field, 3));
    await refused(lists, pageOf(field, 29), tooManyFields);
  });
}

test("contract §4 each entry of an option counts as it is written", async ({ lists }) => {
  const option = "options { values { value exists available id swatchColor swatchImageUrl } }";
  await served(lists, pageOf(option, 1));
  const rest = "tags related { productId } media { url }";
  await refused(lists, `{ products(first: 100) { nodes { ${option} ${rest} } } }`, tooManyFields);
});

const textFields = {
  ...{ description: "description", attributes: "attributes { value }", tags: "tags" },
  ...{ images: "images { url }", media: "media { url }", highlights: "highlights" },
  ...{ warnings: "warnings { text }", manufacturer: "manufacturer { name address url }" },
  ...{ responsiblePerson: "responsiblePerson { name address url }" },
};

for (const [name, field] of Object.entries(textFields)) {
  test(`contract §4 the characters of \`${name}\` count as they are written`, async ({ texts }) => {
    await served(texts, pageOf(field, 1));
    await refused(texts, pageOf(field, 29), tooMuchText);
  });
}

test("contract §4 the characters of variants count as they are written", async ({ texts }) => {
  const page = (fields: string) =>
    `{ products(first: 100) { nodes { variants(first: 10) { nodes { ${fields} } } } } }`;
  await served(texts, page("title"));
  await refused(texts, page(times(11, (at) => `t${at}: title`)), tooMuchText);
  await refused(texts, page(times(3, (at) => `a${at}: attributes { value }`)), tooMuchText);
});

test("contract §4 an answer of a plan is given up over the ceiling, as one of graphql-js is", async ({
  texts,
}) => {
  const pages = (count: number) =>
    `{ ${times(count, (at) => `p${at}: products(first: 100) { nodes { ...f } }`)} }
     fragment f on Product { id name description again: description }`;
  await served(texts, pages(9));
  const more = pages(9).replace("again: description", "again: description more: description");
  await refused(texts, more, tooMuchText);
});

const offers = {
  ...{ listPrice: "listPrice { amount }", listPriceKind: "listPriceKind" },
  ...{ priorPrice: "priorPrice { amount }", discountPercent: "discountPercent" },
  ...{ sale: "sale { startsAt }", upcomingSales: "upcomingSales { startsAt }" },
  ...{ unitPrice: "unitPrice { base { unit } }", stock: "stock { status }" },
  ...{ quantityRule: "quantityRule { min }", featuredVariant: "featuredVariant { id }" },
};

for (const [name, field] of Object.entries(offers)) {
  test(`contract §4 \`${name}\` counts 20 variants for each product`, async ({ lists }) => {
    const pages = (rest: number) =>
      `{ a: products(first: 100) { nodes { ${field} } } b: products(first: ${rest}) { edges { node { ${field} } } } }`;
    await served(lists, pages(50));
    await refused(lists, pages(51), tooManyVariants);
  });
}

test("contract §4 all members of an offer together count 20, whatever their aliases", async ({
  lists,
}) => {
  const members = Object.values(offers).join(" ");
  await served(
    lists,
    `{ products(first: 100) { nodes { price { amount } priceRange { min { amount } } ${members} again: ${offers.stock} } } }`,
  );
});

for (const [name, field] of Object.entries({
  "variant by options": 'variant(options: [{ name: "Size", value: "3" }]) { id stock { status } }',
  "variant by id": 'variant(id: "3") { id }',
  options: "options { name }",
})) {
  test(`contract §4 ${name} counts 20 variants for each product and each alias`, async ({
    lists,
  }) => {
    await served(lists, pageOf(field, 1));
    await refused(lists, pageOf(field, 2), tooManyVariants);
  });
}

test("contract §4 matchedVariants counts 20 variants for each product, and its page", async ({
  lists,
}) => {
  const page = (products: number, first: string) =>
    `{ products(first: ${products}, query: "x") { edges { matchedVariants${first} { totalCount } } } }`;
  await served(lists, page(100, "(first: 0)"));
  await served(lists, page(100, ""));
  await refused(lists, page(100, "(first: 11)"), tooManyVariants);
});

const tooManyRead =
  /^The document is too large: variants of the products that fields read variants of, \d+ of at most 15000\. Ask/;

for (const [field, at] of Object.entries({
  "variants(first: 1) { totalCount }": 3,
  "featuredVariant { id }": 3,
})) {
  test(`contract §4 ${field} counts all variants of each product as it reads them`, async ({
    lists,
  }) => {
    await served(lists, pageOf(field, at - 1));
    await refused(lists, pageOf(field, at), tooManyRead);
  });
}

test("contract §4 options, variant and matchedVariants count all variants of each product", async ({
  lists,
}) => {
  const pages = times(3, (at) => `v${at}: variants(first: 1) { totalCount }`);
  const fields = `options { name } variant(id: "1") { id } ${pages}`;
  const page = (products: number) =>
    `{ products(first: ${products}, query: "text") { edges { node { ${fields} } matchedVariants(first: 0) { totalCount } } } }`;
  await served(lists, page(35));
  await refused(lists, page(36), tooManyRead);
});

const searches = (...fields: readonly (readonly [string, string])[]): string =>
  `{ ${fields.map(([given, selected], at) => `p${at}: products(first: 1, ${given}) { ${selected} }`).join(" ")} }`;

const [status, sort, attributes, facets] = [
  ["stockStatus: [IN_STOCK]", "totalCount"],
  ["orderBy: RATING", "totalCount"],
  ['attributes: [{ name: "Length 0", value: "x" }]', "totalCount"],
  ['query: "x"', "facets { brands { count } }"],
] as const;

test("contract §4 one request may filter by everything, sort and count", async ({ lists }) => {
  const given = `${status[0]}, orderBy: NEWEST, ${attributes[0]}, options: [{ name: "Size", value: "1" }],
    onSale: false, condition: NEW, minRating: 1, priceMin: "1", priceMax: "9", query: "x"`;
  await served(lists, searches([given, facets[1]]));
  await refused(lists, searches([given, facets[1]], attributes), tooExpensive);
});

for (const [name, document] of Object.entries({
  "two filters by values, and two sorts": searches(attributes, attributes, sort, sort),
  "sorts, filters and facets": searches(
    [`orderBy: DISCOUNT, onSale: true`, facets[1]],
    [`orderBy: NEWEST, minRating: 2`, "totalCount"],
    [`orderBy: RATING, priceMin: "2"`, "totalCount"],
  ),
  "a filter by state of stock and four others": searches(status, sort, attributes, facets, sort),
})) {
  test(`contract §4 the expensive arguments of a document add up: ${name}`, async ({ lists }) => {
    await refused(lists, document, tooExpensive);
  });
}

test("contract §4 one list of a document may have facets, under any number of aliases", async ({
  lists,
}) => {
  await served(lists, searches([facets[0], `a: ${facets[1]} b: ${facets[1]}`], sort));
  await refused(
    lists,
    searches(facets, facets),
    /^The document is too large: `products` fields with `facets` 2 of at most 1\.$/,
  );
});

test("contract §4 expensive arguments in variables count unless they are null", async ({
  lists,
}) => {
  const document = `query($s: [StockStatus!], $o: ProductOrder) {
    a: products(stockStatus: $s, orderBy: $o) { totalCount } b: products(stockStatus: $s, orderBy: $o) { totalCount }
    c: products(orderBy: $o) { totalCount } d: products(orderBy: $o) { totalCount } e: products(orderBy: $o) { totalCount } }`;
  await served(lists, document, { s: null, o: "RATING" });
  await served(lists, document, { o: null });
  await served(lists, document, { s: ["IN_STOCK"], o: null });
  await refused(lists, document, tooExpensive, { s: ["IN_STOCK"], o: "NEWEST" });
  const one = document.replace("b: products(stockStatus: $s,", "b: products(");
  await served(lists, one, { s: ["IN_STOCK"], o: "NAME" });
  await refused(lists, one, tooExpensive, { s: ["IN_STOCK"], o: "DISCOUNT" });
});

test("contract §4 the documents of real clients stay below the ceilings", async ({ lists }) => {
  const core = `id name description url reference gtin brand price { amount currency } availability updatedAt`;
  await served(
    lists,
    `{ products(first: 100) { nodes { ${core} } pageInfo { endCursor } totalCount } }`,
  );
  await served(
    lists,
    `{ products(first: 100) { nodes { ${core} ${offers.listPrice} ${offers.stock} attributes { name value }
      images { url alt } variants(first: 10) { nodes { id title sku price { amount } stock { status } options { name value } } } } } }`,
  );
  await served(
    lists,
    `{ product(id: "1") { product { ${core} options { name values { value available } }
      variants(first: 100) { nodes { id title url sku price { amount currency } listPrice { amount } stock { status quantity }
      options { name value } attributes { name value } images { url alt } } pageInfo { endCursor hasNextPage } } } } }`,
  );
  await served(
    lists,
    `{ products(first: 40, query: "text") { edges { node { ${core} stock { status } options { name values { value exists } } }
      matchedVariants { nodes { id title } totalCount } } facets { brands { brand count } options { name values { value count } } } } }`,
  );
});

test.run();
