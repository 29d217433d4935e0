import { suite } from "uvu";
import * as assert from "uvu/assert";
import { currentPrices } from "../../projections/price.ts";
import { applyDeletion, applyProduct, embedDescription } from "../../projections/product.ts";
import {
  type Attributes,
  productDeleted,
  productPatched,
  productUpserted,
} from "../helpers/events.ts";
import { openRows } from "./entity-rows.ts";
import { at, eventOf, text } from "./events.ts";

const test = suite("a product event");

const upserted = (data: Parameters<typeof productUpserted>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.product.upserted", productUpserted(data, attributes));
const patched = (data: Parameters<typeof productPatched>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.product.patched", productPatched(data, attributes));
const deleted = (attributes: Attributes = at(1)) =>
  eventOf("shop.product.deleted", productDeleted(1, attributes));
const money = (amount: string) => ({ amount, currency: "EUR" });

type Event = ReturnType<typeof upserted | typeof patched | typeof deleted>;

/** Applies events, and shows the outcome of the last. */
const apply = (...events: readonly Event[]) => {
  const { rows, html } = openRows();
  const outcomes = events.map((event) =>
    event.type === "shop.product.deleted"
      ? applyDeletion(rows, event, text)
      : applyProduct(rows, event, text),
  );
  return {
    outcome: outcomes.at(-1)?.outcome,
    name: rows.productCores.get(1)?.group?.content?.name,
    price: currentPrices(rows.prices.get(1))?.priceGroup.price,
    text: rows.productTexts.get(1),
    html: html.get("productTexts")?.html,
  };
};

test("sets core, price and the HTML of the description", () => {
  const product = apply(upserted({ name: "Lamp", price: money("1.00"), descriptionHtml: "<p>" }));
  assert.equal(product, {
    outcome: "applied",
    name: "Lamp",
    price: money("1.00"),
    text: null,
    html: "<p>",
  });
});

test("with a rejected price changes nothing", () => {
  const { outcome, name } = apply(patched({ name: "Lamp", price: { amount: "1.00" } }));
  assert.equal([outcome, name], ["refused", undefined]);
});

test("with a price of one source only is applied where the core is stale", () => {
  const product = apply(
    patched({ name: "New" }, at(1)),
    upserted({ name: "Old", price: money("1.00") }, { ...at(1), sequence: 5 }),
    patched({ name: "Newer" }, at(3)),
    patched({ name: "Older", price: money("2.00") }, at(2)),
  );
  assert.equal(product.outcome, "applied");
  assert.equal([product.name, product.price], ["Newer", money("2.00")]);
});

test("of a deletion clears core, price and text", () => {
  const { outcome, name, price, text } = apply(upserted({}), deleted(at(2)));
  assert.equal([outcome, name, price, text], ["applied", undefined, undefined, undefined]);
});

test("of a stale deletion leaves core and price", () => {
  const { outcome, name, price } = apply(upserted({ name: "Lamp" }, at(2)), deleted(at(1)));
  assert.equal([outcome, name, price], ["stale", "Lamp", money("12.90")]);
});

const page = "https://shop.example/p/1";

test("moves the headings of the description below those of its page", () => {
  assert.equal(embedDescription("# Size\n", page), { markdown: "### Size" });
});

test("resolves the relative links of the description, and keeps them as they were", () => {
  assert.equal(embedDescription("[Size](size)", page), {
    markdown: "[Size](https://shop.example/p/size)",
    source: "[Size](size)",
  });
  const absolute = "[Size](https://shop.example/size)";
  assert.equal(embedDescription(absolute, page), { markdown: absolute });
});

test("with another URL resolves the relative links of the description again", () => {
  const { rows } = openRows();
  applyProduct(rows, upserted({ url: page }), text);
  rows.productPages.put(1, embedDescription("[Size](size)", page));
  applyProduct(rows, patched({ url: "https://shop.example/q/2" }, at(2)), text);
  assert.equal(rows.productPages.get(1), {
    markdown: "[Size](https://shop.example/q/size)",
    source: "[Size](size)",
  });
});

test("without a description has no row of its page", () => {
  const { rows } = openRows();
  applyProduct(rows, upserted({ descriptionHtml: "<p>" }), text);
  rows.productPages.put(1, embedDescription("Text", page));
  applyProduct(rows, patched({ descriptionHtml: null }, at(2)), text);
  assert.equal([rows.productTexts.get(1), rows.productPages.get(1)], [undefined, undefined]);
});

test.run();
