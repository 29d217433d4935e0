import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  carrierUpserted,
  categoryUpserted,
  pageUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
  variantUpserted,
} from "../helpers/events.ts";
import type { TestServer } from "../helpers/test-server.ts";
import { changesPath, find, keysOf, readPage, readToClaim, shopWith } from "./contract-11-feed.ts";

const test = suite("Contract 11, changes");

const eur = (amount: string) => ({ amount, currency: "EUR" });

/** A shop with a line of every kind. */
const shopEvents = () => [
  settingsUpdated({ freeShippingThreshold: eur("50.00") }, { id: "first" }),
  categoryUpserted({ id: 1, name: "Shoes" }),
  categoryUpserted({ id: 2, name: "Boots", parentId: 1 }),
  pageUpserted({ id: 7, published: true }),
  carrierUpserted({ id: 3, active: true }),
  productUpserted({ id: 1300, name: "Boot", categoryIds: [2], price: eur("99.99"), brand: "Acme" }),
  stockChanged({ productId: 1300, quantity: 5 }),
  productUpserted({
    id: 1400,
    name: "Shirt",
    price: eur("20.00"),
    variants: [
      { id: 1, options: [{ name: "Size", value: "S" }] },
      { id: 2, options: [{ name: "Size", value: "M" }], price: eur("22.00") },
    ],
  }),
];

const withShop = shopWith(shopEvents);

test("Contract 11, rules 8 and 9: the walk from the start has a line of every kind, with the members of the tools", () =>
  withShop(async (service) => {
    const { changes } = await readToClaim(service, "start");
    assert.equal(keysOf(changes), [
      ...["carrier/3", "category/1", "category/2", "page/7"],
      ...["price/1300", "price/1400", "price/1400.1", "price/1400.2"],
      ...["product/1300", "product/1400", "shop/shop"],
      ...["stock/1300", "stock/1400", "stock/1400.1", "stock/1400.2"],
      ...["variant/1400.1", "variant/1400.2"],
    ]);
    assert.ok(changes.every(({ op }) => op === "upsert"));
    const record = (key: string) => find(changes, key)?.record;
    assert.equal(record("category/2"), {
      name: "Boots",
      url: record("category/2")?.url,
      parent_id: "1",
    });
    assert.equal(record("price/1400.2"), { price: eur("22.00") });
    assert.equal(record("price/1300"), { price: eur("99.99") });
    assert.equal(record("stock/1300"), { availability: "IN_STOCK" });
    assert.equal(record("product/1400")?.variants, ["1400.1", "1400.2"]);
    assert.is(record("product/1300")?.brand, "Acme");
    assert.equal(record("product/1300")?.category_ids, ["2"]);
    assert.not("price" in (record("product/1300") ?? {}));
    assert.equal(record("variant/1400.1")?.options, [{ name: "Size", value: "S" }]);
    assert.equal(record("shop/shop")?.prices_visible, true);
    assert.equal(record("shop/shop")?.free_shipping_threshold, eur("50.00"));
    assert.ok(record("page/7")?.markdown);
    assert.ok(record("carrier/3")?.countries);
  }));

test("Contract 11, rule 9: variants without prices of their own have those of the product", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "start");
    service.apply(
      productPatched({
        id: 1400,
        variants: [{ id: 1, options: [{ name: "Size", value: "S" }] }],
      } as never),
    );
    const { changes } = await readToClaim(service, last.next);
    assert.is(find(changes, "price/1400.1")?.op, "remove");
    assert.is(find(changes, "variant/1400.2")?.op, "remove");
    assert.is(find(changes, "stock/1400.1")?.op, "upsert");
  }));

test("Contract 11, rules 8 and 12: hidden prices are told as null, and what they hide is left out", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "start");
    service.apply(settingsUpdated({ pricesVisible: false, freeShippingThreshold: eur("50.00") }));
    const { changes } = await readToClaim(service, last.next);
    assert.equal(find(changes, "price/1300")?.record, { price: null });
    assert.equal(find(changes, "price/1400.2")?.record, { price: null });
    assert.not("price" in (find(changes, "carrier/3")?.record ?? { price: 1 }));
    assert.not("free_shipping_threshold" in (find(changes, "shop/shop")?.record ?? {}));
    assert.ok(find(changes, "stock/1300"));
    assert.is(find(changes, "product/1300"), undefined);
  }));

