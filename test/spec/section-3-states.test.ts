import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productPatched, productUpserted, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§3 states");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

const stateOf = async ({ graphql }: TestServer): Promise<string> => {
  const { data } = await graphql<{ product: { product: { availability: string } } }>(
    "{ product(id: 1) { product { availability } } }",
  );
  return data.product.product.availability;
};

test("§3 availability changes between IN_STOCK and OUT_OF_STOCK in both directions, at the next request", async ({
  service,
}) => {
  service.apply(productUpserted());
  const seen = [await stateOf(service)];
  for (const quantity of [1, 0, 7]) {
    service.apply(stockChanged({ quantity }));
    seen.push(await stateOf(service));
  }
  assert.equal(seen, ["OUT_OF_STOCK", "IN_STOCK", "OUT_OF_STOCK", "IN_STOCK"]);
});

test("§3 availability is the only state: an edit of the product does not change it", async ({
  service,
}) => {
  service.apply(productUpserted(), stockChanged());
  service.apply(productPatched({ name: "Renamed", price: null }));
  service.apply(productUpserted({ name: "Renamed again" }));
  assert.is(await stateOf(service), "IN_STOCK");
});

test("§3 product, list and filter agree on availability", async ({ service }) => {
  service.apply(productUpserted({ id: 1 }), productUpserted({ id: 2 }));
  for (const quantity of [4, 0]) {
    service.apply(stockChanged({ quantity }));
    const { data } = await service.graphql<{
      all: { nodes: { id: string; availability: string }[] };
      orderable: { nodes: { id: string }[] };
    }>(
      "{ all: products { nodes { id availability } } orderable: products(inStockOnly: true) { nodes { id } } }",
    );
    const state = await stateOf(service);
    assert.is(data.all.nodes.find(({ id }) => id === "1")?.availability, state);
    assert.equal(data.orderable.nodes, state === "IN_STOCK" ? [{ id: "1" }] : []);
  }
});

test.run();
