import type { Browser, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startChromium } from "../helpers/chromium.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";
import { appendRaw } from "../helpers/raw-log.ts";
import { type RunningVitrine, run, startVitrine } from "../helpers/vitrine.ts";
import { type Visit, visit } from "./visit.ts";

interface ConsoleContext {
  service: RunningVitrine;
  browser: Browser;
}

const test = suite<ConsoleContext>("console in a browser");

const hostile = `{"name":"<img src=x onerror=\\"document.title='owned'\\"><script>document.title='owned'</script>"}`;
const hidden = "a\u202eb\u2066c\u200b\u200dd\u0085";
const long = JSON.stringify({ url: `https://shop.example/${"very-long-".repeat(60)}` });

test.before(async (context) => {
  context.service = await startVitrine();
  await appendRaw(context.service.dataDir, [
    settingsUpdated(),
    productUpserted({ id: 4711, name: "Rain jacket" }),
    stockChanged({ productId: 4711, quantity: 3 }, { time: "2026-10-02T08:00:00Z" }),
    stockChanged({ productId: 4711, quantity: 9 }, { time: "2026-10-01T08:00:00Z" }),
  ]);
  context.browser = await startChromium();
});
// An open page sends requests at each change. The pages of all tests together would exceed the service's limit.
test.after.each(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
test.after(async ({ browser, service }) => {
  await browser?.close();
  await service?.stop();
});

/** Opens the console and waits until it shows the state. */
const open = async (
  { browser, service }: ConsoleContext,
  visitor: Parameters<typeof visit>[2] = {},
): Promise<Visit> => {
  const visited = await visit({ browser, service: { url: service.opsUrl } }, "/", visitor);
  await visited.page.getByRole("heading", { level: 1, name: "Live" }).waitFor();
  return visited;
};

const figure = (page: Page, name: string, value: string) =>
  page.locator(".figures div", { hasText: name }).getByText(value, { exact: true });

test("the page shows the state and follows its changes without a reload", async (context) => {
  const { page, problems, otherOrigins } = await open(context);
  assert.is(await page.title(), "Live · Vitrine");
  await page
    .locator("#state-sentence", { hasText: "Every event of the log is applied." })
    .waitFor();
  await figure(page, "Checkpoint", "4").waitFor();
  await appendRaw(context.service.dataDir, [stockChanged({ productId: 4711, quantity: 2 })]);
  await figure(page, "Checkpoint", "5").waitFor();
  assert.equal(problems, []);
  assert.equal(otherOrigins, []);
});

test("charts show the past minutes at the start, and have text alternatives", async (context) => {
  const { page } = await open(context);
  for (const [id, name] of [
    ["#chart-lag", "Lag"],
    ["#chart-rate", "Throughput"],
  ]) {
    const line = await page.locator(`${id} path.line`).first().getAttribute("d");
    assert.ok((line?.match(/L/g) ?? []).length >= 2, `${name} has but ${line}`);
    const label = await page.locator(`${id} svg`).getAttribute("aria-label");
    assert.match(label ?? "", `${name} of the last 10 minutes: now `);
    assert.match(label ?? "", "live from");
  }
  const texts = await page.locator("#chart-lag text").allTextContents();
  assert.equal(texts.slice(3), ["10 min ago", "5 min", "now"]);
  assert.is(texts[0], "0 s");
  assert.match(texts[2] ?? "", /^\d+ (s|min)$/);
});

test("a new dead letter appears without a reload, and its text is not read as HTML", async (context) => {
  const { page, problems } = await open(context);
  await page.getByText("None: every event is valid.").waitFor();
  await appendRaw(context.service.dataDir, [hostile + hidden]);
  const button = page.getByRole("button", { name: "Show event 6" });
  await button.waitFor();
  await figure(page, "Dead letters", "1").waitFor();
  await button.click();
  const shown = page.getByLabel("Event 6", { exact: true });
  await shown.waitFor();
  const shownText = await shown.innerText();
  assert.match(shownText, hostile);
  assert.match(shownText, "a\\u{202e}b\\u{2066}c\\u{200b}\\u{200d}d\\u{85}");
  assert.is(await page.locator("img, body script").count(), 0);
  assert.is(await page.title(), "Live · Vitrine");
  assert.equal(problems, []);
});

test("a product is explained with the keyboard alone", async (context) => {
  const { page, problems } = await open(context);
  const input = page.getByLabel("Which events made this entity?");
  for (let presses = 0; !(await input.evaluate((node) => node.matches(":focus"))); presses += 1) {
    assert.ok(presses < 20, "the look-up is not reached");
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type("product/4711");
  await page.keyboard.press("Enter");
  const stock = page.getByRole("article", { name: "stock" });
  await stock.waitFor();
  const text = await stock.innerText();
  assert.match(text, "Written by event 3, ");
  assert.match(text, "stale");
  assert.match(text, "older than event 3, ");
  assert.match(page.url(), /#explain\/product\/4711$/);
  await input.fill("prodct/4711");
  await page.keyboard.press("Enter");
  await page.getByText("is not the name of an entity").waitFor();
  assert.equal(
    problems.filter((complaint) => !complaint.includes("400")),
    [],
  );
});

test("an entity whose name contains characters with a meaning in URLs is explained again after a reload", async (context) => {
  const { page } = await open(context);
  for (const subject of ["agent/50%off", "agent/a#b?c", "agent/été 100%25"]) {
    const input = page.getByLabel("Which events made this entity?");
    await input.fill(subject);
    await page.keyboard.press("Enter");
    await page.getByText(subject).first().waitFor();
    await page.reload();
    await page.getByText(subject).first().waitFor();
    assert.is(await input.inputValue(), subject);
  }
  // A person may type the address without percent-encoding.
  const { page: typed } = await visit(
    { browser: context.browser, service: { url: context.service.opsUrl } },
    "/#explain/agent/50%off",
  );
  await typed.getByText("agent/50%off").first().waitFor();
  assert.is(await typed.getByLabel("Which events made this entity?").inputValue(), "agent/50%off");
});

test("no element is wider than the smallest phone screen", async (context) => {
  await appendRaw(context.service.dataDir, [long]);
  const viewport = { width: 320, height: 640 };
  const { page } = await open(context, { viewport, isMobile: true, hasTouch: true });
  await page.getByRole("button", { name: "Show event 7" }).tap();
  await page.getByLabel("Event 7", { exact: true }).waitFor();
  await page.getByLabel("Which events made this entity?").fill("product/4711");
  await page.getByRole("button", { name: "Explain" }).tap();
  await page.getByRole("article", { name: "core" }).waitFor();
  for (const summary of await page.locator("summary").all()) await summary.tap();
  assert.is(await page.evaluate<number>("document.documentElement.scrollWidth"), 320);
  assert.is(await page.evaluate<number>("innerWidth"), 320);
  const sizes = await page.evaluate<number[]>(
    `[...document.querySelectorAll("body *")].map((node) => parseFloat(getComputedStyle(node).fontSize))`,
  );
  assert.ok(Math.min(...sizes) >= 12, `text of ${Math.min(...sizes)} px`);
});

test("the light and the dark page have readable contrast", async (context) => {
  const pictures: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await open(context, { colorScheme });
    await page.getByRole("article", { name: "Generation 0001" }).waitFor();
    await page.goto(`${context.service.opsUrl}/#explain/product/4711`);
    await page.getByRole("article", { name: "stock" }).waitFor();
    pictures.push((await page.screenshot()).toString("base64"));
    for (const { text, ratio } of await page.evaluate<readonly Contrast[]>(contrasts)) {
      assert.ok(ratio >= 4.5, `${text} is ${ratio.toFixed(1)} to 1 when ${colorScheme}`);
    }
  }
  assert.is.not(pictures[0], pictures[1]);
});

test("a rebuild and its result appear without a reload", async (context) => {
  const { page, problems } = await open(context);
  await page.getByRole("article", { name: "Generation 0001" }).getByText("live").waitFor();
  const { code, stderr } = await run(["rebuild", "--data-dir", context.service.dataDir]);
  assert.is(code, 0, stderr);
  const made = page.getByRole("article", { name: "Generation 0002" });
  await made.getByText("live", { exact: true }).waitFor();
  await made.getByText(/^The same, table by table, as 0001, /).waitFor();
  await page.getByRole("article", { name: "Generation 0001" }).getByText("previous").waitFor();
  assert.equal(problems, []);
});

test("the page reports a service that is gone, and recovers without a reload", async (context) => {
  const { page } = await open(context);
  const { dataDir, opsUrl } = context.service;
  const stopped = await context.service.stop();
  assert.is(stopped.code, 0, stopped.stderr);
  await page.getByRole("heading", { level: 1, name: "No answer" }).waitFor();
  assert.is(await page.title(), "No answer · Vitrine");
  await page.getByText(/^No answer since .* trying again$/).waitFor();
  context.service = await startVitrine(["--ops-port", new URL(opsUrl).port], { dataDir });
  await page.getByRole("heading", { level: 1, name: "Live" }).waitFor();
  await appendRaw(dataDir, ["refused"]);
  await page.getByRole("button", { name: "Show event 8" }).waitFor();
});

test("a late response does not replace a newer one, and a failed request is repeated", async (context) => {
  const { page } = await open(context);
  const button = page.getByRole("button", { name: "Show event 9" });
  const held = new Promise<() => Promise<void>>((resolve) => {
    void page.route(
      "**/dead-letters?*",
      async (route) => {
        const response = await route.fetch();
        resolve(() => route.fulfill({ response }));
      },
      { times: 1 },
    );
  });
  await page.reload();
  const release = await held;
  await appendRaw(context.service.dataDir, ["refused"]);
  await button.waitFor();
  await release();
  // Wait for another response, so that the page has received the late one.
  await page.evaluate(`fetch("/status").then((answer) => answer.text())`);
  assert.is(await button.count(), 1);
  await page.route("**/dead-letters?*", (route) => route.abort(), { times: 1 });
  await page.reload();
  await button.waitFor({ timeout: 15_000 });
});

interface Contrast {
  readonly text: string;
  /** Contrast ratio from 1 to 21, by WCAG 2.2. Text needs 4.5. */
  readonly ratio: number;
}

/** Computes the contrast of each visible element that contains text with the nearest opaque background. */
const contrasts = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = (colour) => {
    const [red, green, blue] = [...rgb(colour)].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (node) => {
    const { backgroundColor } = getComputedStyle(node);
    return rgb(backgroundColor)[3] === 255 ? backgroundColor : backgroundOf(node.parentElement);
  };
  const ownText = (node) =>
    [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== "");
  return [...document.querySelectorAll("body *")]
    .filter((node) => ownText(node) && node.checkVisibility() && !node.matches(":disabled, noscript, .visually-hidden"))
    .map((node) => {
      const style = getComputedStyle(node);
      const [darker, lighter] = [luminance(node instanceof SVGElement ? style.fill : style.color), luminance(backgroundOf(node))].sort((a, b) => a - b);
      return { text: node.textContent.trim().slice(0, 40), ratio: (lighter + 0.05) / (darker + 0.05) };
    });
})()`;

test.run();
