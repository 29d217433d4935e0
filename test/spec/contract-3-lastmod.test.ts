import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  carrierUpserted,
  categoryDeleted,
  categoryUpserted,
  pageDeleted,
  pageUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
  tokenRegenerated,
} from "../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §3 lastmod");

const at = (hour: number) => ({ time: `2026-10-01T${String(hour).padStart(2, "0")}:00:00Z` });
const eur = (amount: string) => ({ amount, currency: "EUR" });

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated({ freeShippingThreshold: eur("50.00") }, at(1)),
    categoryUpserted({ id: 1, name: "Clothes" }, at(1)),
    categoryUpserted({ id: 2, name: "Shoes", parentId: 1 }, at(1)),
    categoryUpserted({ id: 3, name: "Boots", parentId: 2 }, at(1)),
    categoryUpserted({ id: 4, name: "Hats" }, at(1)),
    productUpserted({ id: 1, categoryIds: [2], price: eur("5.00") }, at(2)),
    productUpserted({ id: 2, categoryIds: [2] }, at(2)),
    pageUpserted({ id: 1, policy: "returns" }, at(2)),
    pageUpserted({ id: 2, policy: null }, at(2)),
    carrierUpserted({}, at(2)),
  );
});
test.after.each(({ service }) => service.close());

const pages = {
  product: "/products/1.md",
  top: "/categories/1.md",
  shoes: "/categories/2.md",
  boots: "/categories/3.md",
  hats: "/categories/4.md",
  home: "/index.md",
  llms: "/llms.txt",
  auth: "/auth.md",
  sitemap: "/agent-sitemap.xml",
} as const;
type Page = keyof typeof pages;
const names = Object.keys(pages) as Page[];

/**
 * Reads the hour of a page's Last-Modified.
 * @returns undefined when the page is gone or has no Last-Modified
 */
const hourOf = async (service: TestServer, page: Page): Promise<number | undefined> => {
  const response = await service.get(pages[page]);
  await response.arrayBuffer();
  const time = response.headers.get("last-modified");
  return response.ok && time !== null ? new Date(time).getUTCHours() : undefined;
};

type Hours = Record<Page, number | undefined>;

const hours = async (service: TestServer): Promise<Hours> =>
  Object.fromEntries(
    await Promise.all(names.map(async (page) => [page, await hourOf(service, page)])),
  );

/**
 * The hours before any change. `hours` does not request the sitemap here, because an expensive sitemap is
 * cached for a while.
 */
const first = {
  product: 2,
  top: 2,
  shoes: 2,
  boots: 1,
  hats: 1,
  home: 2,
  llms: 2,
  auth: 1,
  sitemap: 2,
};

/** Checks that the sitemap gives each page the Last-Modified of the page itself. */
const mustAgree = async (service: TestServer): Promise<void> => {
  const xml = await (await service.get(pages.sitemap)).text();
  const entries = [...xml.matchAll(/<loc>([^<]*)<\/loc><lastmod>([^<]*)</g)];
  assert.ok(entries.length > 3);
  for (const [, url = "", time = ""] of entries) {
    const { headers } = await service.get(url.slice(baseUrl.length));
    assert.is(headers.get("last-modified"), new Date(time).toUTCString(), url);
  }
};

test("contract §3 Last-Modified of a page is the time of the newest event that changed its content", async ({
  service,
}) => {
  assert.equal(await hours(service), first);
  await mustAgree(service);
});

