import type { OfferPolicy } from "../../../offers/policy.ts";
import type { Offer } from "../../../read-model/reader/offer.ts";
import type { Specification } from "../../../read-model/schema/product-parts.ts";

/** A product or a variant. */
interface Offered {
  readonly offer: Offer;
}

export const toEnum = (value: string | null | undefined): string | null =>
  value?.toUpperCase() ?? null;

/** Resolvers of what prices, stock and time change, for products and variants alike. */
export const offerFields = {
  price: ({ offer }: Offered) => offer.price,
  listPrice: ({ offer }: Offered) => offer.listPrice,
  listPriceKind: ({ offer }: Offered) => toEnum(offer.listPriceKind),
  priorPrice: ({ offer }: Offered) => offer.priorPrice,
  discountPercent: ({ offer }: Offered) => offer.discountPercent,
  sale: ({ offer }: Offered) => offer.sale,
  upcomingSales: ({ offer }: Offered) => offer.upcomingSales,
  unitPrice: ({ offer }: Offered) => offer.unitPrice,
  availability: ({ offer }: Offered) => offer.availability,
  stock: ({ offer }: Offered) => offer.stock,
  quantityRule: ({ offer }: Offered) => offer.quantityRule,
};

/** Shows a specification with the members that make it an attribute. */
export const toAttribute = ({ name, value, typed }: Specification) => ({ name, value, ...typed });

type Source<M extends string> = { readonly [K in M]?: unknown };

/** Resolvers of members that the schema names or spells differently than events do. Another absent member is null. */
export const valueFields = {
  Sale: {
    startsAt: ({ from }: Source<"from">) => from,
    endsAt: ({ to }: Source<"to">) => to,
  },
  Stock: { status: ({ status }: Offer["stock"]) => toEnum(status) },
  QuantityRule: {
    min: ({ min }: Source<"min">) => min ?? 1,
    step: ({ step }: Source<"step">) => step ?? 1,
  },
  Returns: {
    fees: ({ fees }: NonNullable<OfferPolicy["returns"]>) => toEnum(fees),
    countries: ({ countries }: Source<"countries">) => countries ?? [],
  },
  EnergyLabel: { scale: ({ scale }: Source<"scale">) => scale ?? [] },
  Media: { type: ({ type }: { readonly type: string }) => toEnum(type) },
  RelatedProduct: {
    relationship: ({ relationship }: { readonly relationship: string }) => toEnum(relationship),
  },
};
