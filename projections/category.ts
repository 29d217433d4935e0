import type { CategoryData, EventOfType } from "../src/events/event.ts";
import type { ListedCategory } from "../src/read-model/schema/documents.ts";
import type { CategoryContent, CategoryRow } from "../src/read-model/schema/rows.ts";
import { type Evolved, evolveGroup, type Rendering, stampOf } from "./field-group.ts";
import { withLater } from "./lazy-fields.ts";
import { moved, rootPlace } from "./moves.ts";

type CategoryEvent = EventOfType<"shop.category.upserted" | "shop.category.deleted">;

/**
 * A category as its newest event tells it. Its parent may be unknown, or stand below it: such a category is held back
 * from the tree until that is mended.
 */
export const evolveCategory = (
  row: CategoryRow | undefined,
  event: CategoryEvent,
  rendering: Rendering,
): Evolved<CategoryRow> => {
  const content =
    event.type === "shop.category.deleted" ? null : buildContent(event.data, rendering);
  if (content && content.parentId === event.data.id) return rejectOwnParent(event.data.id);
  const evolved = evolveGroup(row, stampOf(event), content, sameContent);
  if (evolved.outcome !== "applied") return evolved;
  const { time } = evolved.row.stamp;
  const namedBefore = row?.namedAt ?? 0;
  const namedAt = isListedTheSame(row?.content, content)
    ? namedBefore
    : Math.max(namedBefore, time);
  const [before, after] = [getListings(row?.content), getListings(content)];
  const moves = moved(row?.moves ?? [], before, after, {
    joinedAt: time,
    leftAt: Math.max(time, namedBefore),
  });
  return { outcome: "applied", row: { ...evolved.row, namedAt, moves } };
};

const rejectOwnParent = (id: number): Evolved<CategoryRow> => ({
  outcome: "refused",
  field: "data.parentId",
  reason: `data.parentId ${id} makes category ${id} its own parent: name another category, or null for a root`,
});

const buildContent = (data: CategoryData, rendering: Rendering): CategoryContent => {
  const html = data.descriptionHtml || null;
  const eager = {
    name: rendering.plain(data.name),
    url: data.url,
    parentId: data.parentId ?? null,
    active: data.active ?? true,
    html: html === null ? null : rendering.fingerprint(html),
  };
  return withLater(eager, {
    description: () => html && rendering.text(html),
    markdown: () => html && rendering.markdown(html),
  });
};

/** What lists a category: its parent, a root stands for itself. */
const getListings = (content: CategoryContent | null | undefined): readonly number[] =>
  content?.active ? [content.parentId ?? rootPlace] : [];

/** Whether pages that list or name the category do so as before. */
const isListedTheSame = (
  one: CategoryContent | null | undefined,
  other: CategoryContent | null,
): boolean => {
  if (!one?.active || !other?.active) return !one?.active && !other?.active;
  return one.name === other.name && one.url === other.url && one.parentId === other.parentId;
};

/** What is rendered follows from the HTML, and is not looked at for this. */
const sameContent = (one: CategoryContent, other: CategoryContent): boolean =>
  one.name === other.name &&
  one.url === other.url &&
  one.parentId === other.parentId &&
  one.active === other.active &&
  one.html === other.html;

/**
 * Every category whose whole chain of parents is known and active, ordered by depth, then name in the shop's
 * language, then id (contract section 3). The others are held back until their parent arrives.
 */
export const deriveTree = (
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

/** What of a category's row decides about the tree. */
interface TreeRow {
  readonly content: Pick<CategoryContent, "name" | "url" | "parentId" | "active"> | null;
}
