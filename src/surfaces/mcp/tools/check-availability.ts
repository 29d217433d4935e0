import type { Snapshot } from "../../../read-model/reader/reader.ts";
import { pluralize } from "../../format.ts";
import { invalidArgument } from "../../user-error.ts";
import { checkVariants } from "../goods/check-variants.ts";
import { toStockFields } from "../goods/offer-fields.ts";
import { formatOffer, formatStock, lowestWord } from "../goods/offer-text.ts";
import { writeMembers } from "../goods/omit-empty.ts";
import {
  escapeJson,
  type ProductMembers,
  unquote,
  writeAvailability,
  writeLines,
  writePrice,
} from "./stored-json.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

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
    const count = ids.length + new Set(requestedVariants).size;
    if (count === 0 || count > maxIds) {
      const message = `\`product_ids\` and \`variant_ids\` together must have 1 to ${maxIds} ids.`;
      return invalidArgument(["product_ids"], message);
    }
    const found = ids.map((id) => ({ id, product: snapshot.productMembers(id) }));
    const products = found.flatMap(({ product }) => product ?? []);
    const missing = found.flatMap(({ id, product }) => (product ? [] : id));
    const asOf = snapshot.lastEventTime() ?? new Date(0).toISOString();
    const items = products.map((product) => toItem(snapshot, product, asOf));
    const variants = checkVariants(snapshot, requestedVariants, asOf);
    return {
      structuredJson: `{"products":[${items.map(({ json }) => json).join()}],"not_found":${JSON.stringify(missing)}${variants.json}}`,
      textJson: writeLines(
        products.length + variants.lines.length > 0 ? `As of ${asOf}:` : undefined,
        ...items.map(({ line }) => line),
        ...variants.lines.map(escapeJson),
        missing.length > 0 ? `Not found: ${missing.join(", ")}` : undefined,
        variants.missing.length > 0
          ? `Variants not found: ${variants.missing.join(", ")}`
          : undefined,
      ),
    };
  },
};

/** An item of the answer, as JSON and as the inside of a JSON string. */
interface Item {
  readonly json: string;
  readonly line: string;
}

const toItem = (snapshot: Snapshot, product: ProductMembers, asOf: string): Item => {
  const id = Number(product.id);
  const offer = snapshot.hasGoods(id) ? snapshot.productOffer(id) : undefined;
  if (!offer) return { json: writeItem(product, asOf, ""), line: writeItemText(product) };
  const count = snapshot.productGoods(id)?.variantIds.length ?? 0;
  const members = { ...toStockFields(offer), ...(count > 0 && { variant_count: count }) };
  const variants = count > 0 ? `, ${pluralize(count, "variant")}` : "";
  const text = `: ${formatStock(offer)}, ${lowestWord(offer)}${formatOffer(offer)}${variants}, `;
  return {
    json: writeItem(product, asOf, writeMembers(members)),
    line: `- id ${product.id}${escapeJson(text)}${unquote(product.url)}`,
  };
};

/** @param more further members as JSON, with a comma before each */
const writeItem = (
  { id, availability, price, url }: ProductMembers,
  asOf: string,
  more: string,
): string =>
  `{"id":${id},"availability":${availability},"price":${price},"url":${url},"as_of":"${asOf}"${more}}`;

const writeItemText = (product: ProductMembers): string =>
  `- id ${product.id}: ${writeAvailability(product)}, ${writePrice(product)}, ${unquote(product.url)}`;
