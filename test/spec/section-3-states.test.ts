import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productPatched, productUpserted, stockChanged } from "../helpers/events.ts";
import { openService, type TestService } from "../helpers/service.ts";

const test = suite<{ service: TestService }>("§3 states");

test.before.each(async (context) => {
  context.service = await openService();
});
test.after.each(({ service }) => service.close());

const stateOf = async ({ graphql }: TestService): Promise<string> => {
  const { data } = await graphql<{ product: { product: { availability: string } } }>(
    "{ product(id: 1) { product { availability } } }",
  );
  return data.product.product.availability;
};

test("§3 availability goes both ways between IN_STOCK and OUT_OF_STOCK, from one request to the next", async ({
  service,
}) => {
  service.tell(productUpserted());
  const seen = [await stateOf(service)];
  for (const quantity of [1, 0, 7]) {
    service.tell(stockChanged({ quantity }));
    seen.push(await stateOf(service));
  }
  assert.equal(seen, ["OUT_OF_STOCK", "IN_STOCK", "OUT_OF_STOCK", "IN_STOCK"]);
});

test("§3 availability is the only state: an edit of the product does not move it", async ({
  service,
}) => {
  service.tell(productUpserted(), stockChanged());
  service.tell(productPatched({ name: "Renamed", price: null }));
  service.tell(productUpserted({ name: "Renamed again" }));
  assert.is(await stateOf(service), "IN_STOCK");
});

test("§3 the list, the one product and the filter tell the same state", async ({ service }) => {
  service.tell(productUpserted({ id: 1 }), productUpserted({ id: 2 }));
  for (const quantity of [4, 0]) {
    service.tell(stockChanged({ quantity }));
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
