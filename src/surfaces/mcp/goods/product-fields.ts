import { toGoodsPolicy } from "../../../offers/policy.ts";
import { toScaledRating } from "../../../offers/rating.ts";
import type { ProductOffer } from "../../../read-model/reader/offers/offer-reader.ts";
import type { VariantPage } from "../../../read-model/reader/reader.ts";
import type { ProductGoods, ShopDocument } from "../../../read-model/schema/documents.ts";
import type { Specification } from "../../../read-model/schema/goods.ts";
import { toNoticeFields } from "./notices.ts";
import { toOfferFields } from "./offer-fields.ts";
import { omitEmpty } from "./omit-empty.ts";
import { toVariant } from "./variant-fields.ts";

/** What `get_product` shows beyond the published members of a product. */
export interface GoodsSource {
  readonly id: number;
  readonly offer: ProductOffer;
  readonly goods: ProductGoods | undefined;
  readonly shop: ShopDocument | undefined;
  readonly specifications: readonly Specification[];
  readonly variants: VariantPage;
  /** Variants of the product before those of the page. */
  readonly offset: number;
}

/** Converts the goods of a product to members of an answer. Members that say nothing are left out. */
export const toGoodsFields = (source: GoodsSource): object => {
  const { id, offer, shop, variants, specifications } = source;
  const policy = toGoodsPolicy(shop?.goods);
  return omitEmpty({
    ...toOfferFields(offer),
    price_range: offer.range,
    tax_included: offer.price && policy.taxIncluded,
    options: (source.goods?.options ?? []).map(({ name, code, values }) =>
      omitEmpty({ name, code, values: values.map(({ value }) => value) }),
    ),
    variants: variants.variants.map((each) => toVariant(id, each)),
    variant_count: variants.total > 0 ? variants.total : null,
    has_more_variants: variants.hasNextPage || null,
    attributes: specifications.flatMap(toAttribute),
    ...toFactFields(source.goods),
    returns: source.goods?.facts.returns ?? policy.returns,
  });
};

const toFactFields = (goods: ProductGoods | undefined) => {
  const facts = goods?.facts ?? {};
  return {
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
    media: facts.media?.map(({ previewUrl, ...media }) =>
      omitEmpty({ ...media, preview_url: previewUrl }),
    ),
  };
};

const toEnergyLabel = ({
  labelUrl,
  sheetUrl,
  eprelId,
  ...label
}: NonNullable<ProductGoods["facts"]["energyLabel"]>): object =>
  omitEmpty({ ...label, label_url: labelUrl, sheet_url: sheetUrl, eprel_id: eprelId });

/** Only attributes: the other specifications are in the published member. */
const toAttribute = ({ name, value, typed }: Specification): readonly object[] => {
  if (!typed) return [];
  const { numericValue, ...members } = typed;
  return [omitEmpty({ name, value, ...members, numeric_value: numericValue })];
};
