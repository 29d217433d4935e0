import { fillAddress } from "../addresses.ts";
import { type Refused, refused } from "../delivery.ts";
import { toEntityId } from "../ids.ts";
import { type Members, readObjects, readText } from "../members.ts";
import { reserveId } from "../translation.ts";
import type { WooCommerceTranslation } from "./changes.ts";
import type { WooCommerceConnection } from "./state.ts";
import { readId, readName } from "./values.ts";

/** Adds a category of an answer of the API, which alone states its parent. */
export const upsertCategory = (
  translation: WooCommerceTranslation,
  connection: WooCommerceConnection,
  body: Members,
  time: string,
): Refused | undefined => {
  translation.put("categories", String(readId(body["id"])), { parentId: readId(body["parent"]) });
  return addCategory(translation, connection, body, time).length > 0
    ? undefined
    : refused("name", "must be the name of the category");
};

/** @returns the ids of the categories; undefined for a body that states none */
export const addCategories = (
  translation: WooCommerceTranslation,
  connection: WooCommerceConnection,
  body: Members,
  time: string,
): readonly number[] | undefined => {
  const list = body[connection.platform === "files" ? "category_paths" : "categories"];
  if (list === undefined) return undefined;
  return readObjects(list).flatMap((category) =>
    addCategory(translation, connection, category, time),
  );
};

/** @returns its id; nothing for a category that cannot be published */
const addCategory = (
  translation: WooCommerceTranslation,
  { url, categoryUrl }: WooCommerceConnection,
  category: Members,
  time: string,
): readonly number[] => {
  const template = categoryUrl ?? `${url}/product-category/{slug}/`;
  const [entity, name] = [toEntityId("category", category["id"]), readName(category["name"])];
  const slug = readSlug(category["slug"]);
  if (!entity || !name || (slug === "" && template.includes("{slug}"))) return [];
  if (!reserveId(translation, "category", entity)) return [];
  const { id } = entity;
  const parentId = translation.get("categories", String(id))?.parentId;
  const data = { ...entity, name, url: fillAddress(template, { id, name, slug }) };
  translation.add({
    type: "shop.category.upserted",
    data: parentId === undefined ? data : { ...data, parentId },
    time,
  });
  return [id];
};

/** WordPress percent-encodes letters of a slug. This decoder takes any text. */
const readSlug = (slug: unknown): string =>
  new URLSearchParams(`slug=${readText(slug) ?? ""}`).get("slug") ?? "";
