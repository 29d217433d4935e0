import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startChromium } from "../helpers/chromium.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

/** A server with a small shop, and a browser. */
export interface BrowserContext {
  readonly service: TestServer;
  readonly browser: Browser;
  close(): Promise<void>;
}

export async function openBrowserContext(): Promise<BrowserContext> {
  const service = await openTestServer();
  service.apply(
    settingsUpdated({ name: "The Mug Shop" }),
    categoryUpserted({ id: 1, name: "Mugs" }),
    productUpserted({ id: 1, name: "Blue mug", categoryIds: [1] }),
    productUpserted({ id: 2, name: "Red mug", categoryIds: [1] }),
    stockChanged({ productId: 1 }),
    stockChanged({ productId: 2, quantity: 0 }),
    pageUpserted({ id: 1, policy: "returns" }),
  );
  const browser = await startChromium();
  return {
    service,
    browser,
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

/** A page of one visitor, and all problems on it. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console, violations of the content security policy, and failed requests. */
  readonly problems: readonly string[];
  /** Addresses that the page requested from other origins. */
  readonly otherOrigins: readonly string[];
}

/** The server and the browser of a visit. */
export interface VisitTarget {
  readonly service: Pick<TestServer, "url">;
  readonly browser: Browser;
}

/**
 * Opens a path of the server in a new browser context and waits until it is loaded. The page closes with the browser.
 * @param visitor options such as the screen size and the colour scheme
 */
export async function visit(
  { service, browser }: VisitTarget,
  path: string,
  visitor: BrowserContextOptions = {},
): Promise<Visit> {
  const page = await (await browser.newContext(visitor)).newPage();
  const problems: string[] = [];
  const otherOrigins: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`${request.url()} failed`));
  page.on("response", (answer) => {
    if (!answer.ok()) problems.push(`${answer.url()} is ${answer.status()}`);
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== service.url) otherOrigins.push(request.url());
  });
  await page.addInitScript({ content: reportRefusals });
  await page.goto(`${service.url}${path}`);
  return { page, problems, otherOrigins };
}

/** Reports each violation of the content security policy, because the console does not show all of them. */
const reportRefusals = `document.addEventListener("securitypolicyviolation", (event) => {
  console.error("refused by " + event.violatedDirective + ": " + event.blockedURI);
});`;
