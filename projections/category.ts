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
  const children = new Map<number | null, Member[]>();
  for (const [id, { content, changedAt }] of rows) {
    if (!content?.active) continue;
    const { name, url, parentId } = content;
    const siblings = children.get(parentId) ?? [];
    children.set(parentId, siblings);
    // Not its texts: those of all would be held until the tree is done.
    siblings.push({ id, name, url, parentId, changedAt });
  }
  const { compare } = new Intl.Collator(language);
  const levels: CategoryDocument[][] = [];
  let level = children.get(null) ?? [];
  for (let depth = 1; level.length > 0; depth += 1) {
    const documents = level.map((member) => documentOf(member, depth));
    levels.push(documents.sort((a, b) => compare(a.name, b.name) || a.id - b.id));
    level = level.flatMap(({ id }) => children.get(id) ?? []);
  }
  return levels.flat();
};

interface Member extends Pick<CategoryContent, "name" | "url" | "parentId"> {
  readonly id: number;
  readonly changedAt: number;
}

const documentOf = ({ changedAt, ...member }: Member, depth: number): CategoryDocument => ({
  ...member,
  depth,
  lastmod: new Date(changedAt).toISOString(),
});
