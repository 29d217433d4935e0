import type { EnergyLabel, ProductFacts } from "../../events/product-facts.ts";
import type { OfferPolicy } from "../../offers/policy.ts";
import { toScaledRating } from "../../offers/rating.ts";
import type { ShownVariant } from "../../read-model/reader/variants.ts";
import type { ProductOption, ProductText } from "../../read-model/schema/documents.ts";
import type { Specification } from "../../read-model/schema/product-parts.ts";
import { joinLines, pluralize } from "../format.ts";
import type { NameIn } from "../product-members.ts";
import { factLine, factLines, formatMedia, relationshipNames } from "../words/facts.ts";
import { type OfferWords, offerLines } from "../words/offer.ts";
import { perOffer } from "../words/price.ts";
import { plain } from "../words/style.ts";
import {
  type Fields,
  formatState,
  omitEmpty,
  toNoticeFields,
  toOfferFields,
  warningLines,
} from "./offer-answer.ts";
import { countFitting } from "./text-bound.ts";
import { formatVariant, formatVariantOffer, toVariant } from "./variant-answer.ts";

/** What `get_product` shows beyond the published members of a product. */
export interface ProductSource extends OfferWords {
  readonly text: ProductText;
  /** A page of its variants. */
  readonly variants: readonly ShownVariant[];
  /** Variants of the product before those of the page. */
  readonly offset: number;
  /** Number of all its variants. */
  readonly total: number;
}

/** Converts a product to members of an answer. Members that say nothing are left out. */
export const toProductFields = (source: ProductSource): object => {
  const { text, offer, facts, policy, variants, offset, total } = source;
  const toOffer = perOffer((each) => omitEmpty(toOfferFields(each)));
  const own = {
    tax_included: offer.price && policy.taxIncluded,
    options: text.options.map(toOption),
    variants: variants.map((shown) => toVariant(shown, toOffer)),
    variant_count: total || null,
    has_more_variants: offset + variants.length < total || null,
    attributes: text.specifications.flatMap(toAttribute),
  };
  return omitEmpty(toOfferFields(offer), own, toFactFields(facts, policy));
};

/** Converts what the product's own events state of it to members of an answer. */
export const toFactFields = (
  facts: ProductFacts,
  policy?: OfferPolicy,
): Fields<NameIn<"tool", "fact">> => ({
  mpn: facts.mpn,
  condition: facts.condition,
  ...toNoticeFields(facts),
  rating: toScaledRating(facts.rating),
  related: facts.related?.map(({ productId, relationship }) => ({
    product_id: productId,
    relationship,
  })),
  release_date: facts.releaseDate,
  delivery: facts.delivery,
  tags: facts.tags,
  highlights: facts.highlights,
  manufacturer: facts.manufacturer,
  responsible_person: facts.responsiblePerson,
  energy_label: facts.energyLabel && toEnergyLabel(facts.energyLabel),
  media: facts.media?.map(({ previewUrl, ...media }) => ({ ...media, preview_url: previewUrl })),
  returns: facts.returns ?? policy?.returns,
});

const toEnergyLabel = ({ labelUrl, sheetUrl, eprelId, ...label }: EnergyLabel) => ({
  ...label,
  ...{ label_url: labelUrl, sheet_url: sheetUrl, eprel_id: eprelId },
});

export const toOption = ({ name, code, values }: ProductOption): object =>
  omitEmpty({ name, code, values: values.map(({ value }) => value) });

/** Only attributes: the other specifications are in the published member. */
const toAttribute = ({ name, value, typed }: Specification): readonly object[] => {
  if (!typed) return [];
  const { numericValue, ...members } = typed;
  return [{ name, value, ...members, numeric_value: numericValue }];
};

/** Formats offer, facts and options as lines. */
export const productLines = ({ text, offer, facts, policy }: ProductSource) => [
  ...offerLines({ offer, facts, policy }, formatState(offer), plain),
  ...warningLines(facts),
  ...factLines(facts, plain),
  ...(facts.highlights ?? []).map((highlight) => `* ${highlight}`),
  ...factLine("Tags", facts.tags?.join(", ")),
  ...(facts.media ?? []).flatMap((medium) => factLine("Media", formatMedia(medium, plain))),
  ...(facts.related ?? []).map(
    ({ productId, relationship }) =>
      `Related (${relationshipNames[relationship]}): id ${productId}`,
  ),
  ...text.options.map(
    ({ name, values }) => `Option ${name}: ${values.map(({ value }) => value).join(", ")}`,
  ),
];

/** Formats as many variants of the page as fit, and names the call for the others. */
export const formatVariants = ({ variants, offset, total }: ProductSource): string => {
  const words = perOffer((offer) => formatVariantOffer({ offer }));
  const lines = variants.map((shown) => formatVariant(shown, words));
  const shown = lines.slice(0, countFitting(lines));
  const next = offset + shown.length;
  const more = total - next;
  return joinLines(
    ...shown,
    shown.length > 0 && more > 0
      ? `${pluralize(more, "more variant")} of ${total}: continue with variant_offset ${next}.`
      : undefined,
  );
};
