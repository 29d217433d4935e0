/** openapi-typescript and openapi-fetch: requests with the types of the service's OpenAPI document. */
import { suite } from "uvu";
import { mustMatch } from "../graphql/scenario.ts";
import { createProject } from "../project.ts";
import { services } from "../services.ts";

const program = `
import createClient from "openapi-fetch";
import type { paths } from "./openapi.ts";

const client = createClient<paths>({ baseUrl: "${services.url}" });
const show = (name: string, ...parts: readonly unknown[]) =>
  console.log(name, ...parts.map((part) => JSON.stringify(part)));

const query = 'query ($words: String) { products(query: $words, first: 1) { nodes { name } } }';
const variables = { words: "leather backpack" };
const found = await client.POST("/graphql", { body: { query, variables } });
show("search", found.response.status, found.data?.data);
// @ts-expect-error the document says that a query is a text
const wrong = await client.POST("/graphql", { body: { query: 1 } });
show("wrong", wrong.response.status, wrong.error);

const page = { params: { path: { page: "accessories/urban-explorer-leather-backpack-1006" } }, parseAs: "text" } as const;
const product = await client.GET("/{page}.md", page);
show("page", product.response.status, product.data);
const none = await client.GET("/{page}.md", { params: { path: { page: "no-such-page" } } });
show("missing", none.response.status, none.error);
// @ts-expect-error the document does not have this path
const misspelled = () => client.GET("/llms.tx");

const { data: registered } = await client.POST("/v1/register", { body: { label: "openapi" } });
const call = { name: "get_product", arguments: { product_id: 1006 } };
const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call } as const;
const callWith = (token?: string) =>
  client.POST("/agent/mcp", { body, headers: { Authorization: "Bearer " + token } });
const called = await callWith(registered?.token);
show("called", called.response.status, called.data?.result);
const refused = await callWith("vit_not-issued");
show("refused", refused.response.status, refused.error);

const limited = createClient<paths>({ baseUrl: "${services.limitedUrl}" });
// One request is over the limit, whichever has been sent before.
const readLlms = () => limited.GET("/llms.txt", { parseAs: "text" });
const late = [await readLlms(), await readLlms()];
for (const { response, error } of late) show("late", response.status, error);
`;

const test = suite("openapi-typescript and openapi-fetch");

test("types and sends requests, and shows errors", async () => {
  const project = createProject();
  const document = `${services.url}/openapi.json`;
  await project.mustRun("openapi-typescript", document, "--output", "openapi.ts");
  const shown = await project.runProgram(program);
  mustMatch(shown, /search 200 .*Urban Explorer Leather Backpack/);
  mustMatch(shown, /wrong 400 .*`query` must be a string/);
  mustMatch(shown, /page 200 .*Urban Explorer/);
  mustMatch(shown, /missing 404 .*"not_found"/);
  mustMatch(shown, /called 200 .*129\.99/);
  mustMatch(shown, /refused 401 .*The bearer token is invalid/);
  mustMatch(shown, /late 429 .*The limit is 1 request per minute/);
});

test.run();
