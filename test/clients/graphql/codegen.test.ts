/** GraphQL Code Generator with its client preset: types of queries from the schema of the service. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createProject } from "../project.ts";
import { graphqlUrl } from "../services.ts";
import { mustMatch } from "./scenario.ts";

const config = {
  schema: graphqlUrl,
  documents: ["program.ts"],
  generates: { "./gql/": { preset: "client" } },
};

const program = `
import { GraphQLClient } from "graphql-request";
import { graphql } from "./gql/index.ts";
import type { SearchQuery } from "./gql/graphql.ts";

const search = graphql(\`query Search($words: String!) {
  products(query: $words, first: 1) { nodes { id name price { amount } } }
}\`);
const client = new GraphQLClient("${graphqlUrl}");
const result: SearchQuery = await client.request(search, { words: "leather backpack" });
const [product] = result.products.nodes;
// @ts-expect-error a price may be null
const amount = product?.price.amount;
// @ts-expect-error the variable is a string
const refused = () => client.request(search, { words: 1 });
console.log(product?.name, amount, typeof refused);
`;

const test = suite("@graphql-codegen/cli");

const project = createProject();
project.write("codegen.json", JSON.stringify(config));

test("types and runs a query", async () => {
  project.write("program.ts", program);
  await project.mustRun("graphql-codegen", "--config", "codegen.json");
  const shown = await project.runProgram(program);
  mustMatch(shown, /Urban Explorer Leather Backpack 129\.99 function/);
});

test("finds a field that the schema does not have", async () => {
  project.write("program.ts", program.replace("id name", "id nam"));
  const { code, output } = await project.run("graphql-codegen", "--config", "codegen.json");
  assert.is(code, 1, output);
  mustMatch(output, /Cannot query field .*nam.* Did you mean/);
});

test.run();
