import { webAddress } from "../../web-address.ts";
import { addressKey } from "../address.ts";
import type { Tables } from "../store.ts";
import { pastEveryId, tables } from "../tables.ts";

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
  for (const query of new Set([search, untracked(search)])) {
    for (const path of paths) {
      const ids = idsAt(stored, path + query);
      if (ids.length > 0) return ids;
    }
  }
  return [];
};

const otherwiseEnded = (path: string): string =>
  path.endsWith("/") ? path.slice(0, -1) : `${path}/`;

/** Names of parameters that say where a visitor came from, or what is chosen on the page, and not which page it is. */
const tracking =
  /^(utm_.*|gclid|gbraid|wbraid|gad_.*|dclid|srsltid|fbclid|igshid|msclkid|ttclid|twclid|yclid|li_fat_id|mc_[ce]id|_gl|_ga|ref|variant)$/i;

const untracked = (search: string): string => {
  const kept = search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !tracking.test(parameter.split("=")[0] ?? ""));
  return kept.length > 0 ? `?${kept.join("&")}` : "";
};

const idsAt = (stored: Tables, pathAndQuery: string): readonly number[] => {
  const start = [addressKey(pathAndQuery), "product"];
  const range = { start, end: [...start, pastEveryId] };
  return [...stored.keys(tables.addresses, range)].map(([, , id]) => id);
};
