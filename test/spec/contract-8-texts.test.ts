import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
} from "../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";
import { links, textOf as nodeText, parse, walk } from "../surfaces/markdown/structure.ts";

const test = suite<{ service: TestServer }>("contract §8");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

const textOf = async (service: TestServer, path: string): Promise<string> =>
  (await service.get(path)).text();

test("contract §8: URLs in a text are Markdown autolinks, whichever field they come from", async ({
  service,
}) => {
  const address = "https://size.example/a_b?c=1&d=2";
  service.apply(
    settingsUpdated({ description: `See ${address}, or (${address}).` }),
    productUpserted({ id: 1, specifications: [{ name: "Manual", value: address }] }),
  );
  for (const path of ["/llms.txt", "/index.md", "/products/1.md"]) {
    const text = await textOf(service, path);
    assert.match(text, `<${address}>`, path);
    assert.not.match(text, /https?\\:/, path);
    assert.ok(links(text).includes(address), path);
  }
  const llms = await textOf(service, "/llms.txt");
  assert.match(llms, `POST queries to <${baseUrl}/graphql>, no credentials`);
});

test("contract §8: an encoded slash is read as a slash, also by the rules of robots.txt", async ({
  service,
}) => {
  service.apply(
    productUpserted({ id: 7, url: "https://shop.example/mugs/blue/7" }),
    productUpserted({ id: 8, url: "https://shop.example/mugs/gr%c3%bcn,8" }),
    robotsUpdated("User-agent: kettle\nDisallow: /mugs/blue/\n"),
  );
  const read = async (path: string, agent: string) => {
    const response = await service.get(path, { "user-agent": agent });
    return [response.status, response.headers.get("etag"), await response.text()] as const;
  };
  const page = await read("/mugs/blue/7.md", "teapot");
  assert.is(page[0], 200);
  for (const path of ["/mugs%2Fblue%2F7.md", "/mugs%2fblue/7.md"]) {
    assert.equal(await read(path, "teapot"), page, path);
    assert.is((await read(path, "kettle"))[0], 403, path);
  }
  for (const path of ["/mugs%2Fgr%C3%BCn%2C8.md", "/mugs/gr%c3%bcn%2c8"])
    assert.is((await service.get(path, { accept: "text/markdown" })).status, 200, path);
});

test("contract §8: text that only resembles a URL stays text", async ({ service }) => {
  const odd =
    "https://evil.example/](https://x.example) https://a|b https://c`d` javascript:alert(1)";
  service.apply(settingsUpdated(), productUpserted({ id: 1, name: odd }));
  const text = await textOf(service, "/products/1.md");
  const [title = ""] = text.split("\n");
  assert.not.match(title, "<");
  // A Markdown reader may still autolink a bare URL; such a link leads to the URL it shows.
  for (const node of walk(parse(title))) {
    if (node.type === "link") assert.is(node.url, nodeText(node));
  }
});

test("contract §8: a table with blocks in its cells is a table of readable text", async ({
  service,
}) => {
  service.apply(
    settingsUpdated(),
    productUpserted({
      id: 1,
      descriptionHtml:
        "<table><tr><th>Part</th><th>Care</th></tr><tr><td><p>Sole</p><p>(rubber)</p></td><td><ul><li>Brush</li><li>Dry</li></ul></td></tr></table>",
    }),
  );
  const text = await textOf(service, "/products/1.md");
  assert.match(text, "| Part | Care |\n| --- | --- |\n| Sole; (rubber) | Brush; Dry |");
  assert.not.match(text, /&lt;|<(?!https)/);
});

test("contract §8: an overview that omits categories says how many and links to them", async ({
  service,
}) => {
  const categories = Array.from({ length: 103 }, (_, at) =>
    categoryUpserted({ id: at + 1, name: `Category ${at}` }),
  );
  service.apply(settingsUpdated(), ...categories);
  for (const path of ["/llms.txt", "/index.md"]) {
    const text = await textOf(service, path);
    assert.match(text, `(${baseUrl}/agent-sitemap.xml): 3 more categories`, path);
  }
});

test.run();
