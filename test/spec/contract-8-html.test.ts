import { suite } from "uvu";
import * as assert from "uvu/assert";
import { categoryUpserted, pageUpserted, productUpserted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { links, textOf as nodeText, parse, walk } from "../surfaces/markdown/structure.ts";

const test = suite<{ service: TestServer }>("Contract 8, HTML of the shop");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

/** The description of a product in GraphQL, and on its page. */
const describe = async (
  service: TestServer,
  descriptionHtml: string,
): Promise<readonly [text: string, markdown: string]> => {
  service.apply(productUpserted({ id: 1, descriptionHtml }));
  const { data } = await service.graphql<{ product: { product: { description: string } } }>(
    '{ product(id: "1") { product { description } } }',
  );
  const page = await (await service.get("/products/1.md")).text();
  const [, markdown = ""] = /## Description\n\n([\s\S]*?)(?=\n\n## |$)/.exec(page) ?? [];
  return [data.product.product.description, markdown.trim()];
};

test("Contract 8: HTML of the shop 1 a block ends a line on every surface, and in the search", async ({
  service,
}) => {
  const html =
    '<fieldset><legend>Fit</legend>Slim</fieldset><nav>Sizes</nav><a style="display:block">Care</a>';
  assert.equal(await describe(service, html), [
    "Fit\nSlim\nSizes\nCare",
    "Fit\n\nSlim\n\nSizes\n\nCare",
  ]);
  service.apply(
    categoryUpserted({ id: 1, descriptionHtml: "<menu><li>Rope</li></menu><search>Hook</search>" }),
    pageUpserted({ id: 1, contentHtml: "<dialog>Opening</dialog><hgroup>Hours</hgroup>" }),
  );
  const { data } = await service.graphql<{ products: { totalCount: number } }>(
    '{ products(query: "sizes care") { totalCount } }',
  );
  assert.is(data.products.totalCount, 1);
  assert.match(await (await service.get("/categories/1.md")).text(), "-   Rope\n\nHook");
  assert.match(await (await service.get("/pages/1.md")).text(), "Opening\n\nHours");
});

test("Contract 8: HTML of the shop 2 emphasis and strikes are what GitHub's Markdown reads", async ({
  service,
}) => {
  const html = "<p><i>Hand</i><i>made</i> <b>Size:<br></b><b>L</b>arge, was <s>9 €</s>8</p>";
  const [, markdown] = await describe(service, html);
  assert.is(markdown, "*Handmade* **Size:  \nL**arge, was ~~9 €~~ 8");
  const marked = [...walk(parse(markdown))].filter(({ type }) => /strong|emph|del/.test(type));
  assert.equal(marked.map(nodeText), ["Handmade", "Size:L", "9 €"]);
});

test("Contract 8: HTML of the shop 3 an element with an address is one link", async ({
  service,
}) => {
  const html =
    '<a href="/a"><img src="/a.png"><div>New</div><h4>Rope</h4></a><a href="/b">&nbsp;<b></b></a>';
  const [, markdown] = await describe(service, html);
  assert.equal(links(markdown), ["https://shop.example/a.png", "https://shop.example/a"]);
  assert.match(markdown, "[New](https://shop.example/a)\n\n###### Rope");
});

test("Contract 8: HTML of the shop 4 addresses and tildes are as the shop wrote them", async ({
  service,
}) => {
  const address = "https://shop.example/_a_/b_c?d=~e";
  const html = `<ul><li>(${address}), 5~6 or 7~8</li><li>www.shop.example/b_c_d</li></ul>`;
  const [, markdown] = await describe(service, html);
  assert.is(markdown, `-   (<${address}>), 5\\~6 or 7\\~8\n-   www.shop.example/b_c_d`);
  assert.equal(links(markdown), [address, "http://www.shop.example/b_c_d"]);
});

test("Contract 8: HTML of the shop 5 a heading is one line, and a line break separates words", async ({
  service,
}) => {
  const html = "<h2><b>Wool<br></b>care</h2><p>Cold<em><br></em>water</p>";
  const [, markdown] = await describe(service, html);
  assert.is(markdown, "#### **Wool** care\n\nCold  \nwater");
});

test.run();