test("Contract 11, rules 10 and 11: what is shown no more is removed with a reason; what never was shown is not told", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "start");
    service.apply(
      categoryUpserted({ id: 1, name: "Shoes", active: false }),
      pageUpserted({ id: 7, published: false }),
      productDeleted(1300),
      productPatched({ id: 1400, active: false }),
      productUpserted({ id: 1500, active: false }),
      carrierUpserted({ id: 4, active: false }),
    );
    const { changes } = await readToClaim(service, last.next);
    const reasons = Object.fromEntries(
      changes.map(({ kind, id, op, reason }) => [`${kind}/${id}`, op === "remove" && reason]),
    );
    assert.equal(reasons, {
      ...{ "category/1": "hidden", "category/2": "held_back", "page/7": "hidden" },
      ...{ "price/1300": "deleted", "product/1300": "deleted", "stock/1300": "deleted" },
      ...{ "product/1400": "hidden", "price/1400": "hidden", "stock/1400": "hidden" },
      ...{ "variant/1400.1": "hidden", "variant/1400.2": "hidden" },
      ...{ "price/1400.1": "hidden", "price/1400.2": "hidden" },
      ...{ "stock/1400.1": "hidden", "stock/1400.2": "hidden" },
    });
    const { changes: fresh } = await readToClaim(service, "start");
    assert.equal(keysOf(fresh), ["carrier/3", "shop/shop"]);
  }));

test("Contract 11, rule 12: a restated content is no change, and a line that changed back has changed", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "start");
    service.apply(stockChanged({ productId: 1300, quantity: 5 }), robotsUpdated("User-agent: *"));
    const quiet = await readToClaim(service, last.next);
    assert.equal(quiet.changes, []);
    assert.not.equal(quiet.last.position, last.position);
    service.apply(
      stockChanged({ productId: 1300, quantity: 0 }),
      stockChanged({ productId: 1300, quantity: 5 }),
    );
    assert.equal(keysOf((await readToClaim(service, quiet.last.next)).changes), ["stock/1300"]);
  }));

test("Contract 11, rules 13 and 16: a sale begins without an event", async () => {
  let now = Date.UTC(2026, 9, 2);
  const begins = new Date(now + 3_600_000).toISOString();
  await withShop(
    async (service) => {
      service.apply(
        priceChanged({
          productId: 1300,
          price: eur("99.99"),
          sales: [{ price: eur("79.99"), from: begins }],
        }),
      );
      const { last } = await readToClaim(service, "start");
      const withoutInstant = last.position?.split(".")[0] ?? "";
      now += 3_600_000;
      const { changes } = await readToClaim(service, last.next);
      assert.equal(keysOf(changes), ["price/1300", "stock/1300"]);
      assert.equal(find(changes, "price/1300")?.record?.price, eur("79.99"));
      assert.equal((await readToClaim(service, last.position ?? "")).changes, changes);
      const later = await readToClaim(service, "now");
      assert.equal((await readToClaim(service, later.last.next)).changes, []);
      assert.equal(keysOf((await readToClaim(service, withoutInstant)).changes), [
        "price/1300",
        "stock/1300",
      ]);
    },
    { now: () => now },
  );
});

test("Contract 11, rule 14: kinds are told as they are named, and HEAD has no body", () =>
  withShop(async (service) => {
    const { changes } = await readToClaim(service, `${changesPath}?since=start&kinds=shop,carrier`);
    assert.equal(keysOf(changes), ["carrier/3", "shop/shop"]);
    const head = await service.request(`${changesPath}?since=start`, { method: "HEAD" });
    assert.is(head.status, 200);
    assert.is(await head.text(), "");
    assert.ok(Number(head.headers.get("content-length")) > 100);
  }));

test("Contract 11, rule 15: the position of a page is that of its snapshot, with the time of the log", () =>
  withShop(async (service) => {
    const response = await service.get(`${changesPath}?since=now`);
    const page = (await response.json()) as { position: string; as_of: string; next: string };
    assert.is(page.position.split(".")[0], response.headers.get("x-position"));
    assert.is(page.as_of, response.headers.get("x-as-of"));
    assert.is(page.next, `${changesPath}?since=${page.position}`);
    assert.match(page.position, /^[0-9a-z]{12}-\d{16}\.\d{13}$/);
  }));

/** More lines than a page has. */
const manyProducts = (count: number, name = "Thing") =>
  Array.from({ length: count }, (_, at) => productUpserted({ id: 5_000 + at, name }));

