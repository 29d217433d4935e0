/** graphql-request with its default settings. */
import { GraphQLClient } from "graphql-request";
import { testGraphqlClient } from "./scenario.ts";

testGraphqlClient("graphql-request", (url, headers) => {
  const client = new GraphQLClient(url, { headers: { ...headers } });
  return (document, variables) => client.request(document, { ...variables });
});
