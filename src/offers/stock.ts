import type { StockAvailability } from "../events/product-facts.ts";
import { endOfDate } from "./instants.ts";
import type { OfferPolicy } from "./policy.ts";

/** The stock of a product or variant, as events stated it. */
export interface Stock {
  readonly orderable: boolean;
  readonly quantity: number | null;
  readonly availability: StockAvailability | null;
  /** A date, or RFC 3339 with an offset. */
  readonly availabilityDate: string | null;
}

export const noStock: Stock = {
  orderable: false,
  quantity: null,
  availability: null,
  availabilityDate: null,
};

/** What is shown of a stock at an instant. */
export interface ShownStock {
  readonly orderable: boolean;
  readonly status: StockAvailability;
  readonly quantity: number | null;
  readonly availabilityDate: string | null;
}

/** Whether it can be ordered, where an event does not say so. */
export const defaultOrderable = (
  availability: StockAvailability | null,
  quantity: number | null,
): boolean => {
  switch (availability) {
    case "in_stock":
    case "limited_stock":
    case "backorder":
    case "preorder":
      return true;
    case "out_of_stock":
      return false;
    case "discontinued":
    case null:
      return (quantity ?? 0) > 0;
  }
};

/** The highest quantity that is shown; a higher one is shown as this one. */
export const maxShownQuantity = 100;

/** Evaluates what a shop shows of a stock (Contract §9, Stock at an instant), with its date as long as that is not past. */
export const showStock = (stock: Stock, policy: StockPolicy): ShownStock => {
  const status = stockStatus(stock, policy.lowStockThreshold);
  const { quantityVisible } = policy;
  const isShown =
    quantityVisible === "always" || (quantityVisible === "low" && status === "limited_stock");
  return {
    orderable: stock.orderable,
    status,
    quantity: isShown && stock.quantity !== null ? toShownQuantity(stock.quantity) : null,
    availabilityDate: stock.availabilityDate,
  };
};

type StockPolicy = Pick<OfferPolicy, "quantityVisible" | "lowStockThreshold">;

export const outOfStock: ShownStock = {
  orderable: false,
  status: "out_of_stock",
  quantity: null,
  availabilityDate: null,
};

/** Leaves out the date of a stock when it is past. */
export const stockAt = (
  stock: ShownStock,
  { timeZone }: Pick<OfferPolicy, "timeZone">,
  instant: number,
): ShownStock => {
  const ends = availabilityEndsAt(stock, timeZone);
  return ends === undefined || instant < ends ? stock : { ...stock, availabilityDate: null };
};

/** The stock of a product with variants: it can be ordered as one of them can, and has the best status. */
export const bestStock = (stocks: readonly ShownStock[]): ShownStock => ({
  ...outOfStock,
  orderable: stocks.some(({ orderable }) => orderable),
  status: bestStatus(stocks.map(({ status }) => status)),
});

export const toShownQuantity = (quantity: number): number =>
  Math.min(maxShownQuantity, Math.max(0, quantity));

/** @param threshold quantity up to which stock is limited where no status is stated */
export const stockStatus = (
  { orderable, quantity, availability }: Stock,
  threshold: number | null,
): StockAvailability => {
  if (!orderable) return availability === "discontinued" ? "discontinued" : "out_of_stock";
  if (availability !== null) return availability === "out_of_stock" ? "in_stock" : availability;
  const isLow = quantity !== null && quantity > 0 && threshold !== null && quantity <= threshold;
  return isLow ? "limited_stock" : "in_stock";
};

/** The instant at which the date of a stock is past; undefined without one. */
export const availabilityEndsAt = (
  { availabilityDate }: Pick<Stock, "availabilityDate">,
  timeZone: string | null,
): number | undefined =>
  availabilityDate === null ? undefined : endOfDate(availabilityDate, timeZone ?? "UTC");

/** Best first. Doc values store their indexes. */
export const statusesByRank: readonly StockAvailability[] = [
  "in_stock",
  "limited_stock",
  "preorder",
  "backorder",
  "discontinued",
  "out_of_stock",
];

const bestStatus = (statuses: Iterable<StockAvailability>): StockAvailability => {
  let best = statusesByRank.length - 1;
  for (const status of statuses) best = Math.min(best, statusesByRank.indexOf(status));
  return statusesByRank[best] ?? "out_of_stock";
};
