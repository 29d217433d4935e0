import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { webAddress } from "../../text/parse-url.ts";
import { storedQueries, withoutTracking } from "../../text/tracking-parameters.ts";
import { plain, upper } from "../middleware/normalize-url.ts";

/** What a path and query ask for. */
export interface Asked {
  readonly page: PageAddress | { readonly kind: "home" };
  /** Whether it is the page's Markdown address, which heeds no Accept. */
  readonly markdown: boolean;
  /** Cursor of a category's further page. */
  readonly after?: string;
}

/**
 * The page at a request's path and query (contract §8), also without or with a slash at its end, and whichever way
 * it is percent-encoded. A query counts, but for its tracking parameters: another one is another page.
 * @param target as `targetOf` reads it
 */
export const findPage = (snapshot: Snapshot, target: string): Asked | undefined => {
  const match = findStored(snapshot, target);
  if (!match) return undefined;
  const { address: _, ...request } = match;
  return request;
};

/**
 * The addresses that a target stands for: itself, without the slash at its end and the tracking parameters, which routes
 * do not heed, and the one of the page that is found at it.
 */
export const addressesAt = (snapshot: Snapshot, target: string): readonly string[] => {
  const { path, query } = splitTarget(target);
  const storedAddress = findStored(snapshot, target)?.address;
  const cleaned = path.replace(/(?<=.)\/$/, "") + withoutTracking(query);
  return [...new Set([target, storedAddress ?? cleaned])];
};

const findStored = (
  snapshot: Snapshot,
  target: string,
): (Asked & { readonly address: string }) | undefined => {
  for (const stored of storedAddresses(splitTarget(target))) {
    for (const { address, ...rest } of interpretations(stored)) {
      for (const candidate of pathVariants(address)) {
        const page = isHome(snapshot, candidate) ? home : snapshot.address(candidate);
        if (page) return { page, address: candidate, ...rest };
      }
    }
  }
  return undefined;
};

/** Characters of an address that is also looked up without its tracking parameters: each look-up costs by its length. */
const maxTrackedLength = 4_096;

/** Keeps a `.md` that is appended to the whole address, also where the parameter before it is for tracking. */
function* storedAddresses({ path, query }: PathAndQuery): Generator<PathAndQuery> {
  if (path.length + query.length > maxTrackedLength) return yield { path, query };
  const [suffix] = /\.md$/.exec(query) ?? [""];
  for (const stored of storedQueries(query.slice(0, query.length - suffix.length))) {
    yield stored === "" ? { path: path + suffix, query: "" } : { path, query: stored + suffix };
  }
}

const home = { kind: "home" } as const;

interface PathAndQuery {
  readonly path: string;
  readonly query: string;
}

interface Interpretation {
  readonly address: PathAndQuery;
  readonly markdown: boolean;
  readonly after?: string;
}

const splitTarget = (target: string): PathAndQuery => {
  const query = /\?.*$/.exec(target)?.[0] ?? "";
  return { path: target.slice(0, target.length - query.length), query };
};

/** The ways an address may be meant: as a Markdown address, as the page's own, each perhaps with a cursor. */
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
    // Appended to the whole address, as a reader does who does not look where the query begins.
    if (bare.endsWith(".md")) {
      yield { address: { path, query: bare.slice(0, -".md".length) }, markdown: true, ...cursor };
    }
    yield { address: { path, query: bare }, markdown: false, ...cursor };
  }
}

/** As it came first; then in the other spellings of the same path. */
const pathVariants = ({ path, query }: PathAndQuery): readonly string[] => {
  const encodings = [(text: string) => text, decodeParentheses, upper, lowercaseEscapes, plain];
  return [
    ...new Set(
      withAndWithoutSlash(path).flatMap((variant) =>
        encodings.map((encode) => encode(variant) + encode(query)),
      ),
    ),
  ];
};

/** With and without a slash at its end. */
const withAndWithoutSlash = (path: string): readonly string[] => {
  const toggled = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
  return [path, toggled].filter((variant) => variant !== "" && !path.endsWith("//"));
};

const lowercaseEscapes = (text: string): string =>
  text.replace(/%[0-9A-F]{2}/gi, (hex) => hex.toLowerCase());

/** Brackets, which Markdown links have encoded. */
const decodeParentheses = (text: string): string => text.replace(/%2[89]/g, decodeURIComponent);

const isHome = (snapshot: Snapshot, address: string): boolean => {
  if (address === "/") return true;
  const home = webAddress(snapshot.shop()?.url ?? "");
  return home !== undefined && address === home.pathname + home.search;
};
