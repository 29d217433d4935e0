import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openTestServer } from "../../helpers/test-server.ts";

const test = suite("routes of cached replies");

const markdown = { accept: "text/markdown" };

for (const [path, headers, route] of [
  ["/products/1.md", {}, "page"],
  ["/products/1", markdown, "page"],
  ["/products/1.md?utm_source=a", {}, "page"],
  ["/products/9.md", {}, "unknown"],
  [`/graphql?query=${encodeURIComponent("{ shop { name } }")}`, {}, "graphql"],
] as const) {
  test(`each of twenty requests for ${path} counts as the route "${route}"`, async () => {
    const routes: string[] = [];
    const service = await openTestServer({ observe: (one) => routes.push(one.route) });
    try {
      service.apply(settingsUpdated(), productUpserted({ id: 1 }));
      for (let count = 0; count < 20; count += 1)
        await (await service.get(path, headers)).arrayBuffer();
      assert.equal(routes, Array(20).fill(route));
    } finally {
      await service.close();
    }
  });
}

test.run();
