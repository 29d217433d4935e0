import type { ShopEvent } from "../../events/event.ts";
import { isEmptyAlways } from "../../surfaces/mcp/checkout-link.ts";
import { watchCircles } from "./lint-circles.ts";
import { watchCurrencies } from "./lint-currencies.ts";

/** What is odd about an event that breaks no rule. */
export interface Oddity {
  readonly field: string;
  readonly reason: string;
}

/** The same, with the line it is about. */
export interface OddLine extends Oddity {
  readonly line: number;
}

/** What is odd about the lines of one event file. */
export interface OddityWatch {
  /** @returns what is odd now that a line is known, of it or of one before */
  see(event: ShopEvent, line: number): readonly OddLine[];
  /** @returns what is odd about the file as it ends */
  end(): readonly OddLine[];
}

/** Addresses that are remembered: a file may be of any size. */
const mostAddresses = 200_000;

/**
 * Looks for what a shop hardly means, line by line of one event file.
 * @param now the clock its times were compared with, in milliseconds since 1970
 */
export const watchOddities = (now: number): OddityWatch => {
  const clashing = watchAddresses();
  const foreign = watchCurrencies();
  const circles = watchCircles();
  return {
    see(event, line) {
      circles.see(event, line);
      const odd = [...clamped(event, now), ...linkOf(event), ...clashing(event)];
      return [...odd.map((each) => ({ line, ...each })), ...foreign(event, line)];
    },
    end: () => circles.circles(),
  };
};

const clamped = ({ time, subMillis }: ShopEvent, now: number): readonly Oddity[] =>
  time === now && subMillis === undefined
    ? [
        {
          field: "time",
          reason: "time is more than 5 minutes ahead; the time of arrival will count instead",
        },
      ]
    : [];

/** No schema refuses it: logs may hold it, and their replay has to make what it made before. */
const linkOf = (event: ShopEvent): readonly Oddity[] => {
  const link = event.type === "shop.settings.updated" ? event.data.checkoutLink : undefined;
  if (!link || "preset" in link || !isEmptyAlways(link)) return [];
  const [field, lacks] = link.template.includes("{items}")
    ? ["item", "{id} or {reference}"]
    : ["template", "{items}"];
  return [
    {
      field: `data.checkoutLink.${field}`,
      reason: `${field} lacks ${lacks}, so no checkout link can be given`,
    },
  ];
};

/** Two products at one address: its page shows one of them. An address may go from one to another, by events of both. */
const watchAddresses = (): ((event: ShopEvent) => readonly Oddity[]) => {
  const holders = new Map<string, number>();
  const addresses = new Map<number, string>();
  return (event) => {
    if (event.type !== "shop.product.upserted" && event.type !== "shop.product.deleted") return [];
    const { id } = event.data;
    const former = addresses.get(id);
    addresses.delete(id);
    if (former !== undefined && holders.get(former) === id) holders.delete(former);
    if (event.type === "shop.product.deleted" || event.data.active === false) return [];
    const { url } = event.data;
    const holder = holders.get(url);
    if (addresses.size < mostAddresses) {
      holders.set(url, id);
      addresses.set(id, url);
    }
    return holder === undefined
      ? []
      : [
          {
            field: "data.url",
            reason: `product ${holder} has the same address: its page shows one of them`,
          },
        ];
  };
};