test("Contract 11, rules 17 and 18: a walk has pages of at most 300 lines, is public, and ends where it began", () =>
  withShop(
    async (service) => {
      service.apply(...manyProducts(250));
      const first = await service.get(`${changesPath}?since=start`);
      assert.match(first.headers.get("cache-control") ?? "", /^public/);
      const { pages, changes, last } = await readToClaim(service, "start");
      assert.ok(pages.length > 2, `${pages.length} pages`);
      assert.ok(pages.every((page) => page.changes.length <= 300));
      assert.is(new Set(keysOf(changes)).size, 17 + 3 * 250);
      const tail = await service.get(last.next);
      assert.is(tail.headers.get("cache-control"), "no-store");
      await tail.arrayBuffer();
      await first.arrayBuffer();
    },
    { sharedMaxAge: 30 },
  ));

test("Contract 11, rule 17: a page has at most 256 KB, but at least one line", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    const html = (size: number) => `<p>${"word ".repeat(size / 5)}</p>`;
    service.apply(
      pageUpserted({ id: 11, contentHtml: html(100_000) }),
      pageUpserted({ id: 12, contentHtml: html(100_000) }),
      pageUpserted({ id: 13, contentHtml: html(300_000) }),
    );
    const { pages } = await readToClaim(service, `${last.next}&kinds=page`);
    assert.equal(
      pages.map(({ changes }) => changes.map(({ id }) => id)),
      [["11", "12"], ["13"], [], []].slice(0, pages.length),
    );
    assert.ok(pages.length >= 2);
  }));

test("Contract 11, rule 17: what changes during a walk is told after it", () =>
  withShop(async (service) => {
    service.apply(...manyProducts(200));
    const first = await readPage(service, "start");
    assert.is(first.position, null);
    service.apply(categoryUpserted({ id: 1, name: "Sandals" }), productDeleted(5_000));
    const { pages } = await readToClaim(service, first.next);
    const last = pages.at(-1);
    assert.is(find(last?.changes ?? [], "category/1")?.record?.name, "Sandals");
    assert.is(find(last?.changes ?? [], "product/5000")?.op, "remove");
  }));

test("Contract 11, rule 19: an empty answer waits for a change of its kinds", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    const waiting = readPage(service, `${last.next}&kinds=price&wait=20`);
    await untilWaiting(service, waiting);
    service.apply(stockChanged({ productId: 1300, quantity: 0 }));
    service.apply(priceChanged({ productId: 1300, price: eur("1.00") }));
    const page = await waiting;
    assert.equal(keysOf(page.changes), ["price/1300"]);
    assert.ok(page.position);
  }));

/** Fails when an answer comes although nothing happened. Another request has gone through the service meanwhile. */
const untilWaiting = async (service: TestServer, waiting: Promise<unknown>): Promise<void> => {
  const other = readPage(service, "now").then(() => "other");
  assert.is(await Promise.race([other, waiting.then(() => "waiting")]), "other");
};

test("Contract 11, rule 19: a wait ends with an empty page, and by the time at which a sale begins", async () => {
  let now = Date.UTC(2026, 9, 2);
  const begins = new Date(now + 3_600_000).toISOString();
  await withShop(
    async (service) => {
      const { last } = await readToClaim(service, "now");
      const empty = await readPage(service, `${last.next}&wait=1`);
      assert.equal(empty.changes, []);
      assert.ok(empty.position);
      service.apply(
        priceChanged({
          productId: 1300,
          price: eur("99.99"),
          sales: [{ price: eur("79.99"), from: begins }],
        }),
      );
      const { last: later } = await readToClaim(service, "now");
      const waiting = readPage(service, `${later.next}&wait=20`);
      await untilWaiting(service, waiting);
      now += 3_600_000;
      assert.equal(keysOf((await waiting).changes), ["price/1300", "stock/1300"]);
    },
    { now: () => now },
  );
});

test("Contract 11, rule 20: a position of another epoch is answered with the way to begin again", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "start");
    await service.swap([settingsUpdated({ name: "Other" }, { id: "other" }), productUpserted()]);
    const response = await service.get(`${last.next}&kinds=product`, {
      accept: "text/event-stream",
    });
    assert.is(response.status, 410);
    assert.is(response.headers.get("cache-control"), "no-store");
    const { error } = (await response.json()) as { error: Record<string, string> };
    assert.is(error.code, "start_over");
    assert.is(error.position, response.headers.get("x-position"));
    assert.match(error.next ?? "", /^\/agent\/changes\?since=[0-9a-z]{12}-0{16}&kinds=product$/);
    assert.ok(!error.next?.includes(last.position?.slice(0, 12) ?? "?"));
    const { changes } = await readToClaim(service, error.next ?? "");
    assert.equal(keysOf(changes), ["product/1"]);
  }));

