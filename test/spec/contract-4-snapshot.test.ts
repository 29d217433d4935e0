import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { testProgram } from "../helpers/test-program.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { productsThere } from "./writing.ts";

const test = suite<{ service: TestServer; writer: ChildProcess }>("contract §4 one snapshot");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated({ name: "Shop 0" }),
    ...productsThere.map((id) =>
      productUpserted({ id, price: { amount: "0.00", currency: "EUR" } }),
    ),
  );
  const program = testProgram("test/spec/writing-process");
  context.writer = spawn(process.execPath, [...program, context.service.generation], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
});
test.after(async ({ service, writer }) => {
  const exited = once(writer, "exit");
  writer.disconnect();
  await exited;
  await service.close();
});

interface Priced {
  readonly price: { readonly amount: string };
}

interface Page {
  readonly nodes: readonly Priced[];
  readonly totalCount: number;
}

interface LongAnswer {
  readonly before: { readonly name: string; readonly productCount: number };
  readonly after: { readonly name: string; readonly productCount: number };
  readonly one: { readonly product: Priced };
  readonly last: { readonly product: Priced };
  readonly gone: { readonly product: Priced | null };
  readonly pages: Page;
  readonly more: Page;
  readonly found: Page;
}

/** Requests the same facts at the beginning and at the end of a long answer. */
const query = `{
  before: shop { name productCount }
  one: product(id: 1) { product { price { amount } } }
  pages: products(first: 100) { nodes { price { amount } } totalCount }
  found: products(first: 100, query: "product") { nodes { price { amount } } totalCount }
  more: products(first: 100) { nodes { price { amount } } totalCount }
  last: product(id: ${productsThere.at(-1)}) { product { price { amount } } }
  gone: product(id: 1000) { product { price { amount } } }
  after: shop { name productCount }
}`;

/** Every price in the answer, and the number in the shop's name as a price. */
const pricesIn = (answer: LongAnswer): ReadonlySet<string> =>
  new Set([
    ...[answer.pages, answer.found, answer.more].flatMap(({ nodes }) =>
      nodes.map(({ price }) => price.amount),
    ),
    ...[answer.one, answer.last, answer.gone].flatMap(({ product }) => product?.price.amount ?? []),
    ...[answer.before, answer.after].map(({ name }) => `${name.slice("Shop ".length)}.00`),
  ]);

const countsIn = (answer: LongAnswer): ReadonlySet<number> =>
  new Set([
    ...[answer.before, answer.after].map(({ productCount }) => productCount),
    ...[answer.pages, answer.found, answer.more].flatMap(({ nodes, totalCount }) => [
      nodes.length,
      totalCount,
    ]),
    productsThere.length + (answer.gone.product ? 1 : 0),
  ]);

/** Enough answers over enough batches that another process wrote meanwhile. */
const answers = 80;
const wantedSnapshots = 12;

test("contract §4 one request reads one snapshot while another process writes batches", async ({
  service,
}) => {
  const seen = new Set<string>();
  for (let answered = 0; answered < answers || seen.size < wantedSnapshots; answered += 1) {
    const { data, errors } = await service.graphql<LongAnswer>(query);
    assert.is(errors, undefined);
    const prices = pricesIn(data);
    assert.is(prices.size, 1, `one request saw the prices ${[...prices].join(", ")}`);
    const counts = countsIn(data);
    assert.is(counts.size, 1, `one request saw ${[...counts].join(" and ")} products`);
    for (const price of prices) seen.add(price);
  }
});

test.run();
