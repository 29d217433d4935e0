import type { Snapshot } from "../../../read-model/reader/reader.ts";
import { joinLines, pluralize } from "../../format.ts";
import { invalidArgument } from "../../user-error.ts";
import { parseVariantId } from "../../variant-id.ts";
import { factLine } from "../../words/facts.ts";
import { formatOffer, formatState, toListedOfferFields } from "../offer-answer.ts";
import { formatVariant, toVariantSummary } from "../variant-answer.ts";
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
    const variantIds = [...new Set(requestedVariants)];
    const count = ids.length + variantIds.length;
    if (count === 0 || count > maxIds) {
      const message = `\`product_ids\` and \`variant_ids\` together must have 1 to ${maxIds} ids.`;
      return invalidArgument(["product_ids"], message);
    }
    const asOf = snapshot.lastEventTime() ?? new Date(0).toISOString();
    const products = readItems(ids, (id) => readProduct(snapshot, id, asOf));
    const variants = readItems(variantIds, (id) => readVariant(snapshot, id, asOf));
    const found = [...products.found, ...variants.found];
    return {
      structured: {
        products: products.found.map(({ data }) => data),
        not_found: products.missing,
        ...(variantIds.length > 0 && { variants: variants.found.map(({ data }) => data) }),
        ...(variants.missing.length > 0 && { variants_not_found: variants.missing }),
      },
      text: joinLines(
        found.length > 0 ? `As of ${asOf}:` : undefined,
        ...found.map(({ line }) => line),
        ...factLine("Not found", products.missing.join(", ")),
        ...factLine("Variants not found", variants.missing.join(", ")),
      ),
    };
  },
};

/** An item of the answer, as data and as a line of the text. */
interface Item {
  readonly data: object;
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
  const product = snapshot.product(id);
  if (!product) return undefined;
  const { text, offer, variants } = product;
  const { availability, price } = offer;
  const count = variants?.ids.length ?? 0;
  const words = `${formatState(offer)}, ${formatOffer(offer)}`;
  return {
    data: {
      ...{ id, availability, price, url: text.url, as_of: asOf },
      ...toListedOfferFields(offer),
      ...(count > 0 && { variant_count: count }),
    },
    line: `- id ${id}: ${words}${count > 0 ? `, ${pluralize(count, "variant")}` : ""}, ${text.url}`,
  };
};

const readVariant = (snapshot: Snapshot, id: string, asOf: string): Item | undefined => {
  const ids = parseVariantId(id);
  const shown = ids && snapshot.product(ids.product)?.variants?.find(ids.variant);
  if (!shown) return undefined;
  return {
    data: { ...toVariantSummary(shown), as_of: asOf, ...toListedOfferFields(shown.offer) },
    line: formatVariant(shown),
  };
};
