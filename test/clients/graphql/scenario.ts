/** What each GraphQL client must be able to do, and what it must show of an error. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bearer, exhaustLimit, graphqlUrl, limitedGraphqlUrl } from "../services.ts";

/** Sends a query. Returns what the client shows of the response, or throws. */
export type Query = (
  document: string,
  variables: Readonly<Record<string, string>>,
) => Promise<unknown>;

export type Connect = (url: string, headers: Readonly<Record<string, string>>) => Query;

/** A product of the demo shop. */
export const backpack = {
  id: "1006",
  name: "Urban Explorer Leather Backpack",
  price: { amount: "129.99", currency: "USD" },
};

const searchDocument = `query Search($words: String!) {
  products(query: $words, first: 3) { nodes { id name price { amount currency } } }
}`;

const productDocument = `query ProductById($id: ID!) {
  product(id: $id) { product { name price { amount currency } } userErrors { code message } }
}`;

export const testGraphqlClient = (client: string, connect: Connect): void => {
  const test = suite(`${client}, GraphQL`);
  const query = connect(graphqlUrl, {});

  test("searches products", async () => {
    const shown = await show(query(searchDocument, { words: "leather backpack" }));
    for (const part of [backpack.id, backpack.name, ...Object.values(backpack.price)])
      mustMatch(shown, new RegExp(part));
  });

  test("gets a product by id, and shows why there is none", async () => {
    mustMatch(await show(query(productDocument, { id: backpack.id })), /129\.99/);
    mustMatch(await show(query(productDocument, { id: "99999999" })), /NOT_FOUND/);
  });

  test("shows the messages for an unknown field and an unknown argument", async () => {
    const field = "{ product(id: 1006) { product { nam } } }";
    mustMatch(await show(query(field, {})), /Cannot query field .*nam.* Did you mean/);
    const argument = '{ products(querry: "bag") { totalCount } }';
    mustMatch(await show(query(argument, {})), /Unknown argument .*querry/);
  });

  test("gets data with a token that was not issued, because GraphQL needs none", async () => {
    const withToken = connect(graphqlUrl, bearer("vit_not-issued"));
    mustMatch(await show(withToken(productDocument, { id: backpack.id })), /Urban Explorer/);
  });

  test("shows a 429", async () => {
    await exhaustLimit();
    const limited = connect(limitedGraphqlUrl, {});
    mustMatch(
      await show(limited(productDocument, { id: backpack.id })),
      /The limit is 1 request per minute/,
    );
  });

  test.run();
};

/** Returns as text what a client returned, or the message of its error. */
export const show = async (work: Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await work);
  } catch (error) {
    return error instanceof Error ? error.message : JSON.stringify(error);
  }
};

/** Prints on failure what the client showed. */
export const mustMatch = (shown: string, expected: RegExp): void =>
  assert.match(shown, expected, `${expected} does not match what the client showed: ${shown}`);
