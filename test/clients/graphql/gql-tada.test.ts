/** gql.tada: types of queries from the schema that its command reads from the service. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createProject } from "../project.ts";
import { graphqlUrl } from "../services.ts";
import { mustMatch } from "./scenario.ts";

const plugin = {
  name: "gql.tada/ts-plugin",
  schema: "./schema.graphql",
  tadaOutputLocation: "./graphql-env.d.ts",
};

const program = `
import { initGraphQLTada } from "gql.tada";
import { GraphQLClient } from "graphql-request";
import type { introspection } from "./graphql-env.d.ts";

const graphql = initGraphQLTada<{ introspection: introspection }>();
const search = graphql(\`query Search($words: String!) {
  products(query: $words, first: 1) { nodes { id name availability price { amount } } }
}\`);
const client = new GraphQLClient("${graphqlUrl}");
const { products } = await client.request(search, { words: "leather backpack" });
const [product] = products.nodes;
const state: "IN_STOCK" | "OUT_OF_STOCK" | undefined = product?.availability;
// @ts-expect-error a price may be null
const amount = product?.price.amount;
// @ts-expect-error the query does not select the currency
const currency = product?.price?.currency;
console.log(product?.name, amount, currency, state);
`;

const test = suite("gql.tada");

const project = createProject({ plugins: [plugin] });

test.before(async () => {
  await project.mustRun("gql.tada", "generate-schema", graphqlUrl);
  await project.mustRun("gql.tada", "generate-output");
});

test("types and runs a query", async () => {
  const shown = await project.runProgram(program);
  mustMatch(shown, /Urban Explorer Leather Backpack 129\.99 undefined (IN|OUT_OF)_STOCK/);
});

test("finds a field that the schema does not have", async () => {
  project.write("program.ts", program.replace("availability price", "availabilty price"));
  const { code, output } = await project.run("gql.tada", "check");
  assert.is(code, 1, output);
  mustMatch(output, /Cannot query field .*availabilty.* Did you mean .*availability/);
});

test.run();
