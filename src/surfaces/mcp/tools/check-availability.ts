import { type JsonMembers, parseMember } from "../../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { formatAvailability, formatPrice, joinLines, pluralize } from "../../format.ts";
import { invalidArgument } from "../../user-error.ts";
import { parseVariantId } from "../../variant-id.ts";
import { factLine } from "../../words/facts.ts";
import { formatOffer, formatState, readOffer, toStockFields } from "../offer-answer.ts";
import { formatVariant, toVariantSummary } from "../variant-answer.ts";
import { type Id, parseId, type Tool, writeMembers } from "./tool.ts";

interface Arguments {
  readonly product_ids: readonly Id[];
  readonly variant_ids?: readonly string[];
}

/** Products and variants in one call. */
const maxIds = 50;

const idTooLarge = `\`product_ids\` must not contain an id above ${Number.MAX_SAFE_INTEGER}: no product has one.`;

export const checkAvailability: Tool<Arguments> = {
  name: "check_availability",
  answer({ snapshot }, { product_ids: requested, variant_ids: requestedVariants = [] }) {
    const ids = [...new Set(requested.map(parseId))];
    // Rejects ids above MAX_SAFE_INTEGER, which as numbers would become other ids.
    if (ids.includes(0)) return invalidArgument(["product_ids"], idTooLarge);
    const variantIds = [...new Set(requestedVariants)];
    const count = ids.length + variantIds.length;
    if (count === 0 || count > maxIds) {
      const message = `\`product_ids\` and \`variant_ids\` together must have 1 to ${maxIds} ids.`;
      return invalidArgument(["product_ids"], message);
    }
    const asOf = snapshot.lastEventTime() ?? new Date(0).toISOString();
    const products = readItems(ids, (id) => readProduct(snapshot, id, asOf));
    const variants = readItems(variantIds, (id) => readVariant(snapshot, id, asOf));
    const members = variantIds.length === 0 ? "" : writeVariants(variants);
    const found = [...products.found, ...variants.found];
    return {
      structuredJson: `{"products":[${products.found.map(({ json }) => json).join()}],"not_found":${JSON.stringify(products.missing)}${members}}`,
      textJson: JSON.stringify(
        joinLines(
          found.length > 0 ? `As of ${asOf}:` : undefined,
          ...found.map(({ line }) => line),
          ...factLine("Not found", products.missing.join(", ")),
          ...factLine("Variants not found", variants.missing.join(", ")),
        ),
      ),
    };
  },
};

/** An item of the answer, as JSON and as a line of the text. */
interface Item {
  readonly json: string;
  readonly line: string;
}

/** Reads the items of ids. @param read returns undefined for an id of nothing */
const readItems = <T>(ids: readonly T[], read: (id: T) => Item | undefined) => {
  const items = ids.map((id) => ({ id, item: read(id) }));
  return {
    found: items.flatMap(({ item }) => item ?? []),
    missing: items.flatMap(({ id, item }) => (item ? [] : [id])),
  };
};

const readProduct = (snapshot: Snapshot, id: number, asOf: string): Item | undefined => {
  const product = snapshot.productMembers(id);
  if (!product) return undefined;
  const { availability, price, url } = product;
  const { words, members } = describe(snapshot, id, product);
  return {
    json: `{"id":${id},"availability":${availability},"price":${price},"url":${url},"as_of":"${asOf}"${writeMembers(members)}}`,
    line: `- id ${id}: ${words}, ${parseMember(product, "url")}`,
  };
};

/** Describes stock and price of a product. Members that say nothing are left out. */
const describe = (snapshot: Snapshot, id: number, product: JsonMembers<ProductDocument>) => {
  const offer = readOffer(snapshot, id);
  if (!offer) {
    const state = formatAvailability(parseMember(product, "availability"));
    return { words: `${state}, ${formatPrice(parseMember(product, "price"))}`, members: {} };
  }
  const count = snapshot.productGoods(id)?.variantIds.length ?? 0;
  const variants = count > 0 ? `, ${pluralize(count, "variant")}` : "";
  return {
    words: `${formatState(offer)}, ${formatOffer(offer)}${variants}`,
    members: { ...toStockFields(offer), ...(count > 0 && { variant_count: count }) },
  };
};

const readVariant = (snapshot: Snapshot, id: string, asOf: string): Item | undefined => {
  const ids = parseVariantId(id);
  const shown = ids && snapshot.variant(ids.product, ids.variant);
  if (!shown) return undefined;
  const summary = toVariantSummary(ids.product, shown);
  return {
    json: JSON.stringify({ ...summary, as_of: asOf, ...toStockFields(shown.offer) }),
    line: formatVariant(ids.product, shown),
  };
};

const writeVariants = ({ found, missing }: ReturnType<typeof readItems<string>>): string => {
  const notFound = missing.length > 0 ? `,"variants_not_found":${JSON.stringify(missing)}` : "";
  return `,"variants":[${found.map(({ json }) => json).join()}]${notFound}`;
};
