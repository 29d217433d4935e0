import type { Relationship } from "../../events/product-facts.ts";
import { refused } from "../delivery.ts";
import { type Members, readInteger, readObjects, readText } from "../members.ts";
import type { StockFacts } from "./state.ts";
import {
  hasPrice,
  type PricedConnection,
  readId,
  readList,
  readName,
  readPrices,
  readStock,
} from "./values.ts";

/** Finds the product that a body names. */
export type FindProduct = (value: unknown) => number | undefined;

/** Reads a body of a product that is no variation (Contract 10, WooCommerce). */
export const readProduct = (
  id: number,
  body: Members,
  connection: PricedConnection,
  find: FindProduct,
) => {
  const [name, url] = [readName(body["name"]), readText(body["permalink"])];
  if (!name) return refused("name", "must be the name of the product");
  if (!url) return refused("permalink", "must be the address of the product");
  const sku = readText(body["sku"]);
  const listed = body["variations"] === undefined ? undefined : readIds(body["variations"], readId);
  const isManaged = body["manage_stock"] === true;
  const isVariable = listed?.[0] !== undefined || isVariableType(body["type"]);
  const attributes = readAttributes(body, isVariable);
  // The price of a group or a variable product is the lowest of its parts.
  const isUnpriced = isVariable || body["type"] === "grouped";
  return {
    data: {
      ...{ id, name, url, reference: sku ?? null },
      active: body["status"] === "publish" && body["catalog_visibility"] !== "hidden",
      ...readFacts(body, find),
      ...(isUnpriced ? { price: null, sales: [] } : readPrices(body, connection)),
      ...toAttributeMembers(attributes),
    },
    ...{ sku, listed, attributes: attributes.map(({ id, name }) => ({ id, name })) },
    stock: readOwnStock(body, isVariable),
    isShared: isVariable && isManaged,
    // Else the variations have it.
    hasStock: !isVariable || isManaged,
  };
};

/** Plug-ins have types such as `variable-subscription`. */
export const isVariableType = (type: unknown): boolean =>
  readText(type)?.startsWith("variable") === true;

const readIds = (list: unknown, find: FindProduct): readonly number[] =>
  readList(list).flatMap((value) => find(value) ?? []);

const readFacts = (body: Members, find: FindProduct) => ({
  descriptionHtml: readText(body["description"]) ?? readText(body["short_description"]) ?? null,
  gtin: readText(body["global_unique_id"]) ?? null,
  brand: readNames(body["brands"])[0] ?? null,
  images: readImages(body["images"]),
  tags: readNames(body["tags"]),
  rating: readRating(body),
  related: relationships
    .flatMap(([member, relationship]) =>
      readIds(body[member], find).map((productId) => ({ productId, relationship })),
    )
    .slice(0, maxRelated),
  delivery: body["virtual"] === true || body["downloadable"] === true ? ("digital" as const) : null,
});

const maxRelated = 100;
const relationships: readonly (readonly [member: string, Relationship])[] = [
  ["grouped_products", "part_of_set"],
  ["upsell_ids", "similar"],
  ["cross_sell_ids", "often_bought_with"],
];

const readNames = (list: unknown): readonly string[] =>
  readObjects(list).flatMap(({ name }) => readName(name) ?? []);

export const readImages = (list: unknown) =>
  readObjects(list).flatMap(({ src, alt }) => {
    const url = readText(src);
    return url === undefined ? [] : { url, alt: readName(alt) ?? null };
  });

/** @returns undefined for a body that states none */
const readRating = (body: Members) => {
  if (body["rating_count"] === undefined) return undefined;
  const count = readInteger(body["rating_count"]) ?? 0;
  const value = Number(readText(body["average_rating"]));
  return count > 0 && Number.isFinite(value) ? { value, count } : null;
};

/** Reads attributes by position. */
const readAttributes = (body: Members, isVariable: boolean) =>
  [...readObjects(body["attributes"])].sort(byPosition).map((attribute) => {
    const isOption = isVariable && attribute["variation"] === true;
    const values = readList(attribute["options"]).flatMap((value) => readName(value) ?? []);
    return {
      ...{ id: readInteger(attribute["id"]) ?? 0, name: readName(attribute["name"]) ?? "" },
      ...{ values, isOption, isShown: !isOption && attribute["visible"] === true },
    };
  });

const toAttributeMembers = (attributes: ReturnType<typeof readAttributes>) => ({
  options: attributes.flatMap(({ isOption, name, values }) => (isOption ? { name, values } : [])),
  specifications: attributes.flatMap(({ isShown, name, values }) =>
    isShown && values.length > 0 ? { name, value: values.join(", ") } : [],
  ),
});

const byPosition = (one: Members, other: Members): number =>
  (readInteger(one["position"]) ?? 0) - (readInteger(other["position"]) ?? 0);

const readOwnStock = (body: Members, isVariable: boolean): StockFacts => {
  if (body["type"] === "external" || body["type"] === "grouped")
    return { quantity: null, orderable: false };
  const stock = readStock(body);
  return isVariable || hasPrice(body) ? stock : { quantity: stock.quantity, orderable: false };
};
