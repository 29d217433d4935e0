/** Apollo Client, with its default link, and with its link for persisted queries that sends hashes in URLs. */
import { createHash } from "node:crypto";
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { graphqlUrl } from "../services.ts";
import { createRecorder, describeRequests } from "./recorder.ts";
import { backpack, type Connect, mustMatch, show, testGraphqlClient } from "./scenario.ts";

const connectBy =
  (createLink: (http: HttpLink) => ApolloLink): Connect =>
  (uri, headers) => {
    const link = createLink(new HttpLink({ uri, headers }));
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    return async (document, variables) =>
      (await client.query({ query: gql(document), variables })).data;
  };

const createPersistedLink = (): PersistedQueryLink =>
  new PersistedQueryLink({
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    useGETForHashedQueries: true,
  });

const test = suite("@apollo/client, persisted queries");

test("sends the text after the first request with its hash, and later only the hash", async () => {
  const recorder = createRecorder();
  const http = new HttpLink({ uri: graphqlUrl, fetch: recorder.fetch });
  const link = ApolloLink.from([createPersistedLink(), http]);
  const client = new ApolloClient({ cache: new InMemoryCache(), link });
  const query = gql`query Persisted($id: ID!) { product(id: $id) { product { name } } }`;
  for (const id of [backpack.id, "1005"]) {
    const shown = await show(client.query({ query, variables: { id } }));
    mustMatch(shown, /Leather Backpack/);
  }
  assert.equal(describeRequests(recorder), ["GET hash", "POST text and hash", "GET hash"]);
});

test.run();

testGraphqlClient(
  "@apollo/client",
  connectBy((http) => http),
);
testGraphqlClient(
  "@apollo/client with persisted queries",
  connectBy((http) => ApolloLink.from([createPersistedLink(), http])),
);
