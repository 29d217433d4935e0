import type { AddressInfo } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createApp } from "../../../src/http/app.ts";
import { drain, listen } from "../../../src/http/server.ts";
import { createLogger } from "../../../src/log.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { openAccess } from "../../helpers/access.ts";
import { appDefaults } from "../../helpers/app-defaults.ts";
import { productDeleted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { baseUrl } from "../../helpers/test-server.ts";
import { unlimited } from "../../helpers/unlimited.ts";

/** Counts how often a walk of the pages begins, and calls back at each stretch that is read. */
const watchWalks = (reader: Reader) => {
  const walks = { begun: 0, onStretch: (): void => undefined };
  const watched: Reader = {
    ...reader,
    scanPages(read) {
      walks.begun += 1;
      return reader.scanPages((pages) =>
        read((stretch) => {
          walks.onStretch();
          return pages(stretch);
        }),
      );
    },
  };
  return { walks, watched };
};

const openShop = async (model: TestModel) => {
  const access = openAccess();
  const { walks, watched } = watchWalks(openReader(model.store));
  const app = createApp({
    ...appDefaults,
    reader: () => watched,
    baseUrl,
    log: createLogger("silent", "test"),
    rateLimit: unlimited(),
    access,
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const { port } = server.address() as AddressInfo;
  return {
    walks,
    /** Uncompressed, because compression would take longer than everything else. */
    async get(path: string) {
      const headers = { "accept-encoding": "identity" };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    },
    async close() {
      await drain(server, 2_000);
      access.close();
    },
  };
};

/** This few products fill more than one file because their URLs grow to five times their length. */
const products = 5_600;
const longUrl = (id: number): string => `https://shop.example/${id}${"&".repeat(1_900)}`;

const ids = Array.from({ length: products }, (_, at) => at + 1);

const test = suite<{ model: TestModel; shop: Awaited<ReturnType<typeof openShop>> }>(
  "parts of the agent sitemap",
);

test.before((context) => {
  context.model = openModel();
  context.model.apply(
    settingsUpdated(),
    ...ids.map((id) => productUpserted({ id, url: longUrl(id) })),
  );
});
test.after(({ model }) => model.close());
test.before.each(async (context) => {
  context.shop = await openShop(context.model);
});
test.after.each(({ shop }) => shop.close());

const locations = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = ""]) => loc.slice(baseUrl.length));

const partNames = ["/agent-sitemap-product-0-4095.xml", "/agent-sitemap-product-4096-8191.xml"];

const invented = [
  ...Array.from({ length: 20 }, (_, at) => `/agent-sitemap-product-0-${1_000 + at}.xml`),
  ...[1, 2, 3].map((zeros) => `/agent-sitemap-product-${"0".repeat(zeros)}0-4095.xml`),
  "/agent-sitemap-product-0-9007199254740991.xml",
  "/agent-sitemap-category-0-9007199254740991.xml",
  "/agent-sitemap-product-0-99999999999999999999.xml",
  "/agent-sitemap-carrier-0-9.xml",
  "/agent-sitemap-product-0.xml",
];

test("the parts named by the index are served and read once each; other ranges are 404 without a read", async ({
  shop,
}) => {
  const parts = locations((await shop.get("/agent-sitemap.xml")).text);
  assert.equal(parts, partNames);
  assert.is(shop.walks.begun, 1);
  for (const path of invented) assert.is((await shop.get(path)).status, 404, path);
  assert.is(shop.walks.begun, 1);
  const pages: string[] = [];
  for (const part of parts) {
    const { status, text } = await shop.get(part);
    assert.is(status, 200, part);
    pages.push(...locations(text));
  }
  assert.is(new Set(pages).size, products);
  assert.is(pages.length, products);
});

test("pages are read for one part at a time, and once for all concurrent requests of a part", async ({
  shop,
}) => {
  const responses = [...partNames, ...partNames, "/agent-sitemap.xml", ...partNames].map((path) =>
    shop.get(path),
  );
  for (const { status } of await Promise.all(responses)) assert.is(status, 200);
  assert.is(shop.walks.begun, 3);
});

test("a sitemap part shows one snapshot, whatever commits during its read (contract section 4)", async ({
  shop,
  model,
}) => {
  const [part = ""] = partNames;
  await shop.get("/agent-sitemap.xml");
  let stretches = 0;
  shop.walks.onStretch = () => {
    stretches += 1;
    // A product that is not read yet.
    if (stretches === 2) model.apply(productDeleted(4_000, { time: "2026-10-02T08:00:00Z" }));
  };
  const { text } = await shop.get(part);
  assert.ok(stretches > 2);
  assert.is(locations(text).length, 4_095);
  model.apply(
    productUpserted({ id: 4_000, url: longUrl(4_000) }, { time: "2026-10-03T08:00:00Z" }),
  );
});

test("cached parts together take at most the size of the largest part", async ({ shop }) => {
  const [large = "", small = ""] = partNames;
  for (const part of [large, large, large]) await shop.get(part);
  assert.is(shop.walks.begun, 2);
  for (const part of [small, small]) await shop.get(part);
  assert.is(shop.walks.begun, 3);
  await shop.get(large);
  assert.is(shop.walks.begun, 4);
});

test("a part is served without an earlier request of the index", async ({ shop }) => {
  assert.is((await shop.get("/agent-sitemap-product-4096-8191.xml")).status, 200);
  assert.is(shop.walks.begun, 2);
});

test("a shop whose pages fit one file has no parts", async ({ model, shop }) => {
  const later = { time: "2026-10-04T08:00:00Z" };
  model.apply(...ids.slice(4_200).map((id) => productDeleted(id, later)));
  for (const path of [...partNames, ...invented]) {
    assert.is((await shop.get(path)).status, 404, path);
  }
  assert.is(shop.walks.begun, 1);
  assert.match((await shop.get("/agent-sitemap.xml")).text, "<urlset");
});

test.run();
