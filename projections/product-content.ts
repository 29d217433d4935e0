import type { ProductData } from "../src/events/event.ts";
import type { PendingPatch, ProductCore } from "../src/read-model/schema/rows.ts";
import type { TextCleaner } from "./projection.ts";

type CoreData = Omit<ProductData, "id" | "price">;
type CorePatch = PendingPatch["patch"];

/** Builds the content of a core from the data of an upsert. */
export const buildCore = (data: CoreData, text: TextCleaner): ProductCore => ({
  name: text.cleanText(data.name),
  url: data.url,
  reference: cleanOrNull(data.reference, text),
  gtin: cleanOrNull(data.gtin, text),
  brand: cleanOrNull(data.brand, text),
  categoryIds: [...new Set(data.categoryIds ?? [])],
  specifications: (data.specifications ?? []).map(({ name, value }) => ({
    name: text.cleanText(name),
    value: text.cleanText(value),
  })),
  images: (data.images ?? []).map(({ url, alt }) => ({ url, alt: cleanOrNull(alt, text) })),
  active: data.active ?? true,
  html: data.descriptionHtml == null ? null : text.hashHtml(data.descriptionHtml),
});

const cleanOrNull = (value: string | null | undefined, text: TextCleaner): string | null =>
  (value && text.cleanText(value)) || null;

/** Merges a patch as RFC 7396 does: an absent member stays, null clears it. */
export const mergePatch = (core: ProductCore, patch: CorePatch, text: TextCleaner): ProductCore => {
  const replacement = buildCore(toFullData(patch, core), text);
  const pick = <K extends keyof ProductCore>(member: K, name: keyof CorePatch): ProductCore[K] =>
    patch[name] === undefined ? core[member] : replacement[member];
  return {
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
};

const toFullData = (patch: CorePatch, core: ProductCore): CoreData => ({
  ...patch,
  name: patch.name ?? core.name,
  url: patch.url ?? core.url,
});
