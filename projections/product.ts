import type { EventOfType } from "../src/events/event.ts";
import type { TextRow } from "../src/read-model/schema/rows.ts";
import { clearProductPrice, evolvePriceFromProduct } from "./price.ts";
import { evolveCore } from "./product-core.ts";
import type { EntityRows, EventOutcome, HtmlRenderer, TextCleaner } from "./projection.ts";

type Stated = EventOfType<"shop.product.upserted" | "shop.product.patched">;
type Deleted = EventOfType<"shop.product.deleted">;

/** Applies an event to core and price, which are two field groups: one may be stale without the other. */
export const applyProduct = (rows: EntityRows, event: Stated, text: TextCleaner): EventOutcome => {
  const { id } = event.data;
  const price = evolvePriceFromProduct(rows.prices.get(id), event);
  if (price?.outcome === "refused") return price;
  if (price?.outcome === "applied") rows.prices.put(id, price.row);
  const core = applyToCore(rows, event, text);
  return core.outcome !== "applied" && price?.outcome === "applied" ? { outcome: "applied" } : core;
};

/** Deletes the core and clears the price. A stale delete leaves the price unchanged. */
export const applyDeletion = (
  rows: EntityRows,
  event: Deleted,
  text: TextCleaner,
): EventOutcome => {
  const { id } = event.data;
  const core = applyToCore(rows, event, text);
  if (core.outcome !== "applied") return core;
  const price = clearProductPrice(rows.prices.get(id), event);
  if (price.outcome === "applied") rows.prices.put(id, price.row);
  return core;
};

const unrenderedText: TextRow = { description: null, markdown: null };

const applyToCore = (
  rows: EntityRows,
  event: Stated | Deleted,
  text: TextCleaner,
): EventOutcome => {
  const { id } = event.data;
  const result = evolveCore(rows.productCores.get(id), event, text);
  if (result.outcome !== "applied") return result;
  const { row, html } = result.row;
  rows.productCores.put(id, row);
  if (html === null) rows.productTexts.remove(id);
  else if (html !== undefined) {
    rows.productTexts.put(id, unrenderedText);
    rows.productTexts.setHtml(id, { html, event });
  }
  return { outcome: "applied", html };
};

/** Renders the description of a product. */
export const renderText = (_: TextRow, html: string, renderer: HtmlRenderer): TextRow => ({
  description: renderer.toPlainText(html),
  markdown: renderer.markdown(html),
});
