import type { CategoryData, EventOfType } from "../src/events/event.ts";
import type { ListedCategory } from "../src/read-model/schema/documents.ts";
import type { CategoryContent, CategoryRow } from "../src/read-model/schema/rows.ts";
import {
  type EvolveResult,
  evolveFieldGroup,
  type HtmlRenderer,
  versionOf,
} from "./field-group.ts";
import { withLazyFields } from "./lazy-fields.ts";
import { rootListing, updateMoves } from "./moves.ts";

type CategoryEvent = EventOfType<"shop.category.upserted" | "shop.category.deleted">;

/**
 * Folds category events into the state of a category. The parent may be unknown or a descendant: `buildCategoryTree`
 * then leaves the category out until an event repairs that.
 */
export const evolveCategory = (
  row: CategoryRow | undefined,
  event: CategoryEvent,
  rendering: HtmlRenderer,
): EvolveResult<CategoryRow> => {
  const content =
    event.type === "shop.category.deleted" ? null : buildContent(event.data, rendering);
  if (content && content.parentId === event.data.id) return rejectOwnParent(event.data.id);
  const evolved = evolveFieldGroup(row, versionOf(event), content, sameContent);
  if (evolved.outcome !== "applied") return evolved;
  const { time } = evolved.row.version;
  const namedBefore = row?.summaryChangedAt ?? 0;
  const summaryChangedAt = isListedTheSame(row?.content, content)
    ? namedBefore
    : Math.max(namedBefore, time);
  const [before, after] = [getListings(row?.content), getListings(content)];
  const moves = updateMoves(row?.moves ?? [], before, after, {
    joinedAt: time,
    leftAt: Math.max(time, namedBefore),
  });
  return { outcome: "applied", row: { ...evolved.row, summaryChangedAt, moves } };
};

const rejectOwnParent = (id: number): EvolveResult<CategoryRow> => ({
  outcome: "refused",
  field: "data.parentId",
  reason: `data.parentId ${id} makes category ${id} its own parent: name another category, or null for a root`,
});

const buildContent = (data: CategoryData, rendering: HtmlRenderer): CategoryContent => {
  const html = data.descriptionHtml || null;
  const eager = {
    name: rendering.cleanText(data.name),
    url: data.url,
    parentId: data.parentId ?? null,
    active: data.active ?? true,
    html: html === null ? null : rendering.hashHtml(html),
  };
  return withLazyFields(eager, {
    description: () => html && rendering.toPlainText(html),
    markdown: () => html && rendering.markdown(html),
  });
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

/** Compares without the rendered fields, because they follow from the HTML and reading them would render it. */
const sameContent = (one: CategoryContent, other: CategoryContent): boolean =>
  one.name === other.name &&
  one.url === other.url &&
  one.parentId === other.parentId &&
  one.active === other.active &&
  one.html === other.html;

/**
 * Lists the categories whose ancestors all exist and are active (Contract §3). The result is sorted by depth, then by
 * name in the shop's language, then by id. The other categories stay out until their parent arrives.
 */
export const buildCategoryTree = (
  rows: Iterable<readonly [number, TreeRow]>,
  language: string,
): ListedCategory[] => {
  const children = new Map<number | null, Member[]>();
  for (const [id, { content }] of rows) {
    if (!content?.active) continue;
    const { name, url, parentId } = content;
    const siblings = children.get(parentId) ?? [];
    children.set(parentId, siblings);
    siblings.push({ id, name, url, parentId });
  }
  const { compare } = new Intl.Collator(language);
  const levels: ListedCategory[][] = [];
  let level = children.get(null) ?? [];
  for (let depth = 1; level.length > 0; depth += 1) {
    const members = level.map((member) => ({ ...member, depth }));
    levels.push(members.sort((a, b) => compare(a.name, b.name) || a.id - b.id));
    level = level.flatMap(({ id }) => children.get(id) ?? []);
  }
  return levels.flat();
};

type Member = Omit<ListedCategory, "depth">;

/** The fields of a category row that decide its position in the tree. */
interface TreeRow {
  readonly content: Pick<CategoryContent, "name" | "url" | "parentId" | "active"> | null;
}
