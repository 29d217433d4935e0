import type { OptionValueData } from "../../../events/product-facts.ts";
import {
  evaluateOption,
  resolveSelection,
  type ValueState,
} from "../../../offers/option-selection.ts";
import { toScaledRating } from "../../../offers/rating.ts";
import type { Product } from "../../../read-model/reader/product.ts";
import type { NameIn } from "../../product-members.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { offerFields, toAttribute, toEnum } from "./offer.ts";
import { type OptionInput, variant, variants, withCountedVariants } from "./variants.ts";

type Resolve = (product: Product, args: object, context: ResolverContext) => unknown;

/** Resolvers of texts and facts. */
const textFields = {
  name: ({ text }) => text.name,
  description: ({ description }) => description,
  url: ({ text }) => text.url,
  reference: ({ text }) => text.reference,
  gtin: ({ text }) => text.gtin,
  brand: ({ text }) => text.brand,
  sku: ({ text }) => text.reference,
  mpn: ({ text }) => text.facts.mpn,
  attributes: ({ text }) => text.specifications.map(toAttribute),
  images: ({ text }) => text.images,
  media: ({ text }) => text.facts.media ?? [],
  condition: ({ text }) => toEnum(text.facts.condition),
  rating: ({ text }) => toScaledRating(text.facts.rating),
  releaseDate: ({ text }) => text.facts.releaseDate,
  delivery: ({ text }) => toEnum(text.facts.delivery),
  tags: ({ text }) => text.facts.tags ?? [],
  highlights: ({ text }) => text.facts.highlights ?? [],
  minimumAge: ({ text }) => text.facts.minimumAge,
  warnings: ({ text }) => text.facts.warnings ?? [],
  manufacturer: ({ text }) => text.facts.manufacturer,
  responsiblePerson: ({ text }) => text.facts.responsiblePerson,
  energyLabel: ({ text }) => text.facts.energyLabel,
  returns: ({ text }, _args, { snapshot }) => text.facts.returns ?? snapshot.shop()?.returns,
  related: (product, _args, { snapshot }) => snapshot.relatedProducts(product),
} satisfies Readonly<Record<string, Resolve>>;

/**
 * Resolves `Product.options`. A selected option that the product does not have selects nothing, so that no value exists with it.
 */
const options = (
  { text, variants }: Product,
  { selected }: { readonly selected?: readonly OptionInput[] | null },
) => {
  if (text.options.length === 0) return [];
  const choices = variants?.choices() ?? { options: [], variants: [] };
  const selection = resolveSelection(choices.options, selected ?? []);
  return text.options.map(({ name, code, values }) => {
    const option = choices.options.find(([own]) => own === name);
    const stateOf =
      selection && option ? evaluateOption(choices.variants, selection, option) : () => noState;
    return { name, code, values: values.map((value) => toValue(value, stateOf(value.value))) };
  });
};

const noState: ValueState = { exists: false, available: false };

const toValue = ({ value, id, swatch }: OptionValueData, state: ValueState) => ({
  value,
  id: id ?? null,
  swatchColor: swatch?.color ?? null,
  swatchImageUrl: swatch?.imageUrl ?? null,
  ...state,
});

/** Resolvers of `Product`. */
export const productFields = {
  ...textFields,
  ...offerFields,
  inStock: ({ offer }) => offer.stock.orderable,
  priceRange: ({ offer }) => offer.range,
  taxIncluded: (_product, _args, { snapshot }) => snapshot.shop()?.taxIncluded,
  options: withCountedVariants(options),
  variants: withCountedVariants(variants),
  variant: withCountedVariants(variant),
  featuredVariant: withCountedVariants(({ offer, variants: all }) =>
    offer.featured === null ? null : all?.find(offer.featured),
  ),
} satisfies Readonly<Record<string, Resolve>> & { readonly [N in NameIn<"graphql">]: Resolve };
