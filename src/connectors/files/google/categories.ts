import { fillAddress } from "../../addresses.ts";
import { toEntityId } from "../../ids.ts";
import { reserveId, type SharedTables, type Translation } from "../../translation.ts";

/** Bounds of paths of an item, and of a path in characters. */
const [maxPaths, maxPathLength] = [10, 500];

/**
 * Adds a category for each part of the paths `A > B`. Without an address that paths fill there are none.
 * @returns the ids of the last parts
 */
export const addCategories = (
  translation: Translation<SharedTables>,
  categoryUrl: string | undefined,
  paths: readonly string[],
  time: string,
): readonly number[] =>
  categoryUrl === undefined || categoryUrl.includes("{slug}")
    ? []
    : paths.slice(0, maxPaths).flatMap((path) => {
        const id = addPath(translation, categoryUrl, path, time);
        if (id === undefined) translation.leaveOut("categoryIds");
        return id ?? [];
      });

const addPath = (
  translation: Translation<SharedTables>,
  categoryUrl: string,
  text: string,
  time: string,
): number | undefined => {
  const names = text.length > maxPathLength ? [] : text.split(/\s*>\s*/).filter(Boolean);
  let parentId: number | null = null;
  for (const [at, name] of names.entries()) {
    const id = names.slice(0, at + 1).join(" > ");
    const entity = toEntityId("category", id);
    if (!entity || !reserveId(translation, "category", entity)) return undefined;
    const data = { ...entity, name, url: fillAddress(categoryUrl, { id, name }), parentId };
    translation.add({ type: "shop.category.upserted", data, time });
    parentId = entity.id;
  }
  return parentId ?? undefined;
};
