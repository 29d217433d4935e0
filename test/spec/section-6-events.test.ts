import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { introspected } from "./published-schema.ts";

const test = suite<{ service: TestServer }>("§6 events");

test.before(async (context) => {
  context.service = await openTestServer();
});
test.after(({ service }) => service.close());

test("§6 the schema has no subscription type", async ({ service }) => {
  const schema = await introspected(service);
  assert.not.ok(schema.getSubscriptionType());
  assert.not.ok(schema.getType("Subscription"));
});

test("§6 a subscription is a malformed document, whatever stream the client accepts", async ({
  service,
}) => {
  for (const accept of ["application/json", "text/event-stream", "multipart/mixed"]) {
    const response = await service.post({ query: "subscription { shop { name } }" }, { accept });
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    const answer = (await response.json()) as { data?: unknown; errors?: readonly unknown[] };
    assert.is(answer.data, undefined);
    assert.ok(answer.errors?.length);
  }
});

test("§6 the schema has no @defer and no @stream", async ({ service }) => {
  const schema = await introspected(service);
  assert.not.ok(schema.getDirective("defer"));
  assert.not.ok(schema.getDirective("stream"));
});

test.run();
