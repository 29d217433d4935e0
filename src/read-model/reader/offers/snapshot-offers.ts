import { showsPolicy, toGoodsPolicy } from "../../../offers/policy.ts";
import { periodAt } from "../../../offers/product-offer.ts";
import type { ProductDocument, ShopDocument } from "../../schema/documents.ts";
import { tables } from "../../schema/tables.ts";
import { variantKey } from "../../schema/variant-key.ts";
import { findMatchedVariants } from "../../search/goods/matched-variants.ts";
import { readVariantChoices } from "../../search/goods/variant-choices.ts";
import type { SearchRequest } from "../../search/search-request.ts";
import type { ReadTables } from "../../store/store.ts";
import type { Snapshot, VariantPosition } from "../reader.ts";
import type { SnapshotState } from "../snapshot-state.ts";
import { snapshotTime } from "./edges.ts";
import { type OfferContext, readProductOffer, readVariants } from "./offer-reader.ts";
import { hasOffers, passEdges } from "./shown-product.ts";

type OfferReads = Pick<
  Snapshot,
  | "productGoods"
  | "relatedProducts"
  | "hasGoods"
  | "priceRange"
  | "productOffer"
  | "variants"
  | "variantChoices"
  | "variant"
  | "matchedVariants"
>;

/** Creates the reads of prices, stock and variants. Each result holds until the next edge of its product. */
export const createOfferQueries = (
  stored: ReadTables,
  state: SnapshotState,
  shop: () => ShopDocument | undefined,
): OfferReads => {
  const context = (): OfferContext => ({ stored, shop: shop(), instant: state.instant });
  const readProduct = (id: number): ProductDocument | undefined => {
    state.readSet.products.push(id);
    const product = stored.get(tables.products, id);
    const { edges = [], dateEdges = [] } = product?.offers ?? {};
    for (const each of [edges, dateEdges]) passEdges(each, snapshotTime(state));
    return product;
  };
  const readGoods = (id: number) => stored.get(tables.productGoods, id);
  return {
    productGoods(id) {
      state.readSet.products.push(id);
      return readGoods(id);
    },
    relatedProducts(id) {
      const { related } = readGoods(id)?.facts ?? {};
      const ids = [id, ...(related ?? []).map(({ productId }) => productId)];
      state.readSet.products.push(...ids);
      return (related ?? []).filter(
        ({ productId }, at) =>
          ids.indexOf(productId) === at + 1 && stored.has(tables.products, productId),
      );
    },
    hasGoods(id) {
      state.readSet.products.push(id);
      return (
        showsPolicy(toGoodsPolicy(shop()?.goods)) ||
        hasOffers(stored.rawJson(tables.products, id) ?? "") ||
        stored.has(tables.productGoods, id)
      );
    },
    priceRange(id) {
      const offers = readProduct(id)?.offers;
      if (!offers || shop()?.pricesVisible === false) return null;
      return periodAt(offers.periods, state.instant).range;
    },
    productOffer(id) {
      const product = readProduct(id);
      return product && readProductOffer(context(), product, readGoods(id));
    },
    variants(id, { first, after } = {}) {
      const [product, goods] = [readProduct(id), readGoods(id)];
      if (!product || !goods) return noPage;
      const ids = goods.variantIds;
      const start = after === undefined ? 0 : findStart(ids, after);
      if (start === undefined) return undefined;
      const page = ids.slice(start, first === undefined ? undefined : start + first);
      return {
        variants: readVariants(context(), product, goods, page),
        ...(page.length > 0 && {
          start: positionAt(ids, start),
          end: positionAt(ids, start + page.length - 1),
        }),
        total: ids.length,
        hasNextPage: start + page.length < ids.length,
        hasPreviousPage: start > 0,
      };
    },
    variantChoices(id) {
      readProduct(id);
      return readVariantChoices(stored, id);
    },
    variant(id, variantId) {
      const [product, goods] = [readProduct(id), readGoods(id)];
      if (!product || !goods || !stored.has(tables.variants, variantKey(id, variantId))) {
        return undefined;
      }
      return readVariants(context(), product, goods, [variantId])[0];
    },
    matchedVariants(id, query) {
      const product = readProduct(id);
      if (!product?.offers?.hasVariants) return [];
      const visible = (shop()?.pricesVisible ?? true) ? query : withoutPrices(query);
      return findMatchedVariants(stored, id, visible, state.instant) ?? [];
    },
  };
};

/** Hidden prices select no variants. */
const withoutPrices = ({ priceMin: _, priceMax: __, onSale: ___, ...query }: SearchRequest) =>
  query;

const positionAt = (ids: readonly number[], at: number): VariantPosition => [
  ...[ids[at] ?? 0, at + 1],
  ...ids.slice(at + 1, at + 2),
];

/** Finds the index behind a position: by its variant, by the next one where that has left, else by their number. */
const findStart = (ids: readonly number[], position: VariantPosition): number | undefined => {
  const [id = 0, count, next = 0] = position;
  const [last, following] = [ids.indexOf(id), ids.indexOf(next)];
  if (last >= 0) return last + 1;
  return following >= 0 ? following : count && count - 1;
};

const noPage = { variants: [], total: 0, hasNextPage: false, hasPreviousPage: false } as const;
