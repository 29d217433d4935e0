import type { ProductFilters } from "../../read-model/schema/queries.ts";
import { toDecimal } from "../entry/amounts.ts";
import { findCategories } from "../entry/category-paths.ts";
import type { UcpRequest } from "./request.ts";
import { info, type UcpMessage, type UcpView } from "./view.ts";

/** Filters of a request as the read model has them. */
export interface ReadFilters {
  readonly filters: ProductFilters;
  /** What was ignored of them. */
  readonly messages: readonly UcpMessage[];
}

const readMembers = ["categories", "price"];

export const readFilters = (view: UcpView, { filters = {}, context }: UcpRequest): ReadFilters => {
  const { snapshot } = view;
  const currency = snapshot.shop()?.currency ?? context?.currency ?? "";
  const { categories, price } = filters;
  const isForeign = price !== undefined && (context?.currency ?? currency) !== currency;
  const ignored = Object.keys(filters).filter((name) => !readMembers.includes(name));
  const toAmount = (amount: number) => toDecimal({ amount, currency });
  return {
    filters: {
      ...(categories && { categoryIds: findCategories(snapshot, categories) }),
      ...(!isForeign && price?.min !== undefined && { priceMin: toAmount(price.min) }),
      ...(!isForeign && price?.max !== undefined && { priceMax: toAmount(price.max) }),
    },
    messages: [
      ...(ignored.length > 0 ? [info("filter_ignored", ignored.join(",").slice(0, maxNames))] : []),
      ...(isForeign
        ? [info("price_filter_ignored", `Prices are in ${currency}: the price filter is ignored.`)]
        : []),
    ],
  };
};

/** Characters of the names that a message repeats. */
const maxNames = 200;
