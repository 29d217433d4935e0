import type { ProductData } from "../src/events/event.ts";
import type { PriceMembers, ProductFacts } from "../src/events/product-facts.ts";
import type { PendingPatch, ProductCore } from "../src/read-model/schema/rows.ts";
import { buildImages, buildSpecifications, mergeFacts } from "./product-facts.ts";
import type { TextCleaner } from "./projection.ts";

type CoreData = Omit<ProductData, "id" | keyof PriceMembers | "variants">;
type CorePatch = PendingPatch["patch"];

export const buildCore = (data: CoreData, text: TextCleaner): ProductCore =>
  withFacts(buildPublishedCore(data, text), mergeFacts(undefined, data, text));

const withFacts = (
  core: Omit<ProductCore, "facts">,
  facts: ProductFacts | undefined,
): ProductCore => (facts ? { facts, ...core } : core);

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
  const { facts, ...published } = core;
  const replacement = Object.entries(buildPublishedCore(toFullData(patch, core), text));
  const names = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : name));
  const stated = new Set(names.map((name) => (name === "descriptionHtml" ? "html" : name)));
  const changes = Object.fromEntries(replacement.filter(([member]) => stated.has(member)));
  return withFacts({ ...published, ...changes }, mergeFacts(facts, patch, text));
};

const toFullData = (patch: CorePatch, core: ProductCore): CoreData => ({
  ...patch,
  name: patch.name ?? core.name,
  url: patch.url ?? core.url,
});
