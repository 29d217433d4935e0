import type { QuantityRule, Returns } from "../../../events/goods.ts";
import { escapeInline } from "../../../text/markdown/escape.ts";
import { pluralize } from "../../format.ts";

/** Formats how many pieces one purchase may have; empty when any number may be bought. */
export const formatQuantityRule = (rule: QuantityRule | null | undefined): string => {
  const { min, max, step } = rule ?? {};
  return [
    ...(min && min > 1 ? [`at least ${min}`] : []),
    ...(step && step > 1 ? [`in steps of ${step}`] : []),
    ...(max ? [`at most ${max}`] : []),
  ].join(", ");
};

/** Formats whether and how goods can be returned. */
export const formatReturns = ({ accepted, days, exchanges, fees, countries }: Returns): string => {
  const limit = days == null ? "" : ` within ${pluralize(days, "day")}`;
  return [
    accepted ? `accepted${limit}` : "not accepted",
    ...(accepted && fees ? [fees === "free" ? "free of charge" : "at the cost of the buyer"] : []),
    ...(exchanges == null ? [] : [exchanges ? "exchange possible" : "no exchange"]),
    ...(countries?.length ? [`in ${countries.map(escapeInline).join(", ")}`] : []),
  ].join(", ");
};
