import type { NameValue } from "../../events/event.ts";
import { refused } from "../delivery.ts";
import { type Members, readInteger, readMembers, readObjects, readText } from "../members.ts";
import { type FindProduct, readImages } from "./product.ts";
import type { AttributeName, Choice } from "./state.ts";
import { type PricedConnection, readName, readPrices, readStock } from "./values.ts";

/** Reads a body of a variation (Contract 10, WooCommerce). */
export const readVariation = (
  id: number,
  body: Members,
  connection: PricedConnection,
  find: FindProduct,
) => {
  const productId = find(body["parent_id"]);
  if (!productId) return refused("parent_id", needsParent(body["parent_id"]));
  const prices = readPrices(body, connection);
  return {
    productId,
    choices: readChoices(body),
    data: {
      ...{ id, sku: readText(body["sku"]) ?? null },
      gtin: readText(body["global_unique_id"]) ?? null,
      url: readText(body["permalink"]) ?? null,
      ...prices,
      images: readImages(body["images"] ?? [body["image"]]).slice(0, 1),
      active: body["status"] === "publish" && prices.price !== null,
    },
    isManaged: body["manage_stock"] === true,
    stock: body["manage_stock"] === "parent" ? null : readStock(body),
  };
};

const needsParent = (value: unknown): string =>
  readMembers(value)
    ? "names a SKU that neither a row nor a delivery had"
    : "must be the id of the product";

/** Reads what a variation is. An attribute without an option stands for any. */
const readChoices = (body: Members): readonly Choice[] =>
  readObjects(body["attributes"]).flatMap(({ id, name, option: value }) => {
    const option = readName(value);
    return option ? { id: readInteger(id) ?? 0, name: readName(name) ?? "", option } : [];
  });

/** Names choices as the parent does. */
export const spellChoices = (
  choices: readonly Choice[],
  names: readonly AttributeName[],
): readonly NameValue[] =>
  choices.map(({ id, name, option: value }) => {
    const isSame = (each: AttributeName) =>
      id > 0 && each.id > 0 ? each.id === id : toSlug(each.name) === toSlug(name);
    return { name: names.find(isSame)?.name ?? name, value };
  });

/** Some bodies have the slug of an attribute as its name. */
export const toSlug = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
