/** The HTTP executor of GraphQL Tools: queries in bodies, in URLs, and as automatic persisted queries. */
import { buildHTTPExecutor, type HTTPExecutorOptions } from "@graphql-tools/executor-http";
import { parse } from "graphql";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { graphqlUrl } from "../services.ts";
import { createRecorder, describeRequests } from "./recorder.ts";
import { backpack, type Connect, mustMatch, show, testGraphqlClient } from "./scenario.ts";

const connectWith =
  (options: HTTPExecutorOptions): Connect =>
  (endpoint, headers) => {
    const execute = buildHTTPExecutor({ ...options, endpoint, headers: { ...headers } });
    return async (document, variables) => await execute({ document: parse(document), variables });
  };

const variants: readonly (readonly [string, HTTPExecutorOptions, readonly string[]])[] = [
  ["by default", {}, ["POST text", "POST text"]],
  ["useGETForQueries", { useGETForQueries: true }, ["GET text", "GET text"]],
  ["apq", { apq: true }, ["POST hash", "POST text and hash", "POST hash"]],
];

const test = suite("@graphql-tools/executor-http, requests");

for (const [name, options, expected] of variants) {
  test(`sends each query as the setting says: ${name}`, async () => {
    const recorder = createRecorder();
    const query = connectWith({ ...options, fetch: recorder.fetch })(graphqlUrl, {});
    const document = "query Executed($id: ID!) { product(id: $id) { product { name } } }";
    for (const id of [backpack.id, "1005"])
      mustMatch(await show(query(document, { id })), /Leather Backpack/);
    assert.equal(describeRequests(recorder), expected);
  });
}

test.run();

for (const [name, options] of variants)
  testGraphqlClient(`@graphql-tools/executor-http, ${name}`, connectWith(options));
