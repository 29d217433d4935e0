import { serverAudits } from "graphql-http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { open, type TestApp } from "./test-app.ts";

const test = suite<{ testApp: TestApp }>("GraphQL over HTTP");

test.before(async (context) => {
  context.testApp = await open();
});
test.after(({ testApp }) => testApp.close());

let address = "";
for (const audit of serverAudits({ url: () => `${address}/graphql` })) {
  test(`${audit.id}: ${audit.name}`, async ({ testApp }) => {
    address = testApp.url;
    const result = await audit.fn();
    assert.is(result.status, "ok", "reason" in result ? result.reason : "");
  });
}

test("all audits of graphql-http ran", () => {
  assert.ok(serverAudits({ url: address }).length >= 60);
});

test.run();
