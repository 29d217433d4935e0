import type { ShownVariant } from "../../read-model/reader/variants.ts";
import type { Specification } from "../../read-model/schema/product-parts.ts";
import { formatAttribute } from "../../text/attribute-value.ts";
import type { VariantFact } from "../product-members.ts";
import { factLine, formatQuantityRule } from "../words/facts.ts";
import { formatUpcomingSales } from "../words/price.ts";
import { plain } from "../words/style.ts";
import { type Fields, formatOffer, formatState, omitEmpty } from "./offer-answer.ts";

/** Converts a variant to the item of an answer. @param toOffer converts its offer */
export const toVariant = (
  shown: ShownVariant,
  toOffer: (shown: ShownVariant) => object,
): object => {
  const { sku, gtin, mpn, condition, options, images, specifications } = shown.variant;
  return {
    ...toVariantSummary(shown),
    ...omitEmpty({
      sku,
      gtin,
      mpn,
      condition,
      options,
      images: images?.map(({ url, alt }) => ({ url, alt: alt ?? null })),
      specifications: specifications?.map(({ name, value }) => ({ name, value })),
    } satisfies Fields<Exclude<VariantFact, "quantityRule">>),
    // Of these, one is the quantity rule of the variant.
    ...toOffer(shown),
  };
};

/** Converts a variant to its id, title, price and availability. */
export const toVariantSummary = ({ productId, id, title, url, offer }: ShownVariant) => ({
  id: `${productId}.${id}`,
  title,
  url,
  price: offer.price,
  availability: offer.availability,
});

/** Formats the offer of a variant: `89.00 EUR, in stock`. */
export const formatVariantOffer = ({ offer }: Pick<ShownVariant, "offer">): string =>
  `${formatOffer(offer)}, ${formatState(offer)}`;

/** Formats a variant on one line with its own facts: `- 4711.90001 Red / S: 89.00 EUR, in stock, SKU JACKET-RED-S, condition: used`. */
export const formatVariant = (shown: ShownVariant, formatWords = formatVariantOffer): string => {
  const { productId, id, variant, title, url, offer } = shown;
  const { name, sku, gtin, mpn, condition, options, quantityRule, specifications } = variant;
  let line = `- ${productId}.${id} ${title}: ${formatWords(shown)}`;
  const add = (part: string | undefined): void => {
    if (part) line += `, ${part}`;
  };
  add(sku && `SKU ${sku}`);
  add(gtin && `GTIN ${gtin}`);
  add(mpn && `MPN ${mpn}`);
  factLine("condition", condition).forEach(add);
  factLine("pieces per purchase", formatQuantityRule(quantityRule)).forEach(add);
  for (const sale of formatUpcomingSales(offer, plain)) add(`sale to come: ${sale}`);
  if (name !== undefined) for (const option of options) add(`${option.name}: ${option.value}`);
  for (const each of specifications ?? []) add(formatSpecification(each));
  add(variant.url && url);
  return line;
};

/** Formats a specification with its heading and its unit: `Width (packaging): 40 cm`. */
export const formatSpecification = ({ name, value, typed }: Specification): string =>
  `${name}${typed?.group ? ` (${typed.group})` : ""}: ${formatAttribute(value, typed)}`;
