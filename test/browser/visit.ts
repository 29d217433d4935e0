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

/** A shop with something to see, served over HTTP, and a browser in front of it. */
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

/** A page as one visitor sees it, and all that went wrong on it. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console, refusals of the content security policy, answers that failed. */
  readonly complaints: readonly string[];
  /** Addresses the page asked for at any origin but the service's. */
  readonly elsewhere: readonly string[];
}

/** What a visit needs: where something is served, and a browser. */
export interface Visited {
  readonly service: Pick<TestServer, "url">;
  readonly browser: Browser;
}

/**
 * Opens a path of the service as a new visitor and waits until it is loaded. It is closed with the browser.
 * @param visitor such as the size of the screen and its colour scheme
 */
export async function visit(
  { service, browser }: Visited,
  path: string,
  visitor: BrowserContextOptions = {},
): Promise<Visit> {
  const page = await (await browser.newContext(visitor)).newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
  page.on("response", (answer) => {
    if (!answer.ok()) complaints.push(`${answer.url()} is ${answer.status()}`);
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== service.url) elsewhere.push(request.url());
  });
  await page.addInitScript({ content: reportRefusals });
  await page.goto(`${service.url}${path}`);
  return { page, complaints, elsewhere };
}

/** The console does not show every refusal, this event does. */
const reportRefusals = `document.addEventListener("securitypolicyviolation", (event) => {
  console.error("refused by " + event.violatedDirective + ": " + event.blockedURI);
});`;
