import { filterNames, type SearchRequest } from "../schema/queries.ts";

const hasQuery = ({ query }: SearchRequest): boolean => (query?.trim() ?? "") !== "";

/** Builds a key that is equal for all requests with the same matches, under any paging. */
export const toRequestKey = (request: SearchRequest): string => {
  const { query, relax } = request;
  const filters = filterNames.map((name) => request[name]);
  return JSON.stringify(hasQuery(request) ? [filters, query, relax] : [filters]);
};

/** Whether a query or a filter other than stock applies. Without one, a page is read from a stored index. */
export const isFiltered = (request: SearchRequest): boolean =>
  hasQuery(request) ||
  filterNames.some((name) => name !== "inStockOnly" && request[name] !== undefined);