test("Contract 11, rule 20: a wait that a swap to another epoch ends is answered 410", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    const waiting = service.get(`${last.next}&wait=20`);
    await untilWaiting(service, waiting);
    await service.swap([settingsUpdated({ name: "Other" }, { id: "other" })]);
    const response = await waiting;
    assert.is(response.status, 410);
    await response.arrayBuffer();
  }));

test("Contract 11, rule 20: a position that is ahead waits, and is then 412", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    const ahead = (last.position ?? "").replace(/-\d+/, "-0000000000000009");
    const waiting = readPage(service, ahead);
    await untilWaiting(service, waiting);
    service.apply(stockChanged({ productId: 1300, quantity: 0 }));
    assert.ok((await waiting).position);
    const far = await service.get(
      `${changesPath}?since=${ahead.replace(/-\d+/, "-0000000000999999")}&wait=25`,
    );
    assert.is(far.status, 412);
    assert.is(far.headers.get("retry-after"), "1");
    assert.ok(far.headers.get("x-position"));
    await far.arrayBuffer();
  }));

test("Contract 11, rule 23: what cannot be used is named", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    const since = `since=${last.position}`;
    const refused: readonly (readonly [query: string, name: string])[] = [
      ["", "since"],
      ["since=", "since"],
      ["since=foo", "since"],
      [`since=${last.position}0`, "since"],
      [`${since}&kinds=`, "kinds"],
      [`${since}&kinds=price,orders`, "kinds"],
      [`${since}&wait=-1`, "wait"],
      [`${since}&wait=1.5`, "wait"],
      [`${since}&wait=`, "wait"],
      [`${since}&walk=foo&after=product/1`, "walk"],
      [`${since}&walk=${last.position}`, "walk"],
      [`${since}&after=product/1`, "walk"],
      [`${since}&walk=${last.position}&after=orders/1`, "walk"],
      [`${since}&walk=${last.position}&after=product/${"1".repeat(300)}`, "walk"],
      [`since=start&walk=${last.position}&after=product/1`, "walk"],
    ];
    for (const [query, name] of refused) {
      const response = await service.get(`${changesPath}?${query}`);
      assert.is(response.status, 400, query);
      assert.is(response.headers.get("cache-control"), "no-store");
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      assert.is(error.code, "bad_request");
      assert.ok(error.message.includes(name), `${query}: ${error.message}`);
    }
    const long = await service.get(`${changesPath}?${since}&wait=999`, { "x-min-position": "x" });
    assert.is(long.status, 400);
    await long.arrayBuffer();
    const post = await service.request(changesPath, { method: "POST" });
    assert.is(post.status, 405);
    await post.arrayBuffer();
  }));

test("Contract 11, rule 23: more than 20 waits of one client are refused, and so is one above --max-followers", async () => {
  for (const [maxFollowers, most] of [
    [1_000, 20],
    [3, 3],
  ] as const)
    await withShop(
      async (service) => {
        const { last } = await readToClaim(service, "now");
        const waits = Array.from({ length: most }, () => readPage(service, `${last.next}&wait=25`));
        let status = 0;
        // Another one is refused once all wait.
        while (status !== 429) {
          const extra = await service.get(`${last.next}&wait=1`);
          status = extra.status;
          if (status === 429) assert.ok(extra.headers.get("retry-after"));
          await extra.arrayBuffer();
        }
        service.apply(stockChanged({ productId: 1300, quantity: 0 }));
        for (const page of await Promise.all(waits)) assert.ok(page.position);
      },
      { maxFollowers },
    );
});

test("Contract 11, rule 23: a named robot that robots.txt denies gets no feed", () =>
  withShop(async (service) => {
    service.apply(robotsUpdated("User-agent: GPTBot\nDisallow: /\n"));
    const response = await service.get(`${changesPath}?since=now`, { "user-agent": "GPTBot/1.0" });
    assert.is(response.status, 403);
    await response.arrayBuffer();
  }));

test("Contract 11, rule 11: a variant that comes and goes within one batch is told as removed", () =>
  withShop(async (service) => {
    const { last } = await readToClaim(service, "now");
    service.apply(
      variantUpserted({ productId: 1300, id: 5 } as never),
      variantUpserted({ productId: 1300, id: 5, active: false } as never, {
        time: "2026-12-01T00:00:00Z",
      }),
    );
    const { changes } = await readToClaim(service, last.next);
    assert.equal(find(changes, "variant/1300.5"), {
      ...{ kind: "variant", id: "1300.5", op: "remove", reason: "hidden" },
    });
  }));

test.run();
