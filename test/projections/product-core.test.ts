import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolveCore } from "../../projections/product-core.ts";
import type { CoreRow } from "../../src/read-model/schema/rows.ts";
import {
  type Attributes,
  productDeleted,
  productPatched,
  productUpserted,
} from "../helpers/events.ts";
import { at, early, eventOf, fold, late, ms, text, withoutHtml } from "./events.ts";
import { addFieldGroupCases } from "./last-write-wins.ts";

const test = suite("the core of a product");

type Event = Parameters<typeof evolveCore>[1];
const evolve = withoutHtml((row: CoreRow | undefined, event: Event) =>
  evolveCore(row, event, text),
);
const upserted = (data: Parameters<typeof productUpserted>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.product.upserted", productUpserted(data, attributes));
const patched = (data: Parameters<typeof productPatched>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.product.patched", productPatched(data, attributes));
const deleted = (attributes: Attributes = at(1)) =>
  eventOf("shop.product.deleted", productDeleted(1, attributes));
const core = (events: readonly Event[]) => fold(evolve, events)?.group?.content;

addFieldGroupCases<CoreRow, Event>(test, {
  evolve,
  one: (attributes) => upserted({ name: "Lamp" }, attributes),
  other: (attributes) => upserted({ name: "Lantern" }, attributes),
  deleted,
  contentOf: (row) => row?.group?.content,
  changedAt: (row) => row?.group?.contentChangedAt,
});

const cleaned = { reference: null, gtin: null, brand: null, images: [], specifications: [] };

test("texts are cleaned, blank ones are none, and a category counts once", () => {
  const content = core([
    upserted({
      name: " Lamp ",
      reference: " ",
      brand: " Lux ",
      categoryIds: [3, 4, 3],
      descriptionHtml: null,
    }),
  ]);
  assert.equal(content, {
    ...cleaned,
    name: "Lamp",
    url: "https://shop.example/products/1",
    brand: "Lux",
    categoryIds: [3, 4],
    active: true,
    html: null,
  });
});

type Patch = readonly [title: string, events: readonly Event[], expected: Record<string, unknown>];
const patches: readonly Patch[] = [
  [
    "a patch changes its members only",
    [upserted({ brand: "Lux" }), patched({ name: "Lantern" }, at(2))],
    { name: "Lantern", brand: "Lux" },
  ],
  [
    "null in a patch clears a member",
    [upserted({ brand: "Lux" }), patched({ brand: null }, at(2))],
    { brand: null, name: "Product 1" },
  ],
  [
    "null of categories leaves none",
    [upserted({ categoryIds: [3] }), patched({ categoryIds: null }, at(2))],
    { categoryIds: [] },
  ],
  [
    "an older patch is stale",
    [upserted({}, at(2)), patched({ name: "Old" }, at(1))],
    { name: "Product 1" },
  ],
  [
    "an older patch of the same millisecond is stale",
    [upserted({}, late), patched({ name: "Old" }, early)],
    { name: "Product 1" },
  ],
  [
    "a patch before its product is applied with it",
    [patched({ name: "Lantern" }, at(2)), upserted({}, at(1))],
    { name: "Lantern" },
  ],
  [
    "a patch that its product overrides is dropped",
    [patched({ name: "Old" }, at(1)), upserted({}, at(2))],
    { name: "Product 1" },
  ],
  [
    "patches before their product are applied one after the other",
    [
      patched({ name: "A", brand: "Lux" }, at(2)),
      patched({ name: "B" }, at(3)),
      upserted({}, at(1)),
    ],
    { name: "B", brand: "Lux" },
  ],
  [
    "of the patches before a product, those newer than it are applied",
    [patched({ brand: "Lux" }, at(1)), patched({ name: "B" }, at(3)), upserted({}, at(2))],
    { name: "B", brand: null },
  ],
  [
    "a patch after a deletion waits for the next upsert",
    [upserted({}), deleted(at(2)), patched({ name: "Lantern" }, at(4)), upserted({}, at(3))],
    { name: "Lantern" },
  ],
];
for (const [title, events, expected] of patches) {
  test(title, () => {
    const content: Record<string, unknown> = { ...core(events) };
    for (const [name, value] of Object.entries(expected)) assert.equal(content[name], value, name);
  });
}

const outcomes: readonly (readonly [
  title: string,
  earlier: readonly Event[],
  event: Event,
  outcome: string,
])[] = [
  ["a patch before its product is applied: it is queued", [], patched({ name: "A" }), "applied"],
  [
    "a patch older than a queued one is stale",
    [patched({ name: "A" }, at(2))],
    patched({ name: "B" }, at(1)),
    "stale",
  ],
  [
    "the same queued patch is a duplicate",
    [patched({ name: "A" }, { ...at(1), id: "e" })],
    patched({ name: "A" }, { ...at(1), id: "e" }),
    "repeated",
  ],
  [
    "a patch older than the tombstone is stale",
    [deleted(at(2))],
    patched({ name: "A" }, at(1)),
    "stale",
  ],
  [
    "a patch that changes nothing is applied",
    [upserted({})],
    patched({ name: "Product 1" }, at(2)),
    "applied",
  ],
];
for (const [title, earlier, event, outcome] of outcomes) {
  test(title, () => assert.is(evolve(fold(evolve, earlier), event).outcome, outcome));
}

test("a later patch removes the members that it sets from those queued before", () => {
  const row = fold(evolve, [
    patched({ name: "A" }),
    patched({ name: "B", brand: "Lux" }, at(2)),
    patched({ brand: null }, at(3)),
  ]);
  assert.equal(
    row?.pending?.map(({ patch }) => patch),
    [{ name: "B" }, { brand: null }],
  );
});

test("a queued patch holds no price: the price is a field group of its own", () => {
  const price = { amount: "1.00", currency: "EUR" };
  assert.equal(fold(evolve, [patched({ name: "A", price })])?.pending?.[0]?.patch, { name: "A" });
});

const html = "<p>Lamp</p>";
const renderings: readonly (readonly [
  title: string,
  earlier: readonly Event[],
  event: Event,
  html: unknown,
])[] = [
  ["a first description is rendered", [], upserted({ descriptionHtml: html }), html],
  [
    "the same description is not rendered again",
    [upserted({ descriptionHtml: html })],
    upserted({ descriptionHtml: html }, at(2)),
    undefined,
  ],
  [
    "a patch without a description renders none",
    [upserted({ descriptionHtml: html })],
    patched({ name: "A" }, at(2)),
    undefined,
  ],
  [
    "a patched description is rendered",
    [upserted({})],
    patched({ descriptionHtml: html }, at(2)),
    html,
  ],
  [
    "a cleared description is not rendered",
    [upserted({})],
    patched({ descriptionHtml: null }, at(2)),
    null,
  ],
  [
    "the description of a patch that waited is rendered with the product",
    [patched({ descriptionHtml: html }, at(2))],
    upserted({}, at(1)),
    html,
  ],
  ["a queued patch renders nothing yet", [], patched({ descriptionHtml: html }), undefined],
  ["a deletion leaves nothing to render", [upserted({})], deleted(at(2)), null],
];
for (const [title, earlier, event, expected] of renderings) {
  test(title, () => {
    const result = evolveCore(fold(evolve, earlier), event, text);
    assert.is(result.outcome === "applied" && result.row.html, expected);
  });
}

test("it remembers when it joined and left the shop and its categories", () => {
  const events = [
    upserted({ categoryIds: [3] }),
    upserted({ categoryIds: [4] }, at(2)),
    deleted(at(3)),
  ];
  assert.equal(fold(evolve, events)?.moves, [
    [0, ms(3)],
    [3, ms(2)],
    [4, ms(3)],
  ]);
});

test.run();
