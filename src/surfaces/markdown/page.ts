import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { categoryPage } from "./category.ts";
import { cmsPage } from "./cms-page.ts";
import type { Page } from "./document.ts";
import { productPage } from "./product.ts";

/**
 * Reads a page of the shop.
 * @param after cursor of a later page, which only categories have
 * @returns `bad_cursor` when the cursor does not belong to the category, undefined when the page is not visible
 */
export const shopPage = (
  snapshot: Snapshot,
  baseUrl: string,
  { kind, id }: PageAddress,
  after?: string,
): Page | "bad_cursor" | undefined => {
  if (kind === "category") return categoryPage(snapshot, baseUrl, id, after);
  if (after !== undefined) return undefined;
  return (kind === "product" ? productPage : cmsPage)(snapshot, baseUrl, id);
};
