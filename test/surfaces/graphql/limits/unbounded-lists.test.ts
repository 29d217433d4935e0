import { suite } from "uvu";
import * as assert from "uvu/assert";
import { aCategory, aPage, aShop } from "../../../helpers/reader.ts";
import { open, type TestApp } from "../../../http/test-app.ts";

const test = suite<{ testApp: TestApp }>("GraphQL lists without pages");

const count = 20_000;
const long = "x".repeat(2_000);

test.before(async (context) => {
  context.testApp = await open({
    shop: aShop(),
    categories: Array.from({ length: count }, (_, at) => aCategory({ id: at + 1 })),
    pages: Array.from({ length: 200 }, (_, at) => aPage({ id: at + 1, summary: long })),
  });
});
test.after(({ testApp }) => testApp.close());

const all = "__typename id name url depth parentId productCount";

test("20,000 categories are listed with all their fields", async ({ testApp }) => {
  for (const _ of ["graphql-js", "a plan"]) {
    const { data, errors } = await testApp.ask<{
      categories: { categories: readonly { id: string }[] };
    }>(`{ categories { categories { ${all} } userErrors { code } } }`);
    assert.is(errors, undefined);
    assert.is(data.categories.categories.length, count);
  }
});

test("too many aliased fields of a long list are an error", async ({ testApp }) => {
  for (const document of [
    `{ x: categories { categories { ${all} } } y: categories { z: categories { id } } }`,
    `{ categories { categories { ...C } } } fragment C on Category { ${all} again: name }`,
    `{ categories { categories { ${all} ... on Category { t: __typename } } } }`,
  ]) {
    for (const _ of ["graphql-js", "a plan"]) {
      const { data, errors } = await testApp.ask(document);
      assert.is(data, undefined, document);
      assert.is(
        errors?.[0]?.message,
        "The document is too large: fields of listed categories and policies 160000 of at most 140000.",
      );
    }
  }
});

test("fields that are selected twice in one place are merged, and count once", async ({
  testApp,
}) => {
  const document = `{ categories { categories { ${all} } } ... on Query { categories { categories { ${all} } } } }`;
  const { errors } = await testApp.ask(document);
  assert.is(errors, undefined);
});

test("the texts of a list count towards the size of the response", async ({ testApp }) => {
  const names = Array.from({ length: 13 }, (_, at) => `s${at}: summary`);
  const documentOf = (fields: readonly string[]) =>
    `{ policies { policies { ${fields.join(" ")} } } }`;
  for (const _ of ["graphql-js", "a plan"]) {
    const refused = await testApp.ask(documentOf(names));
    assert.match(
      refused.errors?.[0]?.message ?? "",
      /characters of text in the response 52\d{5} of at most 5000000/,
    );
    const accepted = await testApp.ask(documentOf(names.slice(1)));
    assert.is(accepted.errors, undefined);
  }
});

test.run();
