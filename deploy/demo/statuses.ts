import type { CloudEvent } from "../../src/events/envelope.ts";
import type { StockData } from "../../src/events/event.ts";
import type { Teller } from "./teller.ts";

/** Announced before the shop opened. */
const preorder: StockData = {
  productId: 1558,
  quantity: 0,
  availability: "preorder",
  availabilityDate: "2027-08-27",
};

/** Stock that a product opens with instead of a quantity. */
export const openingStatus = (number: number): StockData | undefined =>
  number === preorder.productId ? preorder : undefined;

/** Stock that gets a status in the last weeks. */
export const statuses: readonly (StockData & { readonly day: string })[] = [
  { day: "2026-11-05", productId: 1560, quantity: 2, availability: "discontinued" },
  {
    ...{ day: "2026-11-08", productId: 3058, quantity: 0 },
    ...{ availability: "backorder", availabilityDate: "2027-08-27" },
  },
  { day: "2026-11-14", productId: 1592, quantity: 3, availability: "limited_stock" },
];

export const stockWithStatus = ({ tell }: Teller, data: StockData, time: number): CloudEvent =>
  tell("shop.stock.changed", `stock/${data.productId}`, time, data);
