import type { QuantityRule, Sale, UnitPricing } from "../../../events/goods.ts";
import { type GoodsPolicy, toGoodsPolicy } from "../../../offers/policy.ts";
import {
  discountPercent,
  type ListPriceKind,
  listPriceKindOf,
  noPrice,
  noTerms,
  type PriceTerms,
  priceAt,
  type ShownPrice,
  upcomingSales,
  variantTerms,
} from "../../../offers/price.ts";
import { type OfferPeriod, periodAt } from "../../../offers/product-offer.ts";
import {
  bestStatus,
  noStock,
  type ShownStock,
  type Stock,
  stockAt,
} from "../../../offers/stock.ts";
import { type UnitPrice, unitPrice } from "../../../offers/unit-price.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import type {
  ProductDocument,
  ProductGoods,
  ShopDocument,
  VariantDocument,
} from "../../schema/documents.ts";
import type { Image } from "../../schema/goods.ts";
import type { StockRow } from "../../schema/rows.ts";
import { tables } from "../../schema/tables.ts";
import { variantKey } from "../../schema/variant-key.ts";
import { isOrderable } from "../../search/goods/variant-match.ts";
import type { ReadTables } from "../../store/store.ts";

/** What is shown of the prices and the stock of a product or variant at the instant of a snapshot. */
export interface Offer extends ShownPrice {
  readonly listPriceKind: ListPriceKind | null;
  readonly discountPercent: number | null;
  readonly unitPrice: UnitPrice | null;
  /** Sales that begin later, where the shop shows them. */
  readonly upcomingSales: readonly Sale[];
  readonly stock: ShownStock;
  readonly quantityRule: QuantityRule | null;
}

export interface ProductOffer extends Offer {
  readonly range: OfferPeriod["range"];
  /** The variant whose price is shown, the first that can be ordered while prices are hidden; null without variants. */
  readonly featured: number | null;
}

/** An active variant with its offer. */
export interface ShownVariant {
  readonly variant: VariantDocument;
  /** Its own name, or the values of its options. */
  readonly title: string;
  /** Its own page, or that of the product. */
  readonly url: string;
  readonly offer: Offer;
}

/** What offers depend on in addition to the rows of the product. */
export interface OfferContext {
  readonly stored: ReadTables;
  readonly shop: ShopDocument | undefined;
  readonly instant: number;
}

/** Reads the offer of a product. @param product document as it is stored */
export const readProductOffer = (
  context: OfferContext,
  product: ProductDocument,
  goods: ProductGoods | undefined,
): ProductOffer => {
  const { stored, instant } = context;
  const policy = toGoodsPolicy(context.shop?.goods);
  const period = product.offers
    ? periodAt(product.offers.periods, instant)
    : { ...noPeriod, price: product.price };
  const featured =
    period.featured === null ? undefined : readVariant(stored, product.id, period.featured);
  const own = product.offers?.terms;
  const terms = own && (featured ? variantTerms(featured.terms ?? null, own) : own);
  const pricing = featured?.unitPricing ?? goods?.facts.unitPricing;
  const { price, listPrice, priorPrice, sale, range } = period;
  const shown = { price, listPrice, priorPrice, sale };
  return {
    ...toOffer(context, policy, shown, terms, pricing),
    range: pricesVisible(context) ? range : null,
    featured: pricesVisible(context) ? period.featured : findFirst(stored, product.id, goods),
    stock: readProductStock(context, product, goods, policy),
    quantityRule: goods?.facts.quantityRule ?? null,
  };
};

/** Finds the first variant that can be ordered, else the first: hidden prices must not order the variants. */
const findFirst = (
  stored: ReadTables,
  id: number,
  { variantIds = [] }: Partial<ProductGoods> = {},
): number | null => {
  const stock = stored.get(tables.variantStocks, id);
  return variantIds.find((_, at) => isOrderable(stock, at)) ?? variantIds[0] ?? null;
};

const noOffer = { range: null, featured: null, onSale: false, isOrderable: false } as const;
const noPeriod: OfferPeriod = { from: 0, ...noPrice, ...noOffer };

const pricesVisible = ({ shop }: OfferContext): boolean => shop?.pricesVisible ?? true;

