import { maxShownQuantity, type ShownStock } from "../../offers/stock.ts";
import type { Style } from "./style.ts";

/** Formats the stock of a product or variant: `limited stock, 2 left`, `preorder, ships from 15 Jan 2027`. */
export const formatStock = (stock: ShownStock, style: Style): string =>
  [formatStatus(stock), ...formatDetails(stock, style)].join(", ");

/** Formats what a stock says beyond that something can be ordered or not: each begins with a comma. */
export const formatStockDetails = (stock: ShownStock, style: Style): string =>
  [...(isPlain(stock) ? [] : [formatStatus(stock)]), ...formatDetails(stock, style)]
    .map((words) => `, ${words}`)
    .join("");

/** Whether a status says no more than whether something can be ordered. */
export const isPlain = ({ status }: ShownStock): boolean =>
  status === "in_stock" || status === "out_of_stock";

const formatStatus = ({ status, orderable }: ShownStock): string =>
  status === "discontinued" && orderable
    ? "last pieces, discontinued"
    : status.replaceAll("_", " ");

/** Formats quantity and date, where they are shown. A quantity of 0 adds nothing to the status. */
const formatDetails = (stock: ShownStock, style: Style): readonly string[] => {
  const { availabilityDate: date, quantity, orderable, status } = stock;
  const count = quantity === maxShownQuantity ? `at least ${quantity}` : quantity;
  return [
    ...(orderable && quantity
      ? [`${count} ${status === "limited_stock" ? "left" : "available"}`]
      : []),
    ...(date === null ? [] : [`ships from ${style.time(date)}`]),
  ];
};
