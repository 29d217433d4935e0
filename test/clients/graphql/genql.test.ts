/** genql: a client that its command generates from the introspection of the service. */
import { suite } from "uvu";
import { createProject } from "../project.ts";
import { graphqlUrl, limitedGraphqlUrl } from "../services.ts";
import { backpack, mustMatch } from "./scenario.ts";

const program = `
import { createClient } from "./genql/index.ts";

const client = createClient();
const words = { query: "leather backpack", first: 1 };
const { products } = await client.query({ products: { __args: words, nodes: { id: true } } });
const id = products.nodes[0]?.id ?? "";
// @ts-expect-error the query does not select the name
console.log("found", id, products.nodes[0]?.name);

const fields = { name: true, price: { amount: true } };
const { product } = await client.query({ product: { __args: { id }, product: fields } });
// @ts-expect-error a product may be null
console.log("got", product.product.name, product.product?.price?.amount);

const show = (error: Error) => console.log("failed", error.message);
// @ts-expect-error the schema does not have the field
await client.query({ product: { __args: { id }, product: { nam: true } } }).catch(show);

const limited = createClient({ url: "${limitedGraphqlUrl}" });
// One request is over the limit, whichever has been sent before.
await limited.query({ shop: { name: true } }).catch(show);
await limited.query({ shop: { name: true } }).catch(show);
`;

const test = suite("@genql/cli");

test("generates a client that searches, gets a product and shows errors", async () => {
  const project = createProject();
  await project.mustRun("genql", "--endpoint", graphqlUrl, "--output", "genql");
  const shown = await project.runProgram(program);
  mustMatch(shown, new RegExp(`found ${backpack.id} undefined`));
  mustMatch(shown, new RegExp(`got ${backpack.name} ${backpack.price.amount}`));
  mustMatch(shown, /failed Cannot query field .*nam.* Did you mean/);
  mustMatch(shown, /failed Too Many Requests: .*The limit is 1 request per minute/);
});

test.run();
