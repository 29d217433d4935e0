import type { ProductData } from "../src/events/event.ts";
import type { PriceMembers } from "../src/events/product-facts.ts";
import type { PendingPatch, ProductCore } from "../src/read-model/schema/rows.ts";
import { buildFacts, buildImages, buildSpecifications, mergeFacts } from "./product-facts.ts";
import type { TextCleaner } from "./projection.ts";

type CoreData = Omit<ProductData, "id" | keyof PriceMembers | "variants">;
type CorePatch = PendingPatch["patch"];

export const buildCore = (data: CoreData, text: TextCleaner): ProductCore => {
  const facts = buildFacts(data, text);
  const core = buildPublishedCore(data, text);
  return facts ? { ...core, facts } : core;
};

const buildPublishedCore = (data: CoreData, text: TextCleaner): ProductCore => ({
  name: text.cleanText(data.name),
  url: data.url,
  reference: cleanOrNull(data.reference, text),
  gtin: cleanOrNull(data.gtin, text),
  brand: cleanOrNull(data.brand, text),
  categoryIds: [...new Set(data.categoryIds ?? [])],
  specifications: buildSpecifications(data.specifications, text),
  images: buildImages(data.images, text),
  active: data.active ?? true,
  html: data.descriptionHtml == null ? null : text.hashHtml(data.descriptionHtml),
});

const cleanOrNull = (value: string | null | undefined, text: TextCleaner): string | null =>
  (value && text.cleanText(value)) || null;

/** Merges a patch as RFC 7396 does: an absent member stays, null clears it. */
export const mergePatch = (core: ProductCore, patch: CorePatch, text: TextCleaner): ProductCore => {
  const replacement = buildPublishedCore(toFullData(patch, core), text);
  const pick = <K extends Exclude<keyof ProductCore, "facts">>(
    member: K,
    name: keyof CorePatch,
  ): ProductCore[K] => (patch[name] === undefined ? core[member] : replacement[member]);
  const merged = {
    name: pick("name", "name"),
    url: pick("url", "url"),
    reference: pick("reference", "reference"),
    gtin: pick("gtin", "gtin"),
    brand: pick("brand", "brand"),
    categoryIds: pick("categoryIds", "categoryIds"),
    specifications: pick("specifications", "specifications"),
    images: pick("images", "images"),
    active: pick("active", "active"),
    html: pick("html", "descriptionHtml"),
  };
  const facts = mergeFacts(core.facts, patch, text);
  return facts ? { ...merged, facts } : merged;
};

const toFullData = (patch: CorePatch, core: ProductCore): CoreData => ({
  ...patch,
  name: patch.name ?? core.name,
  url: patch.url ?? core.url,
});
