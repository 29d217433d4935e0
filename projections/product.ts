import type { EventOfType } from "../src/events/event.ts";
import type { ProductPageRow } from "../src/read-model/schema/rows.ts";
import { embedMarkdown } from "../src/text/markdown/sanitize.ts";
import { isStale, versionOf } from "./field-group.ts";
import { clearProductPrice, evolvePriceFromProduct } from "./price.ts";
import { evolveCore, upsertVersionOf } from "./product-core.ts";
import { patchesCore } from "./product-patches.ts";
import type { EntityRows, EventOutcome, TextCleaner } from "./projection.ts";
import { evolveVariantList } from "./variant-list.ts";

type Stated = EventOfType<"shop.product.upserted" | "shop.product.patched">;
type Deleted = EventOfType<"shop.product.deleted">;

/** Applies an event to core, prices and list of variants, which are three field groups: one may be stale without the others. */
export const applyProduct = (rows: EntityRows, event: Stated, text: TextCleaner): EventOutcome => {
  const { id } = event.data;
  const price = evolvePriceFromProduct(rows.prices.get(id), event);
  if (price?.outcome === "refused") return price;
  if (price?.outcome === "applied") rows.prices.put(id, price.row);
  const list = applyToList(rows, event, text);
  const others = [price, list].filter((group) => group !== undefined);
  // A patch of other groups alone is no newer word on the core.
  const isAlone = event.type === "shop.product.patched" && !patchesCore(event.data);
  const core = isAlone && others[0] ? others[0] : applyToCore(rows, event, text);
  const isApplied = others.some(({ outcome }) => outcome === "applied");
  return core.outcome !== "applied" && isApplied ? { outcome: "applied" } : core;
};

const applyToList = (rows: EntityRows, event: Stated | Deleted, text: TextCleaner) => {
  const { id } = event.data;
  const [list, core] = [rows.variantLists.get(id), rows.productCores.get(id)];
  const result = evolveVariantList(list, core, event, text);
  if (result?.outcome === "applied") rows.variantLists.put(id, result.row);
  return result;
};

/** Deletes the core, and clears the list of variants and the prices that were stated before; those also below a newer upsert. */
export const applyDeletion = (
  rows: EntityRows,
  event: Deleted,
  text: TextCleaner,
): EventOutcome => {
  const { id } = event.data;
  const core = applyToCore(rows, event, text);
  const latest = upsertVersionOf(rows.productCores.get(id));
  if (core.outcome !== "applied" && !(latest && isStale(versionOf(event), latest))) return core;
  applyToList(rows, event, text);
  const price = clearProductPrice(rows.prices.get(id), event);
  if (price.outcome !== "applied") return core;
  rows.prices.put(id, price.row);
  return core.outcome === "applied" ? core : { outcome: "applied" };
};

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
  if (html === undefined) embedAgain(rows, id);
  else if (html === null) {
    rows.productTexts.remove(id);
    rows.productPages.remove(id);
  } else {
    rows.productTexts.put(id, null);
    rows.productTexts.setHtml(id, { html, event });
  }
  return { outcome: "applied" };
};

/**
 * Embeds the description of a product into its page, and keeps its Markdown where it has relative links, which depend on the URL.
 * @param url URL of the product
 */
export const embedDescription = (source: string, url: string): ProductPageRow => {
  const markdown = embedMarkdown(source, url);
  const isRelative = source.includes("](") && embedMarkdown(source, otherUrl) !== markdown;
  return isRelative ? { markdown, source } : { markdown };
};

const otherUrl = "https://other.example/other/";

/** Resolves relative links again, because a patch may change the URL without the description. */
const embedAgain = ({ productCores, productPages }: EntityRows, id: number): void => {
  const { source } = productPages.get(id) ?? {};
  const url = productCores.get(id)?.group?.content?.url;
  if (source === undefined || url === undefined) return;
  productPages.put(id, embedDescription(source, url));
};
