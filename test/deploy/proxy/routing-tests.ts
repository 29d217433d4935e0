import * as assert from "uvu/assert";
import { isShop, type ProxyTest } from "./proxy-context.ts";

/** Paths that Vitrine answers, with the same bytes each time. */
export const agentPaths: readonly string[] = [
  "/graphql/schema.graphql",
  "/graphql?query=%7Bshop%7Bname%7D%7D",
  "/agent/mcp/server-card",
  "/llms.txt",
  "/agent-sitemap.xml",
  "/openapi.json",
  "/auth.md",
  "/products/1.md",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/agent/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/api-catalog",
  "/.well-known/ai-catalog.json",
  "/.well-known/mcp/server-card.json",
  "/.well-known/agent-skills/index.json",
  "/.well-known/ucp",
  "/ucp/2026-04-08/.well-known/ucp",
  "/ucp/mcp/server-card",
];

const shopPaths: readonly string[] = [
  ...["/", "/products/1", "/cart", "/graphqlx", "/agents", "/agent-sitemap.html"],
  ...["/.well-known/security.txt", "/robots.txt", "/llms.txt.html"],
];

/** Accept headers of a page that Vitrine has, with who answers. */
const accepts: readonly (readonly [accept: string, answers: "vitrine" | "shop"])[] = [
  ["text/markdown", "vitrine"],
  ["text/x-markdown", "vitrine"],
  ["text/markdown, text/html;q=0.9, */*;q=0.8", "vitrine"],
  ["text/markdown, text/html, */*", "vitrine"],
  ["text/html, text/markdown;q=0.5", "shop"],
  ["text/markdown;q=0.5, text/html", "shop"],
  ["text/html;q=0.9, text/markdown;q=0.4", "shop"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "shop"],
  ["*/*", "shop"],
];

/** Tests which requests go to Vitrine and which to the shop. */
export const testRouting = (test: ProxyTest): void => {
  test("agent routes go to Vitrine, everything else to the shop", async ({ context }) => {
    for (const path of [...agentPaths, "/agent/changes?since=now"]) {
      const answer = await context.client.get(path);
      assert.is(answer.status, 200, path);
      assert.not(isShop(answer), path);
    }
    for (const path of shopPaths) assert.ok(isShop(await context.client.get(path)), path);
  });

  test("a page goes to who has what the client prefers", async ({ context: { client } }) => {
    for (const [accept, answers] of accepts) {
      const answer = await client.get("/products/1", { accept });
      assert.is(isShop(answer) ? "shop" : "vitrine", answers, accept);
      assert.match(String(answer.headers.vary), /\bAccept\b/, accept);
    }
    assert.ok(
      isShop(await client.send("/products/1", { ":method": "POST", accept: "text/markdown" })),
    );
  });

  test("a page that Vitrine does not have goes to the shop if the client takes HTML", async ({
    context: { client },
  }) => {
    const either = await client.get("/cart", { accept: "text/markdown, text/html;q=0.9" });
    assert.is(either.status, 200);
    assert.ok(isShop(either));
    assert.is((await client.get("/cart", { accept: "text/markdown" })).status, 404);
  });

  test("a POST reaches the shop complete and once, also when the shop breaks the connection", async ({
    context: { client, shop },
  }) => {
    const body = "x".repeat(2_000_000);
    const post = { ":method": "POST", "content-type": "text/plain" };
    assert.ok(isShop(await client.send("/orders", post, body)));
    assert.ok(isShop(await client.send("/orders", { ...post, accept: "text/markdown" }, body)));
    assert.equal(shop.posted().slice(-2), [body.length, body.length]);
    const before = shop.posted().length;
    // A kept connection to the shop exists.
    const broken = await client.send("/breaks", post, body);
    assert.ok(broken.status >= 500);
    assert.is(shop.posted().length, before + 1);
  });

  test("an error of the shop is the shop's answer", async ({ context: { client } }) => {
    for (const accept of ["text/html", "text/markdown, text/html"]) {
      const { status, headers } = await client.get("/maintenance", { accept });
      assert.is(status, 503, accept);
      assert.is(headers["x-answered-by"], "shop", accept);
      assert.is(headers["cache-control"], "public, max-age=60");
    }
  });

  test("the home page is Markdown for an agent and HTML of the shop for a browser", async ({
    context: { client },
  }) => {
    const agent = await client.get("/", { accept: "text/markdown, */*" });
    assert.match(String(agent.headers["content-type"]), "text/markdown");
    const browser = await client.get("/", { accept: "text/html, text/markdown;q=0.1" });
    assert.ok(isShop(browser));
  });
};
