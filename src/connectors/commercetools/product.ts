import type { ImageData } from "../../events/product-facts.ts";
import { fillAddress } from "../addresses.ts";
import { type DraftOf, type Refused, refused } from "../delivery.ts";
import { toEntityId } from "../ids.ts";
import { type Members, readInteger, readMembers, readObjects, readText } from "../members.ts";
import { readLocalized, sortAttributes } from "./attributes.ts";
import type { ResourceMessage } from "./message.ts";
import { choosePrice, type PriceChoice } from "./prices.ts";
import type { CommercetoolsConnection, SupplyCount } from "./state.ts";

/** The projection of a message `ProductPublished`. */
export interface Projection {
  readonly data: DraftOf<"shop.product.upserted">["data"];
  readonly variants: readonly ProjectionVariant[];
}

interface ProjectionVariant {
  readonly id: number;
  readonly sku: string | undefined;
  readonly counted: SupplyCount | undefined;
  readonly members: Members;
}

type Context = CommercetoolsConnection & PriceChoice;

export const readProjection = (
  { entity, body }: ResourceMessage,
  context: Context,
): Projection | Refused => {
  const product = readMembers(body["productProjection"]);
  if (!product) return refused("productProjection", "must be the published product");
  const name = readLocalized(product["name"], context.language);
  if (name === undefined) return refused("productProjection.name", "must be the product's name");
  const variants = readVariants(product);
  if ("outcome" in variants) return variants;
  const address = {
    id: entity.externalId ?? entity.id,
    slug: readLocalized(product["slug"], context.language) ?? "",
    sku: variants[0]?.sku ?? "",
  };
  const missing = (["slug", "sku"] as const).find(
    (part) => address[part] === "" && context.productUrl.includes(`{${part}}`),
  );
  if (missing) return refused("productProjection", `must have the ${missing} of its address`);
  const url = fillAddress(context.productUrl, address);
  const data = { ...entity, name, url, ...readData(product, variants, context) };
  return { data, variants };
};

const readVariants = (product: Members): readonly ProjectionVariant[] | Refused => {
  const others = product["variants"];
  if (!Array.isArray(others)) return refused("productProjection.variants", "must be a list");
  const variants: ProjectionVariant[] = [];
  for (const [at, each] of [product["masterVariant"], ...others].entries()) {
    const members = readMembers(each) ?? {};
    const name = at === 0 ? "masterVariant" : `variants[${at - 1}]`;
    const entity = toEntityId("variant", members["id"]);
    if (!entity) return refused(`productProjection.${name}.id`, "must be the id of the variant");
    const sku = readText(members["sku"]);
    variants.push({ id: entity.id, sku, counted: readCount(members["availability"]), members });
  }
  return variants;
};

/** Reads the supply without a channel, as it was when the product was published. */
const readCount = (value: unknown): SupplyCount | undefined => {
  const { availableQuantity, isOnStock: orderable } = readMembers(value) ?? {};
  const quantity = readInteger(availableQuantity);
  if (quantity !== undefined) return { quantity };
  return typeof orderable === "boolean" ? { quantity: null, orderable } : undefined;
};

const readData = (
  product: Members,
  variants: readonly ProjectionVariant[],
  context: Context,
): Omit<Projection["data"], "id" | "name" | "url"> => {
  const { language, categoryUrl } = context;
  const lists = variants.map(({ members }) => members);
  const attributes = sortAttributes(product, lists, language);
  return {
    descriptionHtml: readLocalized(product["description"], language) ?? null,
    categoryIds: categoryUrl === undefined ? [] : readCategoryIds(product),
    specifications: attributes.specifications,
    images: readImages(lists[0]),
    active: true,
    options: attributes.options,
    variants: variants.map(({ id, sku, members }, at) => ({
      id,
      sku: sku ?? null,
      ...attributes.variants[at],
      ...choosePrice(members, context),
      images: readImages(members),
      active: true,
    })),
  };
};

const readCategoryIds = (product: Members): readonly number[] =>
  readObjects(product["categories"]).flatMap(({ id }) => toEntityId("category", id)?.id ?? []);

const readImages = (variant: Members | undefined): readonly ImageData[] =>
  readObjects(variant?.["images"]).map(({ url, label, dimensions }) => {
    const { w, h } = readMembers(dimensions) ?? {};
    return {
      url: readText(url) ?? "",
      alt: readText(label) ?? null,
      width: readInteger(w) || null,
      height: readInteger(h) || null,
    };
  });
