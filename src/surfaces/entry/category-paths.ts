import type { Snapshot } from "../../read-model/reader/reader.ts";

/** Lists the categories of a product by the names from the root on: `Clothing > Jackets`. */
export const listCategoryPaths = (
  snapshot: Snapshot,
  categoryIds: readonly number[],
): readonly string[] =>
  categoryIds.flatMap((id) => {
    const names = listNames(snapshot, id);
    return names.length > 0 ? [names.join(" > ")] : [];
  });

/** @returns no names for a category that is not shown */
const listNames = (snapshot: Snapshot, id: number): readonly string[] => {
  const names: string[] = [];
  let category = snapshot.listedCategory(id);
  while (category) {
    names.unshift(category.name);
    category = category.parentId === null ? undefined : snapshot.listedCategory(category.parentId);
  }
  return names;
};

/**
 * Finds categories by paths of names, or by ids as text. Case and blanks around the signs of a path make no difference.
 * @returns no ids for what the shop does not have
 */
export const findCategories = (
  snapshot: Snapshot,
  values: readonly string[],
): readonly number[] => {
  const wanted = new Set(values.map(foldPath));
  const paths = new Map<number, string>();
  // Parents come before their children.
  for (const { id, name, parentId } of snapshot.categories()) {
    const above = parentId === null ? "" : `${paths.get(parentId)}>`;
    paths.set(id, above + foldPath(name));
  }
  return [...paths].flatMap(([id, path]) =>
    wanted.has(path) || wanted.has(String(id)) ? [id] : [],
  );
};

const foldPath = (path: string): string =>
  path
    .split(">")
    .map((name) => name.normalize("NFKC").trim().toLowerCase())
    .join(">");