/** Pages whose Last-Modified an event moves to its own hour; all other pages keep theirs. */
const changes: Readonly<Record<string, readonly [CloudEvent, readonly Page[]]>> = {
  "a price": [priceChanged({ price: eur("6.00") }, at(9)), ["product", "shoes", "sitemap"]],
  "a flip of availability": [stockChanged({ quantity: 3 }, at(9)), ["product", "shoes", "sitemap"]],
  "a product's name": [productPatched({ name: "Renamed" }, at(9)), ["product", "shoes", "sitemap"]],
  "a new product": [
    productUpserted({ id: 3, categoryIds: [2] }, at(9)),
    ["top", "shoes", "home", "llms", "sitemap"],
  ],
  "a deleted product": [productDeleted(2, at(9)), ["top", "shoes", "home", "llms", "sitemap"]],
  "a hidden product": [
    productPatched({ id: 2, active: false }, at(9)),
    ["top", "shoes", "home", "llms", "sitemap"],
  ],
  "a product that moves to another category": [
    productPatched({ id: 1, categoryIds: [4] }, at(9)),
    ["product", "top", "shoes", "hats", "home", "llms", "sitemap"],
  ],
  "a category's name": [
    categoryUpserted({ id: 2, name: "Footwear", parentId: 1 }, at(9)),
    ["product", "top", "shoes", "boots", "home", "llms", "sitemap"],
  ],
  "a category's description": [
    categoryUpserted({ id: 2, name: "Shoes", parentId: 1, descriptionHtml: "<p>New</p>" }, at(9)),
    ["shoes", "sitemap"],
  ],
  "the name of a category two levels above": [
    categoryUpserted({ id: 1, name: "Wear" }, at(9)),
    ["top", "shoes", "boots", "home", "llms", "sitemap"],
  ],
  "a deleted category": [categoryDeleted(3, at(9)), ["shoes", "home", "llms", "sitemap"]],
  "a category that moves": [
    categoryUpserted({ id: 3, name: "Boots", parentId: 4 }, at(9)),
    ["shoes", "boots", "hats", "home", "llms", "sitemap"],
  ],
  "a hidden branch": [
    categoryUpserted({ id: 1, name: "Clothes", active: false }, at(9)),
    ["product", "home", "llms", "sitemap"],
  ],
  "a policy": [
    pageUpserted({ id: 1, title: "New title", policy: "returns" }, at(9)),
    ["home", "llms", "sitemap"],
  ],
  "a deleted policy": [pageDeleted(1, at(9)), ["home", "llms", "sitemap"]],
  "a page that is not a policy": [
    pageUpserted({ id: 2, title: "New title", policy: null }, at(9)),
    ["sitemap"],
  ],
  "the deletion of a page that is not a policy": [pageDeleted(2, at(9)), ["sitemap"]],
  "a carrier": [carrierUpserted({ name: "Other" }, at(9)), ["home"]],
  "the shop's name": [
    settingsUpdated({ name: "Other", freeShippingThreshold: eur("50.00") }, at(9)),
    ["home", "llms", "auth"],
  ],
  "a quantity": [stockChanged({ quantity: 0 }, at(9)), []],
  "an identical product event": [
    productUpserted({ id: 1, categoryIds: [2], price: eur("5.00") }, at(9)),
    [],
  ],
  "robots.txt": [robotsUpdated("User-agent: *", at(9)), []],
  "a token": [tokenRegenerated("a", 1, at(9)), []],
};

for (const [name, [event, moved]] of Object.entries(changes)) {
  test(`contract §3 Last-Modified: ${name} changes the dates of the affected pages only`, async ({
    service,
  }) => {
    service.apply(event);
    const after = await hours(service);
    for (const page of names) {
      // A page that is gone has no Last-Modified.
      if (after[page] === undefined) continue;
      assert.is(after[page], moved.includes(page) ? 9 : first[page], page);
    }
    assert.equal(
      moved.filter((page) => after[page] === undefined),
      [],
    );
    await mustAgree(service);
  });
}

test("contract §3 a category's Last-Modified does not go back when its newest product leaves", async ({
  service,
}) => {
  service.apply(priceChanged({ productId: 1, price: eur("7.00") }, at(5)));
  assert.is(await hourOf(service, "shoes"), 5);
  for (const [hour, event] of [
    [6, productPatched({ id: 1, categoryIds: [4] }, at(6))],
    [7, productPatched({ id: 2, active: false }, at(7))],
  ] as const) {
    service.apply(event);
    assert.is(await hourOf(service, "shoes"), hour);
  }
});

test("contract §3 Last-Modified does not go back when an older event wins by its sequence", async ({
  service,
}) => {
  service.apply(productUpserted({ id: 9, name: "A" }, { ...at(8), sequence: "1" }));
  service.apply(productUpserted({ id: 9, name: "B" }, { ...at(6), sequence: "2" }));
  const response = await service.get("/products/9.md");
  assert.match(await response.text(), "# B");
  assert.is(new Date(response.headers.get("last-modified") ?? "").getUTCHours(), 8);
});

test("contract §3 each further page of a category has the Last-Modified of its own products", async ({
  service,
}) => {
  const ids = Array.from({ length: 60 }, (_, index) => index + 100);
  service.apply(...ids.map((id) => productUpserted({ id, categoryIds: [4] }, at(3))));
  const first = await (await service.get(pages.hats)).text();
  const next = /\[Next products\]\(([^)]*)\)/.exec(first)?.[1]?.slice(baseUrl.length) ?? "";
  service.apply(priceChanged({ productId: 159, price: eur("1.00") }, at(9)));
  assert.is(await hourOf(service, "hats"), 3);
  const { headers } = await service.get(next);
  assert.is(new Date(headers.get("last-modified") ?? "").getUTCHours(), 9);
});

test.run();
