import { fillAddress } from "../addresses.ts";
import { ignored, refused } from "../delivery.ts";
import { toEntityId } from "../ids.ts";
import { type Members, readMembers } from "../members.ts";
import { reserveId } from "../translation.ts";
import { readLocalized } from "./attributes.ts";
import { nextVersion, older, sharedNumber } from "./message.ts";
import type { CategoryTexts, MessageHandler } from "./state.ts";

const noCategories = ignored('categories need "categoryUrl" in the connection');

/** Handles `CategoryCreated` and `CategorySlugChanged`. */
export const upsertCategory: MessageHandler = (translation, { categoryUrl, language }, message) => {
  const { entity, body } = message;
  if (categoryUrl === undefined) return noCategories;
  const existing = translation.get("categories", String(entity.id));
  const version = nextVersion(message, existing);
  if (!version) return older;
  const created = readMembers(body["category"]);
  const texts = created ? readTexts(created, language) : existing?.texts;
  if (!texts) return created ? refusedName : ignored("no message had the name of the category");
  const slug = readLocalized((created ?? body)["slug"], language) ?? "";
  if (slug === "" && categoryUrl.includes("{slug}")) {
    return refused(created ? "category.slug" : "slug", "must be there for the address");
  }
  if (!reserveId(translation, "category", entity)) return sharedNumber;
  const parts = { id: entity.externalId ?? entity.id, name: texts.name, slug };
  const data = { ...entity, ...texts, url: fillAddress(categoryUrl, parts) };
  translation.add({ type: "shop.category.upserted", data, time: version.time });
  translation.put("categories", String(entity.id), { ...version, texts });
  return undefined;
};

const refusedName = refused("category.name", "must be the name of the category");

const readTexts = (category: Members, language?: string): CategoryTexts | undefined => {
  const name = readLocalized(category["name"], language);
  const parent = toEntityId("category", readMembers(category["parent"])?.["id"]);
  return name === undefined ? undefined : { name, parentId: parent?.id ?? null };
};

/** Handles the deletion of a category. The row stays, because an older message may arrive later. */
export const deleteCategory: MessageHandler = (translation, { categoryUrl }, message) => {
  const { id } = message.entity;
  if (categoryUrl === undefined) return noCategories;
  const version = nextVersion(message, translation.get("categories", String(id)));
  if (!version) return older;
  translation.add({ type: "shop.category.deleted", data: { id }, time: version.time });
  translation.put("categories", String(id), version);
  return undefined;
};
