import type { Money, ShopEvent } from "../../../events/event.ts";
import type { Sale } from "../../../events/goods.ts";
import { isLower } from "../../../offers/amounts.ts";
import { toInstant } from "../../../offers/instants.ts";
import type { GoodsHistory } from "./goods-history.ts";
import { createListPriceCheck } from "./list-prices.ts";
import { formatMoney, nameOf, type PriceStatement, priceStatements } from "./price-statements.ts";
import type { LintWarning, LintWarningLine } from "./warning.ts";

/** Finds sales and list prices that are never shown, or that claim too much. */
export const createPriceCheck = (
  history: GoodsHistory,
): ((event: ShopEvent, line: number) => readonly LintWarningLine[]) => {
  const listPrices = createListPriceCheck(history);
  return (event, line) => {
    if (event.type === "shop.settings.updated") return listPrices.release();
    return priceStatements(event).flatMap((statement) => {
      const soFar = history.prices.record(statement);
      const warnings = [
        ...findMissingPrice(statement),
        ...findOtherCurrency(statement, soFar.price),
        ...findUselessSales(statement, soFar.price),
        ...listPrices.check(statement, soFar, line),
      ];
      return warnings.map((each) => ({ line, ...each }));
    });
  };
};

const restOfGroup = ["sales", "listPrice", "priorPrice"] as const;

/** Finds a product whose event states the rest of the price group alone, which takes its price away. */
const findMissingPrice = (statement: PriceStatement): readonly LintWarning[] => {
  const { members, variantId, isPatch, path } = statement;
  if (variantId !== undefined || isPatch || members.price) return [];
  const member = restOfGroup.find((each) =>
    members.price === undefined ? members[each] !== undefined : isFilled(members[each]),
  );
  if (member === undefined) return [];
  const reason = `${nameOf(statement)} has ${member} and no price, so no price is shown: send the price with ${member}`;
  return [{ field: `${path}.${member}`, reason }];
};

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value != null;

/** Finds a list price and a prior price that are not compared with the price. */
const findOtherCurrency = (statement: PriceStatement, price: Money | null) =>
  (["listPrice", "priorPrice"] as const).flatMap((member) => {
    const currency = statement.members[member]?.currency;
    if (!price || currency === undefined || currency === price.currency) return [];
    const reason = `the ${member} of ${nameOf(statement)} is in ${currency} and its price in ${price.currency}, so ${member} is not shown: send both in one currency`;
    return [{ field: `${statement.path}.${member}.currency`, reason }];
  });

/** @param price null when the files do not state it */
const findUselessSales = (statement: PriceStatement, price: Money | null): readonly LintWarning[] =>
  (statement.members.sales ?? []).flatMap((sale, at) => {
    const path = `${statement.path}.sales[${at}]`;
    const name = nameOf(statement);
    return [...findHighSale(name, path, sale, price), ...findEmptyWindow(name, path, sale)];
  });

const findHighSale = (
  name: string,
  path: string,
  sale: Sale,
  price: Money | null,
): readonly LintWarning[] =>
  price && !isLower(sale.price, price)
    ? [
        {
          field: `${path}.price`,
          reason: `the sale price of ${name}, ${formatMoney(sale.price)}, is not below its price, ${formatMoney(price)}, so the sale is never in force: lower it or leave it out`,
        },
      ]
    : [];

const findEmptyWindow = (name: string, path: string, { from, to }: Sale): readonly LintWarning[] =>
  from != null && to != null && toInstant(to) <= toInstant(from)
    ? [
        {
          field: `${path}.to`,
          reason: `a sale of ${name} ends at ${to}, not after it begins, so it is never in force: send a later end`,
        },
      ]
    : [];
