import { suite } from "uvu";
import * as assert from "uvu/assert";
import { emptyOperatorState } from "../../../src/read-model/operator/state.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import {
  productUpserted,
  settingsUpdated,
  stockChanged,
  variantUpserted,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("a product of the reader");

test.before.each((context) => {
  context.model = openModel();
});
test.after.each(({ model }) => model.close());

const money = (amount: string) => ({ amount, currency: "EUR" });
const size = (value: string) => ({ name: "Size", value });
const colour = (value: string) => ({ name: "Colour", value });
const stated = { time: "2026-10-01T08:00:00.000Z" };

/** Reads at an instant. */
const readAt = <T>({ store }: TestModel, time: string, read: (snapshot: Snapshot) => T): T => {
  store.refresh();
  return openReader(store, [], emptyOperatorState, () => Date.parse(time)).snapshot(read);
};

const soldOut = stockChanged({ quantity: 0, productId: 1, variantId: 1 }, stated);
const withVariants = [
  settingsUpdated({}, stated),
  productUpserted(
    {
      options: [
        { name: "Size", values: ["S", "M"] },
        { name: "Colour", values: ["red"] },
      ],
      variants: [
        { id: 1, sku: "A", options: [size("S"), colour("red")], price: money("5.00") },
        { id: 2, name: "Own", options: [colour("red"), size("M")], url: "?v=2" },
        { id: 3, options: [size("L")], active: false },
        { id: 4, options: [size("M")] },
      ],
    },
    stated,
  ),
  stockChanged({ quantity: 3 }, stated),
  soldOut,
];

test("shows the active variants as they state themselves, in the order of the shop", ({
  model,
}) => {
  model.apply(...withVariants);
  model.read((snapshot) => {
    const variants = snapshot.product(1)?.variants;
    assert.equal(variants?.ids, [1, 2, 4]);
    const shown = variants?.ids.map((_, at) => variants.at(at)) ?? [];
    assert.equal(
      shown.map(({ id, variant }) => [id, variant]),
      [
        [1, { options: [size("S"), colour("red")], sku: "A" }],
        [2, { options: [colour("red"), size("M")], name: "Own", url: "?v=2" }],
        [4, { options: [size("M")] }],
      ],
    );
    assert.equal(
      shown.map(({ title, url }) => [title, url]),
      [
        ["S / red", "https://shop.example/products/1"],
        ["Own", "https://shop.example/products/1?v=2"],
        ["M", "https://shop.example/products/1"],
      ],
    );
    assert.equal(
      shown.map(({ offer }) => [offer.price?.amount, offer.availability]),
      [
        ["5.00", "OUT_OF_STOCK"],
        ["12.90", "IN_STOCK"],
        ["12.90", "IN_STOCK"],
      ],
    );
    assert.is(variants?.find(2)?.title, "Own");
    assert.is(variants?.find(3), undefined);
  });
});

test("has the offer of the variant that it features, also while prices are hidden", ({ model }) => {
  model.apply(...withVariants);
  const featured = () =>
    model.read((snapshot) => {
      const { featured, price, availability } = snapshot.product(1)?.offer ?? {};
      return [featured, price?.amount, availability];
    });
  assert.equal(featured(), [2, "12.90", "IN_STOCK"]);
  model.apply(settingsUpdated({ pricesVisible: false }, { time: "2026-10-01T08:01:00Z" }));
  assert.equal(featured(), [2, undefined, "IN_STOCK"]);
  model.apply(stockChanged({ quantity: 0 }, { time: "2026-10-01T08:02:00Z" }));
  assert.equal(featured(), [1, undefined, "OUT_OF_STOCK"]);
});

test("is out of stock without variants where all of them are inactive", ({ model }) => {
  model.apply(productUpserted(), stockChanged({ quantity: 3 }));
  model.apply(variantUpserted({ active: false }));
  model.read((snapshot) => {
    const { variants, offer } = snapshot.product(1) ?? {};
    assert.equal([variants, offer?.availability], [undefined, "OUT_OF_STOCK"]);
  });
});

test("is dated by the instants that its price changes at, and by the end of its delivery date", ({
  model,
}) => {
  const [from, to] = ["2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"];
  model.apply(
    settingsUpdated({ timeZone: "UTC" }, stated),
    productUpserted({ sales: [{ price: money("1.00"), from, to }] }, stated),
    stockChanged({ quantity: 0, availability: "preorder", availabilityDate: "2026-11-10" }, stated),
  );
  const shownAt = (time: string) =>
    readAt(model, time, (snapshot) => {
      const product = snapshot.product(1);
      if (!product) throw new Error("there is no product");
      const { offer, updatedAt, lastmod, nextChange } = product;
      const next = Number.isFinite(nextChange) ? new Date(nextChange).toISOString() : null;
      return [offer.price?.amount, offer.stock.availabilityDate, updatedAt, lastmod, next];
    });
  const dateEnd = "2026-11-11T00:00:00.000Z";
  assert.equal(shownAt("2026-10-31T23:59:59.999Z"), [
    "12.90",
    "2026-11-10",
    stated.time,
    stated.time,
    from,
  ]);
  assert.equal(shownAt(from), ["1.00", "2026-11-10", from, from, dateEnd]);
  assert.equal(shownAt(dateEnd), ["1.00", null, from, dateEnd, to]);
  assert.equal(shownAt(to), ["12.90", null, to, to, null]);
});

test("has no description before an event states one", ({ model }) => {
  model.apply(productUpserted({ descriptionHtml: null }));
  model.read((snapshot) => {
    const { description, markdown } = snapshot.product(1) ?? {};
    assert.equal([description, markdown], [null, null]);
  });
});

test.run();
