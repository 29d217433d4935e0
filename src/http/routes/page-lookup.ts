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
export const findPage = (moment: Snapshot, target: string): Asked | undefined => {
  const found = find(moment, target);
  if (!found) return undefined;
  const { address: _, ...asked } = found;
  return asked;
};

/**
 * The addresses that a target stands for: itself, without the slash at its end and the tracking parameters, which routes
 * do not heed, and the one of the page that is found at it.
 */
export const addressesAt = (moment: Snapshot, target: string): readonly string[] => {
  const { path, query } = addressOf(target);
  const found = find(moment, target)?.address;
  const bare = path.replace(/(?<=.)\/$/, "") + withoutTracking(query);
  return [...new Set([target, found ?? bare])];
};

const find = (
  moment: Snapshot,
  target: string,
): (Asked & { readonly address: string }) | undefined => {
  for (const stored of storedAddresses(addressOf(target))) {
    for (const { address, ...rest } of readings(stored)) {
      for (const candidate of spellings(address)) {
        const page = isHome(moment, candidate) ? home : moment.address(candidate);
        if (page) return { page, address: candidate, ...rest };
      }
    }
  }
  return undefined;
};

/** Characters of an address that is also looked up without its tracking parameters: each look-up costs by its length. */
const maxTracked = 4_096;

/** Keeps a `.md` that is appended to the whole address, also where the parameter before it is for tracking. */
function* storedAddresses({ path, query }: Address): Generator<Address> {
  if (path.length + query.length > maxTracked) return yield { path, query };
  const [end] = /\.md$/.exec(query) ?? [""];
  for (const stored of storedQueries(query.slice(0, query.length - end.length))) {
    yield stored === "" ? { path: path + end, query: "" } : { path, query: stored + end };
  }
}

const home = { kind: "home" } as const;

interface Address {
  readonly path: string;
  readonly query: string;
}

interface Reading {
  readonly address: Address;
  readonly markdown: boolean;
  readonly after?: string;
}

const addressOf = (target: string): Address => {
  const query = /\?.*$/.exec(target)?.[0] ?? "";
  return { path: target.slice(0, target.length - query.length), query };
};

/** The ways an address may be meant: as a Markdown address, as the page's own, each perhaps with a cursor. */
function* readings({ path, query }: Address): Generator<Reading> {
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
const spellings = ({ path, query }: Address): readonly string[] => {
  const encodings = [(text: string) => text, brackets, upper, lower, plain];
  return [
    ...new Set(
      bothEnds(path).flatMap((spelling) =>
        encodings.map((encode) => encode(spelling) + encode(query)),
      ),
    ),
  ];
};

/** With and without a slash at its end. */
const bothEnds = (path: string): readonly string[] => {
  const toggled = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
  return [path, toggled].filter((spelling) => spelling !== "" && !path.endsWith("//"));
};

const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/gi, (hex) => hex.toLowerCase());

/** Brackets, which Markdown links have encoded. */
const brackets = (text: string): string => text.replace(/%2[89]/g, decodeURIComponent);

const isHome = (moment: Snapshot, address: string): boolean => {
  if (address === "/") return true;
  const home = webAddress(moment.shop()?.url ?? "");
  return home !== undefined && address === home.pathname + home.search;
};
