import type { ShopEvent } from "../../../events/event.ts";
import { toGoodsPolicy } from "../../../offers/policy.ts";
import { checkFacts } from "./facts.ts";
import type { GoodsHistory } from "./goods-history.ts";
import { createOptionCheck } from "./options.ts";
import { createPriceCheck } from "./prices.ts";
import { checkStock } from "./stock.ts";
import type { LintWarningLine } from "./warning.ts";

/** Finds probable mistakes about variants, prices and stock in one event file. */
export interface GoodsLinter {
  /** @returns the warnings that a line causes, about itself or an earlier line */
  check(event: ShopEvent, line: number): readonly LintWarningLine[];
  /** @returns the warnings that need the complete file */
  finish(): readonly LintWarningLine[];
}

/** @param history of the files before this one; it receives what this file states */
export const createGoodsLinter = (history: GoodsHistory): GoodsLinter => {
  const checkPrices = createPriceCheck(history);
  const options = createOptionCheck();
  return {
    check(event, line) {
      if (event.type === "shop.settings.updated") history.policy = toGoodsPolicy(event.data);
      options.add(event, line);
      const warnings = [...checkFacts(event), ...checkStock(event, history)];
      return [...warnings.map((each) => ({ line, ...each })), ...checkPrices(event, line)];
    },
    finish: options.warnings,
  };
};
