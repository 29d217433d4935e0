import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openTestServer } from "../helpers/test-server.ts";
import { agentOf } from "../mcp/calls.ts";
import { assertOnPage, shownByGraphql, shownByTool } from "./goods/shown-by.ts";
import { settings, situations } from "./goods/situations.ts";

const test = suite("Contract 9, situations");

for (const { title, settings: own = {}, events, shown } of situations) {
  test(`Contract 9: ${title}`, async () => {
    let now = 0;
    const server = await openTestServer({ now: () => now });
    try {
      server.apply(settings(own), ...events);
      const agent = await agentOf(server);
      for (const [instant, expected] of shown) {
        now = Date.parse(instant);
        const { lastmod: _, featured: __, ...comparable } = expected;
        assert.equal(await shownByGraphql(server, expected), expected, `GraphQL, ${instant}`);
        assert.equal(await shownByTool(agent, expected), comparable, `get_product, ${instant}`);
        await assertOnPage(server, expected);
      }
    } finally {
      await server.close();
    }
  });
}

test.run();
