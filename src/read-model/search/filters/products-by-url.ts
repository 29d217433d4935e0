import { parseUrl } from "../../../text/parse-url.ts";
import { storedQueries } from "../../../text/tracking-parameters.ts";
import { pathKey } from "../../schema/page-path.ts";
import { idUpperBound, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";

/**
 * Finds the products whose page has this URL: an absolute one, or a path and query. A suffix `.md` is accepted,
 * because agents receive such links. Without a match, tracking parameters of assistants, advertisements and
 * newsletters are removed, and the trailing slash is added or removed. The host is ignored, because a shop may have
 * several and this service has its own.
 */
export const findProductsByUrl = (stored: ReadTables, url: string): readonly number[] => {
  const parsed = parseUrl(url, "http://any");
  if (!parsed) return [];
  const { pathname, search } = parsed;
  const paths = [
    ...new Set([pathname, pathname.replace(/\.md$/, ""), toggleTrailingSlash(pathname)]),
  ];
  for (const query of storedQueries(search)) {
    for (const path of paths) {
      const ids = readIdsByPath(stored, path + query);
      if (ids.length > 0) return ids;
    }
  }
  return [];
};

const toggleTrailingSlash = (path: string): string =>
  path.endsWith("/") ? path.slice(0, -1) : `${path}/`;

const readIdsByPath = (stored: ReadTables, pathAndQuery: string): readonly number[] => {
  const start = [pathKey(pathAndQuery), "product"] as const;
  const range = { start, end: [...start, idUpperBound] } as const;
  return [...stored.keys(tables.addresses, range)].map(([, , id]) => id);
};
