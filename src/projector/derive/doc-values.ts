import type { Money } from "../../events/event.ts";
import { discountPercent, type PriceGroup } from "../../offers/price.ts";
import { groupPeriods } from "../../offers/price-periods.ts";
import { toScaledRating, toStars } from "../../offers/rating.ts";
import { deepEqual } from "../../platform/deep-equal.ts";
import type { OfferRow, VariantsRow } from "../../read-model/schema/documents.ts";
import { type AttributeValue, collectDistinct } from "../../read-model/schema/filter-values.ts";
import { toComparablePrice } from "../../read-model/schema/keys.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  type DocValues,
  encodeDocValues,
  toMicroUnits,
} from "../../read-model/search/doc-values/doc-values.ts";
import { decodeDocValues } from "../../read-model/search/doc-values/doc-values-block.ts";
import { encodePrices } from "../../read-model/search/doc-values/price-column.ts";
import {
  encodeVariants,
  toStatusBits,
  type VariantPrice,
} from "../../read-model/search/doc-values/variant-column.ts";
import { brandHash } from "../../read-model/search/postings/list-keys.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { openEntryUpdates } from "./block-rewrite.ts";
import type { IndexSettings, IndexSettingsChange } from "./derivation.ts";
import type { VisibleProduct } from "./products/visible-product.ts";

/** Updates the doc values of products, over one batch. */
export const openDocValueUpdates = (stored: WritableTables, settings: IndexSettingsChange) => {
  const entries = openEntryUpdates(stored, tables.docValues, decodeDocValues, encodeDocValues);
  return {
    update(
      id: number,
      before: VisibleProduct | undefined,
      after: VisibleProduct | undefined,
    ): void {
      const current = toDocValues(after, settings.after);
      if (!deepEqual(toDocValues(before, settings.before), current)) entries.set(id, current);
    },
    flush: entries.flush,
  };
};

const toDocValues = (
  visible: VisibleProduct | undefined,
  settings: IndexSettings,
): DocValues | undefined => {
  if (!visible) return undefined;
  const { text, offer, variants } = visible;
  const { rating, releaseDate } = text.facts;
  const scaled = toScaledRating(rating);
  const stocks = variants?.index.stocks ?? [offer.stock];
  return {
    id: text.id,
    prices: toPrices(offer, settings),
    brand: text.brand === null ? 0 : brandHash(text.brand),
    categoryIds: text.categoryIds,
    statuses: toStatusBits(stocks.map(({ status }) => status)),
    variants: variants && toVariants(variants, settings),
    stars: scaled && toStars(scaled),
    released: releaseDate ? toDays(releaseDate) : undefined,
  };
};

const dayMs = 24 * 60 * 60 * 1000;

const toDays = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

const toVariants = (
  { index, prices, attributes: stated }: VariantsRow,
  { currency }: IndexSettings,
): Buffer => {
  // The same sequence as in the attributes of the product (`listVariantAttributes`).
  const attributes = collectDistinct<AttributeValue>();
  return encodeVariants({
    prices: prices.map((group) => toVariantPrices(group, currency)),
    stocks: index.stocks,
    attributes: (stated?.distinct ?? []).map((own) => own.map(attributes.indexOf)),
    entries: index.entries,
    attributesOf: stated?.of ?? [],
  });
};

const toVariantPrices = (
  group: PriceGroup,
  currency: string | undefined,
): readonly VariantPrice[] =>
  groupPeriods(group).map(({ from, shown }) => [
    ...([from, toMicro(shown.price, currency), shown.listPrice !== null] as const),
  ]);

const toPrices = ({ periods, changes }: OfferRow, { currency, policy }: IndexSettings): Buffer => {
  const [lowest, highest] = (changes?.bounds ?? []).map(toMicroUnits);
  return encodePrices({
    hasVariants: changes?.hasVariants === true,
    bounds: lowest === undefined || highest === undefined ? null : [lowest, highest],
    steps: periods.map((period) => ({
      from: period.from,
      amount: toMicro(period.price, currency),
      percent: discountPercent(period, policy.listPriceKind) ?? 0,
      onSale: period.onSale,
      isOrderable: period.isOrderable,
    })),
  });
};

const toMicro = (price: Money | null, currency: string | undefined): number | null => {
  const compared = toComparablePrice(price, currency);
  return compared && toMicroUnits(compared.amount);
};
