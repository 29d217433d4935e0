import type { ListedCategory } from "../src/read-model/schema/documents.ts";
import type { CategoryContent } from "../src/read-model/schema/rows.ts";

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
export interface TreeRow {
  readonly content: Pick<CategoryContent, "name" | "url" | "parentId" | "active"> | null;
}
