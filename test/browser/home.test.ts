import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { baseUrl } from "../helpers/test-server.ts";
import { type BrowserContext, openBrowserContext, visit } from "./visit.ts";

const test = suite<{ context: BrowserContext }>("home page in a browser");

test.before(async (context) => {
  context.context = await openBrowserContext();
});
test.after(({ context }) => context?.close());

test("the home page names the shop and loads without an error", async ({ context }) => {
  const { page, problems, otherOrigins } = await visit(context, "/");
  assert.is(await page.title(), "The Mug Shop for agents");
  assert.is(await page.getByRole("heading", { level: 1 }).innerText(), "The Mug Shop");
  assert.match(await page.locator("main").innerText(), "2 products in 1 category");
  assert.equal(problems, []);
  assert.equal(otherOrigins, []);
});

test("every surface has a link, and each link answers", async ({ context }) => {
  const { page } = await visit(context, "/");
  const paths = (await linksOf(page))
    .filter((link) => link.startsWith(`${baseUrl}/`))
    .map((link) => link.slice(baseUrl.length));
  for (const surface of surfaces) assert.ok(paths.includes(surface), `no link to ${surface}`);
  for (const path of paths) {
    const { page, problems } = await visit(context, path);
    assert.equal(problems, [], path);
    assert.ok((await page.locator("body").innerText()).length > 100, path);
  }
});

test("the only link out of the service leads to the shop", async ({ context }) => {
  const { page } = await visit(context, "/");
  const away = (await linksOf(page)).filter((link) => !link.startsWith(`${baseUrl}/`));
  assert.equal(away, ["https://shop.example"]);
});

const lines = `claude mcp add --transport http shop ${baseUrl}/agent/mcp --header "Authorization: Bearer vit_..."`;

/** Opens the lines for Claude Code and clicks their button. @returns its new text */
const clickCopy = async (page: Page): Promise<string> => {
  await page.getByText("Claude Code", { exact: true }).click();
  await page.getByRole("button", { name: "Copy the lines for Claude Code" }).click();
  const changed = `[...document.querySelectorAll("button")].map((button) => button.textContent)
    .find((text) => text !== "Copy")`;
  return String(await (await page.waitForFunction(changed)).jsonValue());
};

test("a button copies the lines for a client", async ({ context }) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, problems } = await visit(context, "/", { permissions });
  assert.is(await clickCopy(page), "Copied");
  assert.is(await page.evaluate<string>("navigator.clipboard.readText()"), lines);
  assert.equal(problems, []);
});

test("where the browser gives no clipboard, the button selects the lines", async ({ context }) => {
  const { page, problems } = await visit(context, "/");
  await page.evaluate("delete Navigator.prototype.clipboard");
  assert.is(await clickCopy(page), "Selected");
  assert.is(await page.evaluate<string>("String(getSelection())"), lines);
  assert.equal(problems, []);
});

test("a phone shows the full width in readable letters", async ({ context }) => {
  const telephone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const { page } = await visit(context, "/", telephone);
  assert.is(await page.evaluate<number>("document.documentElement.scrollWidth"), 390);
  assert.is(await page.evaluate<number>("innerWidth"), 390);
  const sizes = await page.evaluate<number[]>(
    `[...document.querySelectorAll("main *")].map((node) => parseFloat(getComputedStyle(node).fontSize))`,
  );
  assert.ok(Math.min(...sizes) >= 13, `letters of ${Math.min(...sizes)} px`);
});

test("the light and the dark page have readable contrast", async ({ context }) => {
  const papers: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await visit(context, "/", { colorScheme });
    const paper = await colour(page, "body", "backgroundColor");
    for (const part of ["body", "h1", ".kicker", ".foot", "main a", "li span", "button"]) {
      const ratio = contrast(paper, await colour(page, part, "color"));
      assert.ok(ratio >= 4.5, `${part} is ${ratio.toFixed(1)} to 1 when ${colorScheme}`);
    }
    papers.push(paper);
  }
  const [light = "", dark = ""] = papers;
  assert.ok(luminance(light) > 0.5, light);
  assert.ok(luminance(dark) < 0.1, dark);
});

const surfaces = [
  "/graphql",
  "/graphql/schema.graphql",
  "/index.md",
  "/llms.txt",
  "/agent/mcp/server-card",
  "/auth.md",
  "/openapi.json",
  "/.well-known/api-catalog",
  "/agent-sitemap.xml",
];

const linksOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll("a")].map((link) => link.getAttribute("href"))`,
  );

/** Reads a computed colour, in the form `rgb(1, 2, 3)`. */
const colour = (page: Page, selector: string, property: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).${property}`);

/** Computes the contrast ratio from 1 to 21, by WCAG 2.2. Text needs 4.5. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Computes the luminance from 0 (black) to 1 (white), by WCAG 2.2. */
function luminance(rgb: string): number {
  const [red = 0, green = 0, blue = 0] = (rgb.match(/\d+/g) ?? []).map((value) => {
    const part = Number(value) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.run();
