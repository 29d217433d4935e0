import { quantityText, type ShownStock } from "../../../offers/stock.ts";
import type { Availability } from "../../../read-model/schema/documents.ts";
import { formatDateOrInstant } from "./dates.ts";

/** Formats the stock of a variant: `limited stock, 2 left`. */
export const formatStock = (stock: ShownStock, timeZone: string | null): string =>
  [formatStatus(stock), ...formatDetails(stock, timeZone)].join(", ");

/** Formats the availability of a product, and its status where it says more: `IN_STOCK, preorder, ships from 15 Jan 2027`. */
export const formatAvailabilityLine = (
  availability: Availability,
  stock: ShownStock,
  timeZone: string | null,
): string => {
  const isPlain = stock.status === "in_stock" || stock.status === "out_of_stock";
  const words = [
    availability,
    ...(isPlain ? [] : [formatStatus(stock)]),
    ...formatDetails(stock, timeZone),
  ];
  return `- Availability: ${words.join(", ")}`;
};

const formatStatus = ({ status, orderable }: ShownStock): string =>
  status === "discontinued" && orderable ? "last pieces" : status.replaceAll("_", " ");

/** Formats quantity and date, where they are shown. A quantity of 0 adds nothing to the status. */
const formatDetails = (stock: ShownStock, timeZone: string | null): readonly string[] => {
  const { availabilityDate } = stock;
  const date = availabilityDate && `ships from ${formatDateOrInstant(availabilityDate, timeZone)}`;
  return [quantityText(stock), date].filter((detail) => typeof detail === "string");
};
