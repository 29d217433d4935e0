/** urql with its default settings: a query whose URL is short is a GET, a longer one a POST. */
import { Client, cacheExchange, fetchExchange } from "@urql/core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { graphqlUrl } from "../services.ts";
import { createRecorder, describeRequests } from "./recorder.ts";
import { backpack, type Connect, mustMatch, show, testGraphqlClient } from "./scenario.ts";

const exchanges = [cacheExchange, fetchExchange];

const connectWith =
  (fetch: typeof globalThis.fetch): Connect =>
  (url, headers) => {
    const client = new Client({ url, exchanges, fetchOptions: { headers }, fetch });
    return async (document, variables) => {
      const { data, error } = await client.query(document, variables).toPromise();
      if (error) throw error;
      return data;
    };
  };

const test = suite("@urql/core, methods");

test("sends a short query in the URL, and a long one in a body", async () => {
  const recorder = createRecorder();
  const query = connectWith(recorder.fetch)(graphqlUrl, {});
  const document = "query Named($id: ID!) { product(id: $id) { product { name } } }";
  mustMatch(await show(query(document, { id: backpack.id })), /Urban Explorer/);
  const alias = "longNameOfAField".repeat(128);
  const long = document.replace("{ name }", `{ ${alias}: name }`);
  mustMatch(await show(query(long, { id: backpack.id })), /Urban Explorer/);
  assert.equal(describeRequests(recorder), ["GET text", "POST text"]);
});

test.run();

testGraphqlClient("@urql/core", connectWith(fetch));
