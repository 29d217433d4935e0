import { serverAudits } from "graphql-http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { open, type World } from "./test-app.ts";

const test = suite<{ world: World }>("GraphQL over HTTP");

test.before(async (context) => {
  context.world = await open();
});
test.after(({ world }) => world.close());

/** GET is left out on purpose: POST only (§1 table). These three say that it MAY be there. */
const getOnly = ["5A70", "D6D5", "6A70"];

let address = "";
for (const audit of serverAudits({ url: () => `${address}/graphql` })) {
  test(`${audit.id}: ${audit.name}`, async ({ world }) => {
    address = world.url;
    const result = await audit.fn();
    if (getOnly.includes(audit.id)) return assert.is(result.status, "notice");
    assert.is(result.status, "ok", "reason" in result ? result.reason : "");
  });
}

test("every audit of the package ran", () => {
  assert.ok(serverAudits({ url: address }).length >= 60);
});

test.run();
