/** The meaning of a merchant's HTML tags, from the event to each surface that shows a description. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { agentOf } from "../mcp/calls.ts";

const test = suite<{ service: TestServer }>("a merchant's HTML on every surface");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

interface Case {
  readonly what: string;
  readonly html: string;
  /** Plain text of the description. */
  readonly plain: string;
  /** A part of each Markdown page. */
  readonly markdown: string;
}

const cases: readonly Case[] = [
  {
    what: "superscript digits are not joined to the number before them",
    html: "<p>10<sup>3</sup> litres, only 9<sup>99</sup></p>",
    plain: "10³ litres, only 9⁹⁹",
    markdown: "10³ litres, only 9⁹⁹",
  },
  {
    what: "a struck-out price is marked",
    html: "<p>Was <del>20.00</del> <ins>15.00</ins></p>",
    plain: "Was ~~20.00~~ 15.00",
    markdown: "Was ~~20.00~~ 15.00",
  },
  {
    what: "a cell over two rows is repeated in both",
    html: "<table><tr><th>Model</th><th>Feature</th></tr><tr><td rowspan=2>X1</td><td>Wifi</td></tr><tr><td>BT</td></tr></table>",
    plain: "Model\nFeature\nX1\nWifi\nBT",
    markdown: "| X1  | Wifi |\n| X1  | BT  |",
  },
  {
    what: "a URL without a scheme gets that of the page",
    html: '<a href="//cdn.example/a.pdf">Manual</a>',
    plain: "Manual",
    markdown: "[Manual](https://cdn.example/a.pdf)",
  },
  {
    what: "the markup in a CDATA section is read as HTML",
    html: "<![CDATA[<p>Inside</p>]]> after",
    plain: "Inside\nafter",
    markdown: "Inside\n\nafter",
  },
];

for (const { what, html, plain, markdown } of cases) {
  test(`${what}: in text and Markdown of a product, a category and a page`, async ({ service }) => {
    // Before the settings, so that nothing can depend on them.
    const { deadLetters } = service.apply(
      productUpserted({ id: 1, descriptionHtml: html }),
      categoryUpserted({ id: 1, descriptionHtml: html }),
      pageUpserted({ id: 1, contentHtml: html, policy: "returns" }),
      settingsUpdated(),
    );
    assert.equal(deadLetters, []);
    const { data } = await service.graphql<{ product: { product: { description: string } } }>(
      '{ product(id: "1") { product { description } } }',
    );
    assert.is(data.product.product.description, plain);
    for (const path of ["/products/1.md", "/categories/1.md", "/pages/1.md"]) {
      assert.match(await (await service.get(path)).text(), markdown, path);
    }
    const agent = await agentOf(service);
    const { structuredContent: found } = await agent.call<{ product: { description: string } }>(
      "get_product",
      { product_id: 1 },
    );
    assert.is(found.product.description, plain);
    const { structuredContent } = await agent.call<{
      policies: readonly { summary: string; text: string }[];
    }>("get_policies", { topic: "returns" });
    assert.match(structuredContent.policies[0]?.text ?? "", markdown);
    assert.ok(
      plain.startsWith(structuredContent.policies[0]?.summary ?? "-"),
      structuredContent.policies[0]?.summary,
    );
  });
}

test.run();
