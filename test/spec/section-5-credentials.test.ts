import { suite } from "uvu";
import * as assert from "uvu/assert";
import { settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§5 authentication");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated());
});
test.after(({ service }) => service.close());

const query = "{ shop { name } }";

test("§5 rule 1 GraphQL and its SDL need no credentials", async ({ service }) => {
  assert.equal(await (await service.post({ query })).json(), {
    data: { shop: { name: "Example Shop" } },
  });
  assert.is((await service.get("/graphql/schema.graphql")).status, 200);
});

test("§5 rule 1 credentials that a client sends to GraphQL are ignored", async ({ service }) => {
  for (const authorization of ["Bearer wrong", "Basic dTpw", "nonsense"]) {
    const response = await service.post({ query }, { authorization });
    assert.is(response.status, 200);
    assert.is(response.headers.get("www-authenticate"), null);
    assert.equal(await response.json(), { data: { shop: { name: "Example Shop" } } });
  }
});

test("§5 rule 9 a GraphQL response sets no cookie", async ({ service }) => {
  assert.is((await service.post({ query })).headers.get("set-cookie"), null);
});

test.run();
