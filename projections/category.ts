import type { EventOfType } from "../src/events/event.ts";
import type { CategoryDocument } from "../src/read-model/documents.ts";
import type { CategoryContent, CategoryRow } from "../src/read-model/states.ts";
import { type Evolved, evolveGroup, type Rendering, stampOf } from "./group.ts";
import { withLater } from "./later.ts";

type CategoryEvent = EventOfType<"shop.category.upserted" | "shop.category.deleted">;

/**
 * A category as last told. One whose chain of parents would lead back to itself is refused.
 * @param parentOf the parent of a known category; undefined for a root or an unknown one.
 */
export const evolveCategory = (
  row: CategoryRow | undefined,
  event: CategoryEvent,
  rendering: Rendering,
  parentOf: (id: number) => number | undefined,
): Evolved<CategoryRow> => {
  if (event.type === "shop.category.deleted") return evolveGroup(row, stampOf(event), null);
  const { data } = event;
  const html = data.descriptionHtml || null;
  const told = {
    name: rendering.plain(data.name),
    url: data.url,
    parentId: data.parentId ?? null,
    active: data.active ?? true,
    html: html === null ? null : rendering.fingerprint(html),
  };
  const content = withLater(told, {
    description: () => html && rendering.text(html),
    markdown: () => html && rendering.markdown(html),
  });
  const evolved = evolveGroup(row, stampOf(event), content, tellTheSame);
  return evolved.outcome === "applied" && leadsTo(data.id, data.parentId ?? undefined, parentOf)
    ? {
        outcome: "refused",
        field: "data.parentId",
        reason: `data.parentId ${data.parentId} makes category ${data.id} its own ancestor: name a parent outside its subtree`,
      }
    : evolved;
};

/** What is rendered follows from the HTML, and is not looked at for this. */
const tellTheSame = (one: CategoryContent, other: CategoryContent): boolean =>
  one.name === other.name &&
  one.url === other.url &&
  one.parentId === other.parentId &&
  one.active === other.active &&
  one.html === other.html;

const leadsTo = (
  id: number,
  from: number | undefined,
  parentOf: (id: number) => number | undefined,
): boolean => {
  for (let at = from; at !== undefined; at = parentOf(at)) if (at === id) return true;
  return false;
};

/**
 * Every category whose whole chain of parents is known and active, ordered by depth, then name in the shop's
 * language, then id (contract section 3). The others are held back until their parent arrives.
 */
export const deriveTree = (
  rows: Iterable<readonly [number, CategoryRow]>,
  language: string,
): CategoryDocument[] => {
  const children = new Map<number | null, [number, CategoryRow][]>();
  for (const [id, row] of rows) {
    if (!row.content?.active) continue;
    const siblings = children.get(row.content.parentId) ?? [];
    children.set(row.content.parentId, siblings);
    siblings.push([id, row]);
  }
  const { compare } = new Intl.Collator(language);
  const levels: CategoryDocument[][] = [];
  let level = children.get(null) ?? [];
  for (let depth = 1; level.length > 0; depth += 1) {
    const documents = level.flatMap(([id, row]) => documentOf(id, row, depth));
    levels.push(documents.sort((a, b) => compare(a.name, b.name) || a.id - b.id));
    level = level.flatMap(([id]) => children.get(id) ?? []);
  }
  return levels.flat();
};

const documentOf = (
  id: number,
  { content, changedAt }: CategoryRow,
  depth: number,
): CategoryDocument[] =>
  content
    ? [
        {
          id,
          name: content.name,
          url: content.url,
          depth,
          parentId: content.parentId,
          description: content.description,
          markdown: content.markdown,
          lastmod: new Date(changedAt).toISOString(),
        },
      ]
    : [];
