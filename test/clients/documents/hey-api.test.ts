/** Hey API: a client that its command generates from the service's OpenAPI document. */
import { suite } from "uvu";
import { mustMatch } from "../graphql/scenario.ts";
import { createProject } from "../project.ts";
import { services } from "../services.ts";

const program = `
import { access, graphql, markdownPage, register, tools } from "./sdk/index.ts";

const show = (name: string, ...parts: readonly unknown[]) =>
  console.log(name, ...parts.map((part) => JSON.stringify(part)));

const query = 'query ($words: String) { products(query: $words, first: 1) { nodes { name } } }';
const found = await graphql({ body: { query, variables: { words: "leather backpack" } } });
show("search", found.response?.status, found.data?.data);
// @ts-expect-error the query of a request is text
const wrong = await graphql({ body: { query: 1 } });
show("wrong", wrong.response?.status, wrong.error);

const category = await markdownPage({ path: { page: "accessories" } });
show("page", category.response?.status, category.data);
const none = await markdownPage({ path: { page: "no-such-page" } });
show("missing", none.response?.status, none.error?.error.code);

const { data: registered } = await register({ body: { label: "hey-api" } });
const call = { name: "get_product", arguments: { product_id: 1006 } };
const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call } as const;
const called = await tools({ body, auth: () => registered?.token });
show("called", called.response?.status, called.data);
const refused = await tools({ body, auth: () => "vit_not-issued" });
show("refused", refused.response?.status, refused.error);

const limited = { baseUrl: "${services.limitedUrl}" };
// One request is over the limit, whichever has been sent before.
const late = [await access(limited), await access(limited)];
for (const { response, error } of late) show("late", response?.status, error);
`;

const test = suite("@hey-api/openapi-ts");

test("generates a client that sends requests and shows errors", async () => {
  const project = createProject();
  const document = `${services.url}/openapi.json`;
  await project.mustRun("openapi-ts", "--input", document, "--output", "sdk");
  const shown = await project.runProgram(program);
  mustMatch(shown, /search 200 .*Urban Explorer Leather Backpack/);
  mustMatch(shown, /wrong 400 .*`query` must be a string/);
  mustMatch(shown, /page 200 .*Accessories/);
  mustMatch(shown, /missing 404 "not_found"/);
  mustMatch(shown, /called 200 .*129\.99/);
  mustMatch(shown, /refused 401 .*The bearer token is invalid/);
  mustMatch(shown, /late 429 .*The limit is 1 request per minute/);
});

test.run();
