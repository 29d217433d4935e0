import type { CategoryData, EventOfType } from "../src/events/event.ts";
import type { CategoryContent, CategoryRow } from "../src/read-model/schema/rows.ts";
import { embedMarkdown } from "../src/text/markdown/sanitize.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import { rootListing, updateMoves } from "./moves.ts";
import { isRendered } from "./page.ts";
import type { EvolveResult, HtmlRenderer, TextCleaner, Unrendered } from "./projection.ts";

type CategoryEvent = EventOfType<"shop.category.upserted" | "shop.category.deleted">;

/**
 * Folds category events into the state of a category. The parent may be unknown or a descendant: `buildCategoryTree`
 * then leaves the category out until an event repairs that.
 */
export const evolveCategory = (
  row: CategoryRow | undefined,
  event: CategoryEvent,
  text: TextCleaner,
): EvolveResult<Unrendered<CategoryRow>> => {
  if (event.type === "shop.category.deleted") return write(row, event, null, null);
  const { id, parentId } = event.data;
  if (parentId === id) return rejectOwnParent(id);
  const html = event.data.descriptionHtml || null;
  const content = buildContent(row?.content, event.data, html && text.hashHtml(html), text);
  return write(row, event, content, isRendered(row?.content, content) ? undefined : html);
};

const rejectOwnParent = (id: number): EvolveResult<never> => ({
  outcome: "refused",
  field: "data.parentId",
  reason: `data.parentId ${id} makes category ${id} its own parent: name another category, or null for a root`,
});

/** Builds the content with the rendered fields of the row. They are replaced when the HTML is rendered. */
const buildContent = (
  before: CategoryContent | null | undefined,
  data: CategoryData,
  html: string | null,
  text: TextCleaner,
): CategoryContent => {
  const rendered = before?.html === html ? before : undefined;
  return {
    name: text.cleanText(data.name),
    url: data.url,
    parentId: data.parentId ?? null,
    active: data.active ?? true,
    html,
    description: rendered?.description ?? null,
    pageMarkdown: rendered?.pageMarkdown ?? null,
  };
};

/** Writes the content, and dates what other pages show of the category. */
const write = (
  before: CategoryRow | undefined,
  event: CategoryEvent,
  content: CategoryContent | null,
  html: string | null | undefined,
): EvolveResult<Unrendered<CategoryRow>> => {
  const evolved = evolveFieldGroup(before, versionOf(event), content);
  if (evolved.outcome !== "applied") return evolved;
  const { time } = evolved.row.version;
  const namedBefore = before?.summaryChangedAt ?? 0;
  const summaryChangedAt = isListedTheSame(before?.content, content)
    ? namedBefore
    : Math.max(namedBefore, time);
  const listings = [getListings(before?.content), getListings(content)] as const;
  const moves = updateMoves(before?.moves ?? [], ...listings, {
    joinedAt: time,
    leftAt: Math.max(time, namedBefore),
  });
  return { outcome: "applied", row: { row: { ...evolved.row, summaryChangedAt, moves }, html } };
};

/** Renders the description of a category to plain text and to Markdown as its page shows it. */
export const renderCategory = (
  row: CategoryRow,
  html: string,
  renderer: HtmlRenderer,
): CategoryRow => {
  if (!row.content) return row;
  const description = renderer.toPlainText(html);
  const pageMarkdown = embedMarkdown(renderer.markdown(html), row.content.url);
  return { ...row, content: { ...row.content, description, pageMarkdown } };
};

/** Returns the listings that contain a category: its parent's, or the one of the roots. */
const getListings = (content: CategoryContent | null | undefined): readonly number[] =>
  content?.active ? [content.parentId ?? rootListing] : [];

/** Compares name, URL, parent and visibility, which the pages that list or name the category show. */
const isListedTheSame = (
  one: CategoryContent | null | undefined,
  other: CategoryContent | null,
): boolean => {
  if (!one?.active || !other?.active) return !one?.active && !other?.active;
  return one.name === other.name && one.url === other.url && one.parentId === other.parentId;
};
