import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import {
  categoryDeleted,
  categoryUpserted,
  pageUpserted,
  productDeleted,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { links } from "./structure.ts";

const test = suite<{ service: TestServer }>("Markdown pages over HTTP");

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    categoryUpserted({ id: 1, name: "Kitchen" }),
    categoryUpserted({ id: 2, name: "Mugs", parentId: 1, descriptionHtml: "<p>To drink.</p>" }),
    productUpserted({
      id: 7,
      name: "Blue mug",
      brand: "Potter",
      gtin: "4006381333931",
      categoryIds: [2],
      descriptionHtml: "<h2>Care</h2><p>Wash <b>cold</b>, see <a href='/care'>care</a>.</p>",
      specifications: [
        { name: "Capacity", value: "0.3 l" },
        { name: "a|b", value: "c\nd" },
      ],
      images: [{ url: "https://shop.example/7.jpg", alt: "A blue mug" }],
    }),
    stockChanged({ productId: 7, quantity: 3 }),
    pageUpserted({ id: 5, title: "Returns", policy: "returns" }),
  );
});
test.after.each(({ service }) => service.close());

const markdown = { accept: "text/markdown" };

test("the page of a product has name, facts, description, specifications, categories and images", async ({
  service,
}) => {
  const response = await service.get("/products/7", markdown);
  assert.is(
    await response.text(),
    `# Blue mug

- Price: 12.90 EUR
- Availability: IN_STOCK
- Brand: Potter
- Reference: SKU-7
- GTIN: 4006381333931
- Id: 7
- Updated: 2026-10-01T08:00:00.000Z
- Page: <https://shop.example/products/7>

## Description

#### Care

Wash **cold**, see [care](https://shop.example/care).

## Specifications

| Name | Value |
| --- | --- |
| Capacity | 0.3 l |
| a\\|b | c d |

## Categories

- [Mugs](${baseUrl}/categories/2.md)

## Images

- [A blue mug](https://shop.example/7.jpg)
`,
  );
});

test("the page of a category has its path, subcategories, and products with prices", async ({
  service,
}) => {
  const parent = await (await service.get("/categories/1", markdown)).text();
  assert.match(parent, `## Subcategories\n\n- [Mugs](${baseUrl}/categories/2.md): 1 product\n`);
  const child = await (await service.get("/categories/2", markdown)).text();
  assert.match(
    child,
    `# Mugs\n\n- In: [Kitchen](${baseUrl}/categories/1.md)\n- Products directly in it: 1\n`,
  );
  assert.match(child, "## Description\n\nTo drink.\n");
  assert.match(child, `- [Blue mug](${baseUrl}/products/7.md): 12.90 EUR, IN_STOCK\n`);
});

test("the links between the pages of a category lead to each product exactly once", async ({
  service,
}) => {
  const ids = Array.from({ length: 120 }, (_, at) => 100 + at);
  service.apply(...ids.map((id) => productUpserted({ id, categoryIds: [1] })));
  const seen: number[] = [];
  let next: string | undefined = "/categories/1.md";
  while (next) {
    const text: string = await (await service.get(next)).text();
    seen.push(...[...text.matchAll(/products\/(\d+)\.md\)/g)].map(([, id]) => Number(id)));
    next = /\[Next products\]\(https:\/\/agents\.shop\.example(.*)\)/.exec(text)?.[1];
  }
  assert.equal(seen, ids);
});

test("an invalid `after` is 400, and 404 on a page without further pages", async ({ service }) => {
  assert.is((await service.get("/categories/1.md?after=nonsense")).status, 400);
  assert.is((await service.get("/products/7.md?after=nonsense")).status, 404);
});

