import { tables } from "../../schema/tables.ts";
import { termKey } from "../postings/list-keys.ts";
import type { SearchContext } from "./search-context.ts";

/** Whether a product or the name of a category has a term. */
export const isTermIndexed = ({ stored, categoryTerms }: SearchContext, term: string): boolean =>
  stored.has(tables.postingLists, termKey(term)) || categoryTerms().findCategories([term]).size > 0;
