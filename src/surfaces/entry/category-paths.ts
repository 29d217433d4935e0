import { foldText } from "../../offers/option-selection.ts";
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
  const wanted = values.map(foldPath);
  const isWanted = (id: number, name: string): boolean => {
    if (wanted.includes(String(id))) return true;
    // A shop may have 20,000 categories: the paths of few are built.
    const own = foldPath(name);
    if (!wanted.some((path) => path.endsWith(own))) return false;
    return wanted.includes(foldPath(listNames(snapshot, id).join(">")));
  };
  return snapshot.categories().flatMap(({ id, name }) => (isWanted(id, name) ? [id] : []));
};

const foldPath = (path: string): string => path.split(">").map(foldText).join(">");