test("the page of a CMS page has title, policy and text", async ({ service }) => {
  const text = await (await service.get("/pages/5", markdown)).text();
  assert.match(text, /^# Returns\n\n- Policy: returns\n/);
  assert.match(text, "## Content\n\n### Page 5\n\nWhat page 5 says.\n");
});

test("the home page is the overview of the shop", async ({ service }) => {
  const text = await (await service.get("/", markdown)).text();
  assert.match(text, /^# Example Shop\n/);
  for (const line of [
    "- Shop: <https://shop.example>",
    "- Products: 1",
    `- [Kitchen](${baseUrl}/categories/1.md)`,
    `- [Returns](${baseUrl}/pages/5.md): What page 5 says.`,
    `- [llms.txt](${baseUrl}/llms.txt)`,
  ]) {
    assert.match(text, line);
  }
  for (const path of ["/index.md", "/.md"]) {
    assert.is(await (await service.get(path)).text(), text, path);
  }
});

const accepted: readonly (readonly [accept: string, status: number])[] = [
  ["text/markdown", 200],
  ["text/x-markdown", 200],
  ["TEXT/Markdown; variant=GFM", 200],
  ["text/markdown, text/html", 200],
  ["text/markdown, text/html;q=0.9, */*;q=0.1", 200],
  ["text/html;q=0.5, text/markdown;q=0.5", 200],
  ["text/markdown;q=0.4, text/*;q=0.3", 200],
  ["text/html, text/markdown;q=0.9", 406],
  ["text/markdown;q=0.9, */*", 406],
  ["text/markdown;q=0", 406],
  ["text/markdown;q=nonsense", 406],
  ["*/*", 406],
  ["text/*", 406],
  ["text/plain", 406],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 406],
  ["application/json", 406],
];

for (const [accept, status] of accepted) {
  test(`Accept: ${accept} is ${status}`, async ({ service }) => {
    const response = await service.get("/products/7", { accept });
    assert.is(response.status, status);
    assert.match(response.headers.get("vary") ?? "", /\bAccept\b/);
  });
}

test("a page requested as HTML is 406 and names the Markdown URL", async ({ service }) => {
  const response = await service.get("/products/7", { accept: "text/html, application/json" });
  assert.is(response.status, 406);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  assert.is(error.code, "not_acceptable");
  assert.match(error.message, `${baseUrl}/products/7.md`);
  assert.match(response.headers.get("link") ?? "", `<${baseUrl}/products/7.md>; rel="alternate"`);
});

test("a browser that opens a page gets 406 with a page that links to the shop's and to the Markdown", async ({
  service,
}) => {
  const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const response = await service.get("/products/7", { accept });
  assert.is(response.status, 406);
  assert.is(response.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(response.headers.get("content-security-policy") ?? "", "default-src 'none'");
  assert.match(response.headers.get("link") ?? "", `<${baseUrl}/products/7.md>; rel="alternate"`);
  const html = await response.text();
  for (const url of ["https://shop.example/products/7", `${baseUrl}/products/7.md`])
    assert.match(html, `<a href="${url}">`);
});

test("a browser that opens the address of the tools gets 405 with a page on how to connect", async ({
  service,
}) => {
  const browser = await service.get("/agent/mcp", { accept: "text/html,*/*;q=0.8" });
  assert.is(browser.status, 405);
  assert.is(browser.headers.get("allow"), "POST");
  assert.match(await browser.text(), `<a href="${baseUrl}/">How to connect one</a>`);
  const client = await service.get("/agent/mcp", { accept: "application/json, text/event-stream" });
  assert.is(client.status, 405);
  assert.is(
    ((await client.json()) as { error: { code: string } }).error.code,
    "method_not_allowed",
  );
});

test("a negotiated page has Vary, is private to caches, and links to its alternatives", async ({
  service,
}) => {
  const { headers } = await service.get("/products/7", markdown);
  assert.is(headers.get("content-type"), "text/markdown; charset=utf-8");
  assert.match(headers.get("cache-control") ?? "", /\bprivate\b/);
  const link = headers.get("link") ?? "";
  assert.match(link, '<https://shop.example/products/7>; rel="canonical"');
  assert.match(link, `<${baseUrl}/products/7.md>; rel="alternate"; type="text/markdown"`);
});

test("a .md URL ignores Accept and may be cached publicly", async ({ service }) => {
  for (const accept of ["text/html", "*/*", "application/json", "text/markdown;q=0"]) {
    const response = await service.get("/products/7.md", { accept });
    assert.is(response.status, 200, accept);
    assert.is(response.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.not.match(response.headers.get("vary") ?? "", /\bAccept(,|$)/);
    assert.not.match(response.headers.get("cache-control") ?? "", /private/);
    assert.match(response.headers.get("link") ?? "", 'products/7>; rel="canonical"');
  }
});

test("x-markdown-tokens is a quarter of the characters, rounded up", async ({ service }) => {
  const response = await service.get("/products/7.md");
  const text = await response.text();
  assert.is(response.headers.get("x-markdown-tokens"), String(Math.ceil(text.length / 4)));
});

test("HEAD has the headers of GET", async ({ service }) => {
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) =>
      service.request("/products/7.md", { method, headers: { "accept-encoding": "identity" } }),
    ),
  );
  assert.is(head?.status, 200);
  assert.is(await head?.text(), "");
  for (const name of ["etag", "last-modified", "content-type", "content-length", "link"]) {
    assert.is(head?.headers.get(name), get?.headers.get(name), name);
  }
});

