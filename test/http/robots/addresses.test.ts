import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, robotsUpdated, settingsUpdated } from "../../helpers/events.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { bytesOf, exchange, portOf } from "../../helpers/wire.ts";

const test = suite<{ service: TestServer }>("robots.txt and request targets");

const text = `User-agent: FooBot
Disallow: /private/
Disallow: /(old)/
Disallow: /*?order=
Disallow: /*?filter[
Disallow: /graphql/
Disallow: /a-%2A.html
Disallow: /llms.txt$
Disallow: /sale/
Disallow: /*.php$
Disallow: /$web/
Disallow: /*?$by=
`;

const urls = [
  "https://shop.example/private/p1",
  "https://shop.example/(old)/p2",
  "https://shop.example/list?page=2&order=price",
  "https://shop.example/list?order=price",
  "https://shop.example/list?filter[color]=red",
  "https://shop.example/a-*.html",
  "https://shop.example/sale/",
  "https://shop.example/p4.php",
  "https://shop.example/$web/p5",
  "https://shop.example/list?$by=price",
];

test.before(async (context) => {
  context.service = await openTestServer();
  const products = urls.map((url, at) => productUpserted({ id: at + 1, url }));
  context.service.apply(settingsUpdated(), ...products, robotsUpdated(text));
});
test.after(({ service }) => service.close());

const statusOf = async (service: TestServer, target: string, userAgent: string) => {
  const headers = [
    ["User-Agent", userAgent],
    ["Accept", "text/markdown"],
  ] as const;
  const bytes = bytesOf({ method: "GET", target, headers, body: Buffer.alloc(0) });
  return (await exchange(portOf(service.url), bytes)).status;
};

const shut: readonly string[] = [
  "/private%2Fp1.md",
  "/private/p1",
  "/private/p1.md",
  "/./private/p1.md",
  `/${"./".repeat(1_100)}private/p1.md`,
  `/${"x/../".repeat(1_100)}private/p1.md`,
  "/x/%2e%2E/private/p1.md",
  "/%2e/private/p1.md",
  "/\\../private\\p1.md",
  "/x\\..\\private/p1.md",
  "/%70riv%61te/p1.md",
  "/private/p1.md#part",
  "http://h/private/p1.md",
  "http:///h/private/p1.md",
  "HTTP:////h/private/p1.md",
  "http://h/x/../private/p1.md",
  "foo://h/x\\..\\private/p1.md",
  "http://a@b@h/private/p1.md",
  "/(old)/p2.md",
  "/%28old%29/p2.md",
  "/list?order=price",
  "/list?%6frder=price",
  "/x/..//../list.md?order=price",
  "/list?filter[color]=red",
  "/a-*.html",
  "http:///h/graphql/schema.graphql",
  "/x/../llms.txt",
  "/%2e/llms.txt",
  "/llms.txt/",
  "/sale/",
  "/sale",
  "/sale.md",
  "/p4.php",
  "/p4.php/",
  "/p4.php.md",
  "/$web/p5.md",
  "/list?$by=price",
  "/p4.php?utm_source=chatgpt.com",
  "/private/p1.md?gclid=1",
  "/llms.txt?utm_source=chatgpt.com",
  "/llms.txt/?fbclid=1",
];

for (const target of shut) {
  const shown = target.length > 60 ? `${target.slice(0, 30)}…${target.slice(-20)}` : target;
  test(`${shown} is denied to an agent to which its page is denied`, async ({ service }) => {
    assert.is(await statusOf(service, target, "FooBot/1.2"), 403);
    assert.is(await statusOf(service, target, "BarBot/1.2"), 200);
  });
}

const lists: readonly (readonly [
  rules: string,
  open: readonly string[],
  shut: readonly string[],
])[] = [
  ["Disallow: /\nAllow: /llms.txt$\nAllow: /graphql$", ["/llms.txt"], ["/", "/p4.php", "/sale"]],
  ["Disallow: /\nAllow: /*.md$", ["/p4.php.md", "/sale.md", "/index.md"], ["/p4.php", "/sale/"]],
  ["Disallow: /*/$", ["/llms.txt", "/p4.php", "/private/p1"], ["/sale/", "/sale"]],
  ["Disallow: /graphql/\nDisallow: /p4.php/", ["/graphql", "/p4.php"], ["/graphql/schema.graphql"]],
];

for (const [rules, open, shut] of lists) {
  test(`${rules.replaceAll("\n", ", ")}: Allow rules open their own paths`, async () => {
    const service = await openTestServer();
    const products = urls.map((url, at) => productUpserted({ id: at + 1, url }));
    service.apply(settingsUpdated(), ...products, robotsUpdated(`User-agent: FooBot\n${rules}\n`));
    for (const target of open) {
      assert.is.not(await statusOf(service, target, "FooBot/1.2"), 403, target);
    }
    for (const target of shut)
      assert.is(await statusOf(service, target, "FooBot/1.2"), 403, target);
    await service.close();
  });
}

test("a request target that cannot be parsed is 400 for every agent", async ({ service }) => {
  for (const host of ["h:99999", "%00", "[h"]) {
    for (const path of ["/private/p1.md", "/graphql/schema.graphql"]) {
      for (const userAgent of ["FooBot/1.2", "BarBot/1.2"]) {
        assert.is(await statusOf(service, `http://${host}${path}`, userAgent), 400, host);
      }
    }
  }
});

test("paths that only resemble a denied path stay open", async ({ service }) => {
  assert.is(await statusOf(service, "/llms.txt?a=b", "FooBot/1.2"), 200);
  assert.is(await statusOf(service, "//private/p1.md", "FooBot/1.2"), 404);
});

test.run();
