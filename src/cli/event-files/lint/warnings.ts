import type { ShopEvent } from "../../../events/event.ts";
import { hasNoItemPlaceholder } from "../../../surfaces/mcp/checkout-link.ts";
import { createCircleCheck } from "./circles.ts";
import { type LintModel, type LintWarning, warnOf } from "./model.ts";
import { createOptionCheck } from "./options.ts";
import { byLine, createPriceCheck } from "./prices.ts";
import { checkFacts, statedParts } from "./stated-parts.ts";
import { checkStock } from "./stock.ts";

/**
 * Folds the events of one file, and finds probable mistakes of a shop in them and in the rows that they give.
 * @param now time that the event times were compared with, in milliseconds since 1970
 * @param model of the files before, because a shop may send its catalogue and its stock in files of their own
 */
export const createLinter = (now: number, model: LintModel) => {
  const findSameUrl = createUrlCheck(model);
  const prices = createPriceCheck(model);
  const circles = createCircleCheck(model);
  const options = createOptionCheck(model);
  return {
    /** @returns the warnings that a line causes, about itself or an earlier line */
    check(event: ShopEvent): readonly LintWarning[] {
      const stock = event.type === "shop.stock.changed" ? checkStock(event, model) : [];
      const isApplied = model.apply(event);
      if (isApplied) circles.add(event);
      if (isApplied) options.add(event);
      const parts = statedParts(event);
      return [
        ...findFutureTime(event, now),
        ...findEmptyCheckoutLink(event),
        ...(isApplied ? findSameUrl(event) : []),
        ...(event.type === "shop.settings.updated" ? prices.release() : []),
        ...parts.flatMap(checkFacts),
        ...stock,
        ...parts.flatMap(prices.check),
      ];
    },
    /** @returns the warnings that need the complete file */
    finish: (): readonly LintWarning[] => [
      ...circles.warnings().toSorted(byLine),
      ...options.warnings().toSorted(byLine),
    ],
  };
};

const findFutureTime = (event: ShopEvent, now: number): readonly LintWarning[] => {
  if (event.time !== now || event.subMillis !== undefined) return [];
  const reason = "time is more than 5 minutes ahead; the time of arrival will count instead";
  return warnOf(event, "time", reason);
};

/**
 * Finds a checkout link that never contains items. No schema rejects it, because the replay of an existing log must
 * give the same model.
 */
const findEmptyCheckoutLink = (event: ShopEvent): readonly LintWarning[] => {
  const link = event.type === "shop.settings.updated" ? event.data.checkoutLink : undefined;
  if (!link || "preset" in link || !hasNoItemPlaceholder(link)) return [];
  const [field, lacks] = link.template.includes("{items}")
    ? ["item", "{id} or {reference}"]
    : ["template", "{items}"];
  const reason = `${field} lacks ${lacks}, so no checkout link can be given`;
  return warnOf(event, `data.checkoutLink.${field}`, reason);
};

/**
 * Finds two products with one URL, whose page shows only one of them. A URL may move from one product to another by
 * events of both.
 */
const createUrlCheck = ({ rows, isFull }: LintModel) => {
  const owners = new Map<string, number>();
  const urlOf = (id: number): string | undefined => {
    const content = rows.productCores.get(id)?.group?.content;
    return content?.active ? content.url : undefined;
  };
  return (event: ShopEvent): readonly LintWarning[] => {
    const { type, data } = event;
    if (type !== "shop.product.upserted" && type !== "shop.product.patched") return [];
    if (data.url === undefined && data.active === undefined) return [];
    const url = urlOf(data.id);
    const owner = url === undefined ? undefined : owners.get(url);
    if (url !== undefined && !isFull()) owners.set(url, data.id);
    if (owner === undefined || owner === data.id || urlOf(owner) !== url) return [];
    const reason = `product ${owner} has the same address: its page shows one of them`;
    return warnOf(event, "data.url", reason);
  };
};
