import { serverAudits } from "graphql-http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { open, type TestApp } from "./test-app.ts";

const test = suite<{ testApp: TestApp }>("GraphQL over HTTP");

test.before(async (context) => {
  context.testApp = await open();
});
test.after(({ testApp }) => testApp.close());

/**
 * The service has no GET by design: POST only (§1 table). These three audits say that GET MAY be supported.
 */
const getOnly = ["5A70", "D6D5", "6A70"];

let address = "";
for (const audit of serverAudits({ url: () => `${address}/graphql` })) {
  test(`${audit.id}: ${audit.name}`, async ({ testApp }) => {
    address = testApp.url;
    const result = await audit.fn();
    if (getOnly.includes(audit.id)) return assert.is(result.status, "notice");
    assert.is(result.status, "ok", "reason" in result ? result.reason : "");
  });
}

test("all audits of graphql-http ran", () => {
  assert.ok(serverAudits({ url: address }).length >= 60);
});

test.run();
