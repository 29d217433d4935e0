import type {
  Company,
  EnergyLabel,
  Media,
  ProductFacts,
  QuantityRule,
  Returns,
  Sale,
  Warning,
} from "../../../../events/goods.ts";
import { toScaledRating } from "../../../../offers/rating.ts";
import type { Offer, ShownVariant } from "../../../../read-model/reader/offers/offer-reader.ts";
import type { ProductDocument } from "../../../../read-model/schema/documents.ts";
import type { Image, Specification } from "../../../../read-model/schema/goods.ts";

/** Converts stored goods to the shapes of the schema: every member is there, and enumerations are in capitals. */

export const toEnum = (value: string | null | undefined): string | null =>
  value?.toUpperCase() ?? null;

export const toSale = ({ price, from, to }: Sale) => ({
  price,
  startsAt: from ?? null,
  endsAt: to ?? null,
});

/** Converts what is shown of prices and stock, for products and variants alike. */
export const toOfferFields = (offer: Offer) => ({
  listPrice: offer.listPrice,
  listPriceKind: toEnum(offer.listPriceKind),
  priorPrice: offer.priorPrice,
  discountPercent: offer.discountPercent,
  sale: offer.sale && toSale(offer.sale),
  upcomingSales: offer.upcomingSales.map(toSale),
  unitPrice: offer.unitPrice,
  stock: {
    status: toEnum(offer.stock.status),
    quantity: offer.stock.quantity,
    availabilityDate: offer.stock.availabilityDate,
  },
  quantityRule: offer.quantityRule && toQuantityRule(offer.quantityRule),
});

const toQuantityRule = ({ min, max, step }: QuantityRule) => ({
  min: min ?? 1,
  max: max ?? null,
  step: step ?? 1,
});

export const toAttribute = ({ name, value, typed }: Specification) => ({
  name,
  value,
  code: typed?.code ?? null,
  numericValue: typed?.numericValue ?? null,
  max: typed?.max ?? null,
  unit: typed?.unit ?? null,
  group: typed?.group ?? null,
});

export const toImage = ({ url, alt, width, height }: Image) => ({
  url,
  alt: alt ?? null,
  width: width ?? null,
  height: height ?? null,
});

/** Converts the facts of a product that are not part of its offer. */
export const toFactFields = (facts: Omit<ProductFacts, "options">) => ({
  mpn: facts.mpn ?? null,
  condition: toEnum(facts.condition),
  rating: toScaledRating(facts.rating) ?? null,
  related: (facts.related ?? []).map(({ productId, relationship }) => ({
    productId,
    relationship: toEnum(relationship),
  })),
  releaseDate: facts.releaseDate ?? null,
  delivery: toEnum(facts.delivery),
  tags: facts.tags ?? [],
  highlights: facts.highlights ?? [],
  minimumAge: facts.minimumAge ?? null,
  warnings: (facts.warnings ?? []).map(toWarning),
  manufacturer: facts.manufacturer ? toCompany(facts.manufacturer) : null,
  responsiblePerson: facts.responsiblePerson ? toCompany(facts.responsiblePerson) : null,
  energyLabel: facts.energyLabel ? toEnergyLabel(facts.energyLabel) : null,
  media: (facts.media ?? []).map(toMedia),
});

const toWarning = ({ text, code, url, imageUrl }: Warning) => ({
  text,
  code: code ?? null,
  url: url ?? null,
  imageUrl: imageUrl ?? null,
});

const toCompany = ({ name, address, email, url }: Company) => ({
  name,
  address: address ?? null,
  email: email ?? null,
  url: url ?? null,
});

const toEnergyLabel = (label: EnergyLabel) => ({
  class: label.class,
  scale: label.scale ?? [],
  labelUrl: label.labelUrl ?? null,
  sheetUrl: label.sheetUrl ?? null,
  eprelId: label.eprelId ?? null,
});

const toMedia = ({ type, url, alt, previewUrl }: Media) => ({
  type: toEnum(type),
  url,
  alt: alt ?? null,
  previewUrl: previewUrl ?? null,
});

export const toReturns = ({ accepted, days, exchanges, fees, countries }: Returns) => ({
  accepted,
  days: days ?? null,
  exchanges: exchanges ?? null,
  fees: toEnum(fees),
  countries: countries ?? [],
});

export const toVariant = (
  product: ProductDocument,
  { variant: own, title, url, offer }: ShownVariant,
) => ({
  id: `${product.id}.${own.id}`,
  variantId: own.id,
  title,
  url,
  sku: own.sku ?? null,
  gtin: own.gtin ?? null,
  mpn: own.mpn ?? null,
  options: own.options,
  price: offer.price,
  ...toOfferFields(offer),
  availability: offer.stock.orderable ? "IN_STOCK" : "OUT_OF_STOCK",
  condition: toEnum(own.condition),
  attributes: (own.specifications ?? []).map(toAttribute),
  images: (own.images ?? []).map(toImage),
});