/** Reads some variants of a product with their offers, in the order of the shop. */
export const readVariants = (
  context: OfferContext,
  product: ProductDocument,
  goods: ProductGoods,
  ids: readonly number[],
): readonly ShownVariant[] => {
  const policy = toGoodsPolicy(context.shop?.goods);
  const productStock = context.stored.get(tables.stocks, product.id);
  return ids.flatMap((id) => {
    const variant = readVariant(context.stored, product.id, id);
    return variant ? showVariant(context, policy, product, goods, productStock, variant) : [];
  });
};

const showVariant = (
  context: OfferContext,
  policy: GoodsPolicy,
  product: ProductDocument,
  goods: ProductGoods,
  productStock: StockRow | undefined,
  variant: VariantDocument,
): ShownVariant => {
  const { stored, instant } = context;
  const terms = variantTerms(variant.terms ?? null, product.offers?.terms ?? onlyPrice(product));
  const row = stored.get(tables.stocks, variantKey(product.id, variant.id)) ?? productStock;
  const pricing = variant.unitPricing ?? goods.facts.unitPricing;
  const offer = toOffer(context, policy, priceAt(terms, instant), terms, pricing);
  return {
    variant: variant.images
      ? { ...variant, images: resolveImages(variant.images, product) }
      : variant,
    title: variant.name ?? (joinOptions(variant) || product.name),
    url: (variant.url && resolveUrl(variant.url, product)) ?? product.url,
    offer: {
      ...offer,
      stock: stockAt(toStock(row), policy, instant),
      quantityRule: variant.quantityRule ?? goods.facts.quantityRule ?? null,
    },
  };
};

const onlyPrice = ({ price }: ProductDocument): PriceTerms => ({ ...noTerms, price });

const joinOptions = ({ options }: VariantDocument): string =>
  options.map(({ value }) => value).join(" / ");

/** @returns undefined for an address that is none of the web, such as `javascript:` */
const resolveUrl = (url: string, product: ProductDocument): string | undefined =>
  [parseUrl(url, product.url)].find((page) => page && isWebProtocol(page.protocol))?.href;

const isWebProtocol = (protocol: string): boolean => protocol === "https:" || protocol === "http:";

const resolveImages = (images: readonly Image[], product: ProductDocument): readonly Image[] =>
  images.flatMap((image) => {
    const url = resolveUrl(image.url, product);
    return url === undefined ? [] : [{ ...image, url }];
  });

const readVariant = (
  stored: ReadTables,
  product: number,
  id: number,
): VariantDocument | undefined => stored.get(tables.variants, variantKey(product, id));

const toStock = (row: StockRow | undefined): Stock =>
  row?.content ? { ...row.content, quantity: row.quantity } : noStock;

type Prices = Omit<Offer, "stock" | "quantityRule">;

/** Hides all prices where the shop hides them. */
const toOffer = (
  context: OfferContext,
  policy: GoodsPolicy,
  shown: ShownPrice,
  terms: PriceTerms | undefined,
  pricing: UnitPricing | null | undefined,
): Prices => {
  if (!pricesVisible(context)) return hiddenPrices;
  const { listPriceKind } = policy;
  const isUpcomingShown = terms && policy.upcomingSales === "shown";
  return {
    ...shown,
    listPriceKind: listPriceKindOf(shown, listPriceKind),
    discountPercent: discountPercent(shown, listPriceKind),
    unitPrice: (pricing && shown.price && unitPrice(shown.price, pricing)) ?? null,
    upcomingSales: isUpcomingShown ? upcomingSales(terms, context.instant) : [],
  };
};

const hiddenPrices: Prices = {
  ...noPrice,
  listPriceKind: null,
  discountPercent: null,
  unitPrice: null,
  upcomingSales: [],
};

/** A product with variants has the best status of them, and neither quantity nor date. */
const readProductStock = (
  { stored, instant }: OfferContext,
  product: ProductDocument,
  goods: ProductGoods | undefined,
  policy: GoodsPolicy,
): ShownStock => {
  const row = stored.get(tables.stocks, product.id);
  const hasVariants = product.offers?.hasVariants ?? false;
  if (!hasVariants) return stockAt(toStock(row), policy, instant);
  const stocks = (goods?.variantIds ?? []).map((id) =>
    stockAt(toStock(stored.get(tables.stocks, variantKey(product.id, id)) ?? row), policy, instant),
  );
  return {
    orderable: stocks.some(({ orderable }) => orderable),
    status: bestStatus(stocks.map(({ status }) => status)),
    quantity: null,
    availabilityDate: null,
  };
};
