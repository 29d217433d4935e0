import type { GraphQLFieldResolver } from "graphql";
import { toGoodsPolicy } from "../../../../offers/policy.ts";
import type { Snapshot } from "../../../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../../../read-model/schema/documents.ts";
import type { ResolverContext } from "../../resolver-context.ts";
import { detailOf, factFieldsOf, featuredOf, goodsOf, offerFieldsOf, rangeOf } from "./context.ts";
import { options } from "./options.ts";
import { toFactFields, toReturns } from "./shapes.ts";
import { variant, variants } from "./variants.ts";

type Resolve = GraphQLFieldResolver<unknown, ResolverContext>;

/** Creates resolvers that read one member each of what a function computes from the product. */
const members = <V extends object>(
  names: readonly (keyof V & string)[],
  read: (snapshot: Snapshot, product: ProductDocument) => V,
): Readonly<Record<string, Resolve>> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (source, _args, { snapshot }) => read(snapshot, source as ProductDocument)[name],
    ]),
  );

const offerMembers = [
  ...(["listPrice", "listPriceKind", "priorPrice", "discountPercent", "sale"] as const),
  ...(["upcomingSales", "unitPrice", "stock", "quantityRule"] as const),
] satisfies readonly (keyof ReturnType<typeof offerFieldsOf>)[];

const factMembers = [
  ...(["mpn", "condition", "rating", "releaseDate", "delivery", "tags"] as const),
  ...(["highlights", "minimumAge", "warnings", "manufacturer", "responsiblePerson"] as const),
  ...(["energyLabel", "media"] as const),
] satisfies readonly (keyof ReturnType<typeof factFieldsOf>)[];

/** Resolvers of what a product has beyond its published members. */
export const productGoodsResolvers: Readonly<Record<string, Resolve>> = {
  ...members(offerMembers, offerFieldsOf),
  ...members(factMembers, factFieldsOf),
  ...members(["attributes", "images"], detailOf),
  ...members(["priceRange"], rangeOf),
  ...members(["featuredVariant"], featuredOf),
  related: (source, _args, { snapshot }) =>
    toFactFields({ related: snapshot.relatedProducts((source as ProductDocument).id) }).related,
  sku: (source) => (source as ProductDocument).reference,
  taxIncluded: (_source, _args, { snapshot }) => toGoodsPolicy(snapshot.shop()?.goods).taxIncluded,
  options: (source, args, context) => options(context, source as ProductDocument, args),
  variants: (source, args, { snapshot }) => variants(snapshot, source as ProductDocument, args),
  variant: (source, args, { snapshot }) => variant(snapshot, source as ProductDocument, args),
  returns(source, _args, { snapshot }) {
    const { returns } = goodsOf(snapshot, source as ProductDocument).facts;
    const stated = returns ?? toGoodsPolicy(snapshot.shop()?.goods).returns;
    return stated && toReturns(stated);
  },
};
