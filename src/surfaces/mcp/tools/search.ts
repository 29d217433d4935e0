import { invalidArgument } from "../../user-error.ts";
import { formatDocumentId } from "./fetch.ts";
import type { Tool } from "./tool.ts";

interface Arguments {
  readonly query: string;
}

/** Maximum products, and maximum categories and pages, in a result. */
const [maxProducts, maxPages] = [10, 5];

interface Result {
  readonly id: string;
  readonly title: string;
  readonly url: string;
}

/**
 * Finds documents for research connectors: categories and pages that have all words of the query, then products, then categories
 * and pages that have some of them. Products that do not have the words as they were typed come last.
 */
export const search: Tool<Arguments> = {
  name: "search",
  answer({ snapshot }, { query }) {
    if (query.trim() === "") return invalidArgument(["query"], "`query` must not be blank.");
    const pages = snapshot.findPages(query, maxPages);
    const listed = { query, relax: true, limit: maxProducts, offset: 0 } as const;
    const { products, understood } = snapshot.listing({ ...listed, sort: "relevance" });
    const isExact = !understood?.relaxed && understood?.corrected.length === 0;
    const complete = pages.filter(({ isComplete }) => isComplete);
    const partial = pages.filter(({ isComplete }) => !isComplete);
    const results: readonly Result[] = [
      ...complete,
      ...(isExact ? [] : partial),
      ...products.map(({ id, text: { name, url } }) => ({
        ...{ kind: "product" as const, id, title: name, url },
      })),
      ...(isExact ? partial : []),
    ].map(({ kind, id, title, url }) => ({ id: formatDocumentId({ kind, id }), title, url }));
    return { structured: { results }, text: JSON.stringify({ results }) };
  },
};