test("the ETag is strong, matches If-None-Match, and changes with the page", async ({
  service,
}) => {
  const etag = (await service.get("/products/7.md")).headers.get("etag") ?? "";
  assert.match(etag, /^"[\w-]+/);
  const held = await service.get("/products/7.md", { "if-none-match": etag });
  assert.is(held.status, 304);
  assert.is(held.headers.get("etag"), etag);
  service.apply(stockChanged({ productId: 7, quantity: 0 }));
  const fresh = await service.get("/products/7.md", { "if-none-match": etag });
  assert.is(fresh.status, 200);
  assert.match(await fresh.text(), "OUT_OF_STOCK");
});

test("the variants of the home page have different ETags", async ({ service }) => {
  const [html, text] = await Promise.all(
    ["text/html", "text/markdown"].map((accept) => service.get("/", { accept })),
  );
  assert.is.not(html?.headers.get("etag"), text?.headers.get("etag"));
});

test("Last-Modified is the time of the event, and a second with two events is never a match", async ({
  service,
}) => {
  const twice: readonly (readonly [path: string, change: () => void, now: string])[] = [
    [
      "/pages/5.md",
      () => service.apply(pageUpserted({ id: 5, title: "Send it back", policy: "returns" }, soon)),
      "Send it back",
    ],
    [
      "/robots.txt",
      () => service.apply(robotsUpdated("User-agent: late\nDisallow: /\n", soon)),
      "User-agent: late",
    ],
  ];
  service.apply(robotsUpdated("User-agent: *\nDisallow: /cart\n"));
  for (const [path, change, now] of twice) {
    const { headers } = await service.get(path);
    assert.is(headers.get("last-modified"), first);
    change();
    const after = await service.get(path, asOf(first));
    assert.is(after.status, 200, path);
    assert.is(after.headers.get("last-modified"), first);
    assert.match(await after.text(), now);
  }
});

const asOf = (date: string) => ({ "if-modified-since": date });
const first = "Thu, 01 Oct 2026 08:00:00 GMT";
const second = "Fri, 02 Oct 2026 08:00:00 GMT";
/** Within the same second. */
const soon = { time: "2026-10-01T08:00:00.700Z" };
const later = { time: "2026-10-02T08:00:00Z" };
const earlier = { time: "2026-09-30T08:00:00Z" };

const renamed = (time: { readonly time: string }) =>
  categoryUpserted({ id: 2, name: "Cups", parentId: 1 }, time);

/** Changes of a product's page by other events, and its Last-Modified afterwards. */
const otherChanges: readonly (readonly [what: string, event: CloudEvent, date: string])[] = [
  ["its category was renamed", renamed(later), second],
  ["its category was renamed in the same second", renamed(soon), first],
  ["its category was deleted", categoryDeleted(2, later), second],
  ["a category above its own was deleted", categoryDeleted(1, later), second],
  ["prices were hidden", settingsUpdated({ pricesVisible: false }, later), first],
];

for (const [what, event, date] of otherChanges) {
  test(`after ${what} If-Modified-Since of a product is 200; Last-Modified follows categories only`, async ({
    service,
  }) => {
    const etag = (await service.get("/products/7.md")).headers.get("etag") ?? "";
    assert.is((await service.get("/products/7.md", { "if-none-match": etag })).status, 304);
    service.apply(event);
    const after = await service.get("/products/7.md", asOf(first));
    assert.is(after.status, 200);
    assert.is(after.headers.get("last-modified"), date);
    assert.is((await service.get("/products/7.md", { "if-none-match": etag })).status, 200);
  });
}

test("If-Modified-Since of a product is 200 after a stock event older than the product", async ({
  service,
}) => {
  service.apply(productUpserted({ id: 30 }));
  const before = await service.get("/products/30.md");
  assert.match(await before.text(), "OUT_OF_STOCK");
  assert.is(before.headers.get("last-modified"), first);
  service.apply(stockChanged({ productId: 30, quantity: 5 }, earlier));
  const after = await service.get("/products/30.md", asOf(first));
  assert.is(after.status, 200);
  assert.match(await after.text(), "IN_STOCK");
  assert.is(after.headers.get("last-modified"), first);
});

test("If-Modified-Since is 200 for a time that is not the Last-Modified, because events may arrive late", async ({
  service,
}) => {
  const ifModifiedSince = "Sat, 03 Oct 2026 08:00:00 GMT";
  service.apply(productUpserted({ id: 7, name: "Late" }, later));
  const response = await service.get("/products/7.md", asOf(ifModifiedSince));
  assert.is(response.status, 200);
  assert.match(await response.text(), "# Late");
});

test("If-Modified-Since is never 304 for pages whose changes may leave no time", async ({
  service,
}) => {
  service.apply(robotsUpdated());
  for (const path of [
    "/products/7.md",
    "/categories/2.md",
    "/pages/5.md",
    "/robots.txt",
    "/index.md",
    "/llms.txt",
    "/agent-sitemap.xml",
  ]) {
    const response = await service.get(path);
    await response.text();
    const lastModified = response.headers.get("last-modified") ?? "";
    assert.ok(lastModified, path);
    assert.is((await service.get(path, asOf(lastModified))).status, 200, path);
    const etag = response.headers.get("etag") ?? "";
    assert.is((await service.get(path, { "if-none-match": etag })).status, 304, path);
  }
});

test("a URL is found in each of its spellings", async ({ service }) => {
  const url = (path: string) => `https://shop.example${path}`;
  service.apply(
    productUpserted({ id: 20, url: url("/tee/") }),
    productUpserted({ id: 21, url: url("/index.php?id=21&x=%C3%A9") }),
    productUpserted({ id: 22, url: url("/gr%c3%bcn") }),
    productUpserted({ id: 23, url: url("/größe") }),
    productUpserted({ id: 24, url: url("/a~b") }),
    productUpserted({ id: 25, url: url("/notes.md") }),
  );
  for (const [path, id] of [
    ["/tee/", 20],
    ["/tee", 20],
    ["/tee.md", 20],
    ["/tee/.md", 20],
    ["/index.php?id=21&x=%C3%A9", 21],
    ["/index.php.md?id=21&x=%c3%a9", 21],
    ["/index.php?id=21&x=%C3%A9.md", 21],
    ["/gr%C3%BCn.md", 22],
    ["/gr%c3%bcn", 22],
    ["/gr%C3%B6%C3%9Fe.md", 23],
    ["/gr%c3%b6%c3%9fe", 23],
    ["/a%7Eb", 24],
    ["/a%7eb.md", 24],
    ["/notes.md", 25],
    ["/notes.md.md", 25],
  ] as const) {
    const response = await service.get(path, markdown);
    assert.is(response.status, 200, path);
    assert.match(await response.text(), `\n- Id: ${id}\n`, path);
  }
  for (const path of ["/index.php", "/index.php?id=22", "/index.php.md", "/tee//", "/TEE"]) {
    assert.is((await service.get(path, markdown)).status, 404, path);
  }
});

test("tracking parameters do not matter for a page, whatever its URL", async ({ service }) => {
  const url = (path: string) => `https://shop.example${path}`;
  const products = [
    "/index.php?id_product=11&controller=product",
    "/shirt?variant=12",
    "/shirt?variant=13",
    "/feed?utm_source=feed&utm_medium=cpc",
  ];
  service.apply(
    settingsUpdated({ url: url("/en/?lang=en") }),
    ...products.map((path, at) => productUpserted({ id: 11 + at, url: url(path) })),
    categoryUpserted({ id: 4, url: url("/list.php?category=4") }),
    pageUpserted({ id: 8, url: url("/cms?id=8") }),
  );
  const same: readonly (readonly [published: string, tracked: string])[] = [
    ["/products/7", "/products/7?utm_source=chatgpt.com"],
    ["/products/7", "/products/7/?UTM_Source=chatgpt.com&utm_medium=x&gclid=1&"],
    ["/products/7", "/products/7?variant=9&utm_source=chatgpt.com"],
    ["/products/7", "/products/7?utm%5Fsource=chatgpt.com&amp;utm_medium=x"],
    ["/products/7.md", "/products/7.md?fbclid=1"],
    ["/products/7.md", "/products/7?utm_source=chatgpt.com.md"],
    ["/categories/2", "/categories/2?msclkid=1"],
    ["/categories/2.md", "/categories/2.md?srsltid=1"],
    ["/pages/5", "/pages/5?_gl=1*2&mc_cid=3&yclid=4"],
    ["/pages/5.md", "/pages/5.md?gad_source=1&gbraid=2"],
    ["/", "/?utm_source=chatgpt.com"],
    ["/index.md", "/index.md?utm_source=chatgpt.com"],
    ["/en/?lang=en", "/en/?lang=en&utm_source=chatgpt.com"],
    [products[0], `${products[0]}&utm_source=chatgpt.com`],
    [products[0], "/index.php?utm_source=chatgpt.com&id_product=11&gclid=1&controller=product"],
    ["/index.php.md?id_product=11&controller=product", `${products[0]}.md&utm_source=chatgpt.com`],
    [products[0], "/index.php.md?id_product=11&controller=product&utm_source=chatgpt.com"],
    [products[0], `${products[0]}&utm_source=chatgpt.com.md`],
    [products[1], `${products[1]}&utm_source=a&utm_medium=b`],
    [products[2], "/shirt?utm_source=a&variant=13"],
    [products[3], `${products[3]}&utm_source=chatgpt.com`],
    ["/list.php?category=4", "/list.php?category=4&ttclid=1"],
    ["/cms?id=8", "/cms?id=8&twclid=1"],
  ] as [string, string][];
  for (const [published, tracked] of same) {
    const [page, requestedPath] = await Promise.all([
      service.get(published, markdown),
      service.get(tracked, markdown),
    ]);
    assert.is(page.status, 200, published);
    assert.equal(
      [requestedPath.status, requestedPath.headers.get("etag"), await requestedPath.text()],
      [200, page.headers.get("etag"), await page.text()],
      tracked,
    );
  }
  for (const path of ["/products/7?a=1&utm_source=x", "/index.php?id_product=11&utm_source=x"]) {
    assert.is((await service.get(path, markdown)).status, 404, path);
  }
  const html = await service.get("/products/7?utm_source=chatgpt.com", { accept: "text/html" });
  assert.is(html.status, 406);
  assert.match(await html.text(), `${baseUrl}/products/7.md`);
  assert.is(
    (await service.get("/products/7?utm_source=x.md", { accept: "text/html" })).status,
    200,
  );
});

test("further pages of a category are found with tracking parameters before or after the cursor", async ({
  service,
}) => {
  for (let id = 101; id <= 160; id += 1) {
    service.apply(productUpserted({ id, categoryIds: [1] }));
  }
  const first = await (await service.get("/categories/1.md")).text();
  const [, after = ""] = /\?after=([\w-]+)/.exec(first) ?? [];
  const next = await (await service.get(`/categories/1.md?after=${after}`)).text();
  assert.match(next, "Product 160");
  for (const query of [`after=${after}&utm_source=x`, `utm_source=x&after=${after}`]) {
    assert.is(await (await service.get(`/categories/1.md?${query}`)).text(), next, query);
  }
});

test("every Markdown URL on a page is served", async ({ service }) => {
  service.apply(
    productUpserted({
      id: 30,
      url: "https://shop.example/größe(x/?a=1&copy;=2",
      categoryIds: [2],
    }),
  );
  const listed = await (await service.get("/categories/2.md")).text();
  const found = links(listed).find((url) => url.includes("/gr")) ?? "";
  const response = await service.get(found.slice(baseUrl.length));
  assert.is(response.status, 200, listed);
  assert.match(await response.text(), "\n- Id: 30\n");
});

test("the path of the shop's URL is the home page", async ({ service }) => {
  service.apply(
    settingsUpdated({ url: "https://shop.example/en/" }, { time: "2026-10-02T08:00:00Z" }),
  );
  for (const path of ["/en/", "/en", "/en/.md", "/en.md"]) {
    const response = await service.get(path, markdown);
    assert.match(await response.text(), /^# Example Shop\n/, path);
  }
});

test("unknown, deleted, hidden and malformed pages are 404", async ({ service }) => {
  service.apply(
    productDeleted(7),
    categoryDeleted(2),
    pageUpserted({ id: 5, published: false }, { sequence: 2 }),
  );
  for (const path of [
    "/nowhere",
    "/nowhere.md",
    "/products/7",
    "/products/7.md",
    "/categories/2.md",
    "/pages/5.md",
    "/%E0%A4%A",
    "//products/7",
    `/${"x".repeat(5_000)}.md`,
  ]) {
    const response = await service.get(path, markdown);
    assert.is(response.status, 404, path);
    assert.match(await response.text(), /not_found/);
  }
});

test("another method than GET or HEAD is 405, for an unknown URL 404", async ({ service }) => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    const response = await service.request("/products/7.md", { method });
    assert.is(response.status, 405, method);
    assert.match(response.headers.get("allow") ?? "", "GET");
    assert.is((await service.request("/nowhere", { method })).status, 404, method);
  }
});

test("CORS: a page of any origin may read a page", async ({ service }) => {
  const response = await service.get("/products/7.md", { origin: "https://a.example" });
  assert.is(response.headers.get("access-control-allow-origin"), "*");
});

test("prices that the shop hides are hidden on pages", async ({ service }) => {
  service.apply(settingsUpdated({ pricesVisible: false }, { time: "2026-10-02T08:00:00Z" }));
  for (const path of ["/products/7.md", "/categories/2.md"]) {
    const text = await (await service.get(path)).text();
    assert.not.match(text, "12.90");
    assert.match(text, "not shown");
  }
});

test("without a model every page is 503, not 404", async () => {
  const service = await openTestServer({ loaded: false });
  try {
    for (const path of ["/products/7.md", "/", "/llms.txt", "/agent-sitemap.xml", "/robots.txt"]) {
      const response = await service.get(path, markdown);
      assert.is(response.status, 503, path);
      assert.ok(response.headers.get("retry-after"));
    }
  } finally {
    await service.close();
  }
});

test.run();
