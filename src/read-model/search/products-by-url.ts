import { webAddress } from "../../text/parse-url.ts";
import { storedQueries } from "../../text/tracking-parameters.ts";
import { addressKey } from "../reader/page-path.ts";
import { pastEveryId, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";

/**
 * The products whose page is at an address: a whole one, or its path and query; with `.md` too, as agents are told it.
 * Where none is, without what assistants, advertisements and newsletters put into links, and with or without a slash
 * at the end. The host is not looked at: the shop may have several, and this service has its own.
 */
export const productsAt = (stored: Tables, url: string): readonly number[] => {
  const page = webAddress(url, "http://any");
  if (!page) return [];
  const { pathname, search } = page;
  const paths = [...new Set([pathname, pathname.replace(/\.md$/, ""), otherwiseEnded(pathname)])];
  for (const query of storedQueries(search)) {
    for (const path of paths) {
      const ids = idsAt(stored, path + query);
      if (ids.length > 0) return ids;
    }
  }
  return [];
};

const otherwiseEnded = (path: string): string =>
  path.endsWith("/") ? path.slice(0, -1) : `${path}/`;

const idsAt = (stored: Tables, pathAndQuery: string): readonly number[] => {
  const start = [addressKey(pathAndQuery), "product"];
  const range = { start, end: [...start, pastEveryId] };
  return [...stored.keys(tables.addresses, range)].map(([, , id]) => id);
};
