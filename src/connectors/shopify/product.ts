import type { NameValue } from "../../events/event.ts";
import type { ImageData, OptionData, VariantData } from "../../events/product-facts.ts";
import { isLower } from "../../offers/amounts.ts";
import { type DraftOf, type ExternalId, type Refused, refused } from "../delivery.ts";
import { type EntityId, toEntityId } from "../ids.ts";
import { type Members, readInteger, readObjects, readText } from "../members.ts";
import { toMoney } from "../money.ts";
import { toUtcTime } from "../times.ts";
import type { CountedStock } from "./state.ts";

/** A body of `products/create` or `products/update` (Contract 10, Shopify). */
export interface Product {
  readonly entity: EntityId;
  readonly handle: string;
  readonly time: string;
  readonly type: string | undefined;
  readonly data: Omit<DraftOf<"shop.product.upserted">["data"], "categoryIds">;
  /** Stock of its variants by inventory item. */
  readonly stock: readonly VariantStock[];
}

interface VariantStock {
  readonly item: string;
  readonly variantId: number;
  readonly counted: CountedStock;
}

interface ReadContext {
  readonly url: string;
  readonly currency: string;
}

export const readProduct = (body: Members, context: ReadContext): Product | Refused => {
  const entity = toEntityId("product", body["id"]);
  const name = readText(body["title"]);
  const handle = readText(body["handle"]);
  const time = toUtcTime(body["updated_at"]);
  if (!entity) return refused("id", "must be the id of the product");
  if (!name) return refused("title", "must be the name of the product");
  if (!handle)
    return refused("handle", "must be the product's handle, which is a part of its address");
  if (!time) return refused("updated_at", "must be a time with an offset");
  const lists = checkLists(body);
  if (lists) return lists;
  const [options, images] = [readOptions(body), readImages(body)];
  const variants = readVariants(body, context, time, { options, images });
  if ("outcome" in variants) return variants;
  return {
    entity,
    handle,
    time,
    type: readText(body["product_type"]),
    data: {
      ...toExternalId(entity),
      id: entity.id,
      name,
      descriptionHtml: readText(body["body_html"]) ?? null,
      url: `${context.url}/products/${encodeURIComponent(handle)}`,
      brand: readText(body["vendor"]) ?? null,
      tags: readTags(body["tags"]),
      images: images.map(({ id: _, ...image }) => image),
      active: isVisible(body),
      options,
      variants: variants.map(({ data }) => data),
    },
    stock: variants.map(({ stock }) => stock),
  };
};

const toExternalId = ({ externalId }: EntityId): ExternalId =>
  externalId === undefined ? {} : { externalId };

/** Refuses bodies that lack variants: they come from a subscription with chosen fields, or were cut. */
const checkLists = (body: Members): Refused | undefined => {
  for (const name of ["variants", "options"]) {
    if (!Array.isArray(body[name])) {
      return refused(name, "must be a list: subscribe to the topic without include_fields");
    }
  }
  const [present, all] = [readObjects(body["variants"]), readObjects(body["variant_gids"])];
  return all.length > present.length
    ? refused("variants", `must have all ${all.length} variants, and has ${present.length}`)
    : undefined;
};

/** Versions of the API before 2020 have no `status`. */
const isVisible = (body: Members): boolean =>
  (body["status"] ?? "active") === "active" && readText(body["published_at"]) !== undefined;

/** Answers of the storefront have a list. */
const readTags = (value: unknown): readonly string[] => {
  const tags = typeof value === "string" ? value.split(",") : value;
  return Array.isArray(tags) ? tags.flatMap((tag) => readText(tag) ?? []) : [];
};

const byPosition = (one: Members, other: Members): number =>
  (readInteger(one["position"]) ?? 0) - (readInteger(other["position"]) ?? 0);

interface ProductImage extends ImageData {
  readonly id: string | undefined;
}

const readImages = (body: Members): readonly ProductImage[] =>
  [...readObjects(body["images"])].sort(byPosition).flatMap((image) => {
    const src = readText(image["src"]);
    if (src === undefined) return [];
    return {
      id: readText(image["id"]),
      url: src.startsWith("//") ? `https:${src}` : src,
      alt: readText(image["alt"]) ?? null,
      width: readInteger(image["width"]) ?? null,
      height: readInteger(image["height"]) ?? null,
    };
  });

/** Reads the options of a product. A product without a choice has the option `Title` with `Default Title`. */
const readOptions = (body: Members): readonly OptionData[] => {
  const options = [...readObjects(body["options"])].sort(byPosition).map((option) => ({
    name: readText(option["name"]) ?? "",
    values: Array.isArray(option["values"])
      ? option["values"].flatMap((value) => readText(value) ?? [])
      : [],
  }));
  const [only] = options;
  const hasChoice = options.length !== 1 || only?.name !== "Title" || only.values.length > 1;
  return hasChoice ? options : [];
};

interface Variant {
  readonly data: VariantData & ExternalId;
  readonly stock: VariantStock;
}

const readVariants = (
  body: Members,
  { currency }: ReadContext,
  time: string,
  product: { readonly options: readonly OptionData[]; readonly images: readonly ProductImage[] },
): readonly Variant[] | Refused => {
  const optionNames = product.options.map(({ name }) => name);
  const imagesById = new Map(product.images.map(({ id, ...image }) => [id, image]));
  const variants: Variant[] = [];
  for (const [at, variant] of [...readObjects(body["variants"])].sort(byPosition).entries()) {
    const entity = toEntityId("variant", variant["id"]);
    if (!entity) return refused(`variants[${at}].id`, "must be the id of the variant");
    const image = imagesById.get(readText(variant["image_id"]));
    variants.push({
      data: {
        ...toExternalId(entity),
        id: entity.id,
        sku: readText(variant["sku"]) ?? null,
        gtin: readGtin(variant["barcode"]),
        // A basket takes the platform's own id, which a file does not have.
        url: entity.externalId === undefined ? `?variant=${entity.id}` : null,
        options: readChoices(variant, optionNames),
        ...readPrices(variant, currency),
        images: image ? [image] : [],
      },
      stock: readStock(variant, entity, time),
    });
  }
  return variants;
};

/** A barcode is free text: one with the length of a GTIN and digits alone is sent as a GTIN. */
const readGtin = (value: unknown): string | null => {
  const text = readText(value) ?? "";
  return /^(\d{8}|\d{12,14})$/.test(text) ? text : null;
};

const readChoices = (variant: Members, names: readonly string[]): readonly NameValue[] =>
  names.flatMap((name, at) => {
    const value = readText(variant[`option${at + 1}`]);
    return value === undefined ? [] : { name, value };
  });

/** A price to compare with counts only above the price. */
const readPrices = (
  variant: Members,
  currency: string,
): Pick<VariantData, "price" | "listPrice"> => {
  const price = toMoney(variant["price"], currency) ?? null;
  const before = toMoney(variant["compare_at_price"], currency);
  return { price, listPrice: price && before && isLower(price, before) ? before : null };
};

const readStock = (variant: Members, { id }: EntityId, time: string): VariantStock => {
  const counted = {
    quantity: readInteger(variant["inventory_quantity"]) ?? null,
    isSoldAtZero: variant["inventory_policy"] === "continue",
    time,
  };
  const management = variant["inventory_management"];
  return {
    item: readText(variant["inventory_item_id"]) ?? `variant/${id}`,
    variantId: id,
    counted: management === undefined ? counted : { ...counted, isTracked: management !== null },
  };
};
