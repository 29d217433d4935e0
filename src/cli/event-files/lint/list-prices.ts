import { isLower } from "../../../offers/amounts.ts";
import type { GoodsHistory } from "./goods-history.ts";
import type { StatedSoFar } from "./price-history.ts";
import { formatMoney, nameOf, type PriceStatement, toMoney } from "./price-statements.ts";
import type { LintWarning, LintWarningLine } from "./warning.ts";

/** Finds list prices that the log never saw charged, in a shop whose list prices are former prices. */
export interface ListPriceCheck {
  check(statement: PriceStatement, soFar: StatedSoFar, line: number): readonly LintWarning[];
  /** Returns the warnings that waited for the settings. */
  release(): readonly LintWarningLine[];
}

/** Limits the warnings that wait for the settings. */
const maxPending = 1_000;

export const createListPriceCheck = (history: GoodsHistory): ListPriceCheck => {
  let pending: LintWarningLine[] = [];
  const mustBeCharged = (): boolean => history.policy?.listPriceKind === "former";
  return {
    check(statement, soFar, line) {
      if (history.policy && !mustBeCharged()) return [];
      const warnings = findUnchargedPrice(statement, soFar);
      if (mustBeCharged()) return warnings;
      if (pending.length < maxPending)
        pending.push(...warnings.map((warning) => ({ line, ...warning })));
      return [];
    },
    release() {
      const released = mustBeCharged() ? pending : [];
      pending = [];
      return released;
    },
  };
};

/** Finds a list price above every price that the product or variant had before. It is not shown unless it is above the price. */
const findUnchargedPrice = (
  statement: PriceStatement,
  { price, highest, record }: StatedSoFar,
): readonly LintWarning[] => {
  const listPrice = statement.members.listPrice && toMoney(statement.members.listPrice, price);
  if (!listPrice || !record || !highest || !isLower(highest, listPrice)) return [];
  const text = formatMoney(listPrice);
  if (record.warnedListPrice === text) return [];
  record.warnedListPrice = text;
  const reason = `the list price of ${nameOf(statement)}, ${text}, claims more than the log knows, because no event before had a price that high: leave it out, or set listPriceKind to recommended`;
  return [{ field: `${statement.path}.listPrice`, reason }];
};
