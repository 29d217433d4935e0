import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { parseUrl } from "../../text/parse-url.ts";
import { storedQueries, stripTracking } from "../../text/tracking-parameters.ts";
import { decodeUnreserved, uppercaseEscapes } from "../exchange.ts";

/** Page that a path and query request. */
export interface PageRequest {
  readonly page: PageAddress | { readonly kind: "home" };
  /** Set for a Markdown URL, which ignores Accept. */
  readonly markdown: boolean;
  /** Cursor of a later page of a category. */
  readonly after?: string;
}

/**
 * Finds the page for a path and query (Contract §8), regardless of a trailing slash and percent-encoding.
 * Tracking parameters are ignored; any other difference in the query means another page.
 * @param target in the form of `normalizeTarget`
 */
export const findPage = (snapshot: Snapshot, target: string): PageRequest | undefined => {
  const match = findStored(snapshot, target);
  if (!match) return undefined;
  const { address: _, ...request } = match;
  return request;
};

/**
 * Lists the equivalent paths of a target: itself, the path without trailing slash and tracking parameters, which routes ignore, and
 * the URLs of its page. The home page has two, `/` and that of the shop.
 */
export const equivalentPaths = (snapshot: Snapshot, target: string): readonly string[] => {
  const { path, query } = splitTarget(target);
  const cleaned = path.replace(/(?<=.)\/$/, "") + stripTracking(query);
  const match = findStored(snapshot, target);
  const addresses = match?.page === home ? ["/", readHomeAddress(snapshot)] : [match?.address];
  return [...new Set([target, cleaned, ...addresses.filter((each) => each !== undefined)])];
};

const findStored = (
  snapshot: Snapshot,
  target: string,
): (PageRequest & { readonly address: string }) | undefined => {
  const homeAddress = readHomeAddress(snapshot);
  for (const stored of storedAddresses(splitTarget(target))) {
    for (const { address, ...rest } of interpretations(stored)) {
      for (const candidate of pathVariants(address)) {
        const isHome = candidate === "/" || candidate === homeAddress;
        const page = isHome ? home : snapshot.address(candidate);
        if (page) return { page, address: candidate, ...rest };
      }
    }
  }
  return undefined;
};

/** @returns the path and query of the shop's own URL */
const readHomeAddress = (snapshot: Snapshot): string | undefined => {
  const url = snapshot.shop()?.url ?? "";
  if (latestHome.url !== url) {
    const home = parseUrl(url);
    latestHome = { url, address: home && home.pathname + home.search };
  }
  return latestHome.address;
};

/** Remembers the last URL, because parsing costs more than all other steps of a lookup. */
let latestHome: { readonly url: string; readonly address: string | undefined } = {
  url: "",
  address: undefined,
};

/**
 * Maximum length in characters of a URL that is also looked up without its tracking parameters, because the
 * cost of a lookup grows with its length.
 */
const maxTrackedLength = 4_096;

/** Generates a URL without its tracking parameters. An appended `.md` stays, even after such a parameter. */
function* storedAddresses({ path, query }: PathAndQuery): Generator<PathAndQuery> {
  if (path.length + query.length > maxTrackedLength) return yield { path, query };
  const [suffix] = /\.md$/.exec(query) ?? [""];
  for (const stored of storedQueries(query.slice(0, query.length - suffix.length))) {
    yield stored === "" ? { path: path + suffix, query: "" } : { path, query: stored + suffix };
  }
}

const home = { kind: "home" } as const;

interface Interpretation {
  readonly address: PathAndQuery;
  readonly markdown: boolean;
  readonly after?: string;
}

const splitTarget = (target: string): PathAndQuery => {
  const query = /\?.*$/.exec(target)?.[0] ?? "";
  return { path: target.slice(0, target.length - query.length), query };
};

/** Generates the possible meanings of a URL: as Markdown URL or as the page's own, each also with a cursor. */
function* interpretations({ path, query }: PathAndQuery): Generator<Interpretation> {
  const [, before = "", after] = /^(.*)[?&]after=([A-Za-z0-9_-]+)$/.exec(query) ?? [];
  const cursors = [{ query }, ...(after === undefined ? [] : [{ query: before, after }])];
  for (const { query, ...cursor } of cursors) {
    const bare = query === "?" ? "" : query;
    if (path.endsWith(".md")) {
      const address = { path: path.slice(0, -".md".length), query: bare };
      yield { address, markdown: true, ...cursor };
      if (address.path === "/index" && bare === "") {
        yield { address: { path: "/", query: "" }, markdown: true };
      }
    }
    // `.md` may be appended to the complete URL, because some clients ignore where the query begins.
    if (bare.endsWith(".md")) {
      yield { address: { path, query: bare.slice(0, -".md".length) }, markdown: true, ...cursor };
    }
    yield { address: { path, query: bare }, markdown: false, ...cursor };
  }
}

interface PathAndQuery {
  readonly path: string;
  readonly query: string;
}

function* pathVariants({ path, query }: PathAndQuery): Generator<string> {
  const given = path + query;
  if (path !== "" && !path.endsWith("//")) yield given;
  const paths = [path, decodeReserved(path)].flatMap(withAndWithoutSlash);
  const variants = paths.flatMap((variant) =>
    encodings.map((encode) => encode(variant) + encode(query)),
  );
  for (const variant of new Set(variants)) if (variant !== given) yield variant;
}

/** Decodes what clients that are generated from the OpenAPI description encode in a path parameter, such as slashes. */
const decodeReserved = (path: string): string =>
  path.replace(/%(?:2[46BCF]|3[ABD]|40)/gi, decodeURIComponent);

const withAndWithoutSlash = (path: string): readonly string[] => {
  const toggled = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
  return [path, toggled].filter((variant) => variant !== "" && !path.endsWith("//"));
};

const lowercaseEscapes = (text: string): string =>
  text.replace(/%[0-9A-F]{2}/gi, (hex) => hex.toLowerCase());

/** Decodes parentheses, which are encoded in Markdown links. */
const decodeParentheses = (text: string): string => text.replace(/%2[89]/g, decodeURIComponent);

const encodings = [
  (text: string) => text,
  decodeParentheses,
  uppercaseEscapes,
  lowercaseEscapes,
  decodeUnreserved,
];
