import type { ShopEvent } from "../../../events/event.ts";
import { hasNoItemPlaceholder } from "../../../surfaces/mcp/checkout-link.ts";
import { createCycleDetector } from "./circles.ts";
import { createCurrencyCheck } from "./currencies.ts";
import { createGoodsLinter } from "./goods.ts";
import type { GoodsHistory } from "./goods-history.ts";
import type { LintWarning, LintWarningLine } from "./warning.ts";

/** Finds probable mistakes in one event file. */
export interface Linter {
  /** @returns the warnings that a line causes, about itself or an earlier line */
  check(event: ShopEvent, line: number): readonly LintWarningLine[];
  /** @returns the warnings that need the complete file */
  finish(): readonly LintWarningLine[];
}

/** Limits the memory, because a file may be of any size. */
const maxUrls = 200_000;

/**
 * Finds probable mistakes of a shop, line by line of one event file.
 * @param now time that the event times were compared with, in milliseconds since 1970
 * @param history prices and stock of the files before
 */
export const createLinter = (now: number, history: GoodsHistory): Linter => {
  const checkUrl = createUrlCheck();
  const checkCurrency = createCurrencyCheck();
  const cycles = createCycleDetector();
  const goods = createGoodsLinter(history);
  return {
    check(event, line) {
      cycles.add(event, line);
      const warnings = [
        ...futureTimestamp(event, now),
        ...emptyCheckoutLink(event),
        ...checkUrl(event),
      ];
      return [
        ...warnings.map((each) => ({ line, ...each })),
        ...checkCurrency(event, line),
        ...goods.check(event, line),
      ];
    },
    finish: () => [...cycles.cycles(), ...goods.finish()],
  };
};

const futureTimestamp = ({ time, subMillis }: ShopEvent, now: number): readonly LintWarning[] =>
  time === now && subMillis === undefined
    ? [
        {
          field: "time",
          reason: "time is more than 5 minutes ahead; the time of arrival will count instead",
        },
      ]
    : [];

/**
 * Finds a checkout link that never contains items. No schema rejects it, because the replay of an existing log must
 * give the same model.
 */
const emptyCheckoutLink = (event: ShopEvent): readonly LintWarning[] => {
  const link = event.type === "shop.settings.updated" ? event.data.checkoutLink : undefined;
  if (!link || "preset" in link || !hasNoItemPlaceholder(link)) return [];
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

/**
 * Finds two products with one URL, whose page shows only one of them. A URL may move from one product to another by
 * events of both.
 */
const createUrlCheck = (): ((event: ShopEvent) => readonly LintWarning[]) => {
  const ownerByUrl = new Map<string, number>();
  const urlByProduct = new Map<number, string>();
  return (event) => {
    if (event.type !== "shop.product.upserted" && event.type !== "shop.product.deleted") return [];
    const { id } = event.data;
    const previousUrl = urlByProduct.get(id);
    urlByProduct.delete(id);
    if (previousUrl !== undefined && ownerByUrl.get(previousUrl) === id)
      ownerByUrl.delete(previousUrl);
    if (event.type === "shop.product.deleted" || event.data.active === false) return [];
    const { url } = event.data;
    const owner = ownerByUrl.get(url);
    if (urlByProduct.size < maxUrls) {
      ownerByUrl.set(url, id);
      urlByProduct.set(id, url);
    }
    return owner === undefined
      ? []
      : [
          {
            field: "data.url",
            reason: `product ${owner} has the same address: its page shows one of them`,
          },
        ];
  };
};
