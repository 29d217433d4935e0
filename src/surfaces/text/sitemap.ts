import type { PageChange } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { address } from "../markdown/escape.ts";
import { markdownAddress } from "../markdown/url.ts";

/** What one sitemap file may hold (sitemaps.org). */
export const ceilings = { urls: 50_000, bytes: 50 * 1024 * 1024, loc: 2048 };

/** Room for the XML around the entries. */
const frame = 1024;

/** A page as its sitemap entry; the time is that of the shop's event, never of the writing. */
export interface Entry extends PageAddress {
  readonly xml: string;
  readonly lastmod: string;
}

/** Undefined for an address longer than a sitemap may hold. */
export const entryOf = (change: PageChange, baseUrl: string): Entry | undefined => {
  const { kind, id, lastmod } = change;
  const found = markdownAddress(baseUrl, change.url);
  // As nearly all are, which is quickly seen.
  const isPlain = plain.test(baseUrl) && plain.test(change.url);
  const loc = isPlain ? found : address(found);
  if (loc.length >= ceilings.loc) return undefined;
  const shown = isPlain ? loc : escaped(loc);
  return { kind, id, lastmod, xml: `<url><loc>${shown}</loc>${time(lastmod)}</url>\n` };
};

/** Of which nothing is written otherwise in an address or in XML. */
const plain = /^[\w\-.~:/?#@!$*+,;=%[\]]*$/;

export const urlset = (entries: readonly Entry[]): string =>
  `${head}<urlset ${namespace}>\n${entries.map(({ xml }) => xml).join("")}</urlset>\n`;

/** One file of a sitemap too large for one: the pages of a kind with ids `from` to `to`, both included. */
export interface Part {
  readonly kind: PageAddress["kind"];
  readonly from: number;
  readonly to: number;
  readonly lastmod: string;
}

export const index = (parts: readonly Part[], baseUrl: string): string =>
  `${head}<sitemapindex ${namespace}>\n${parts
    .map(
      (part) => `<sitemap><loc>${baseUrl}${partPath(part)}</loc>${time(part.lastmod)}</sitemap>\n`,
    )
    .join("")}</sitemapindex>\n`;

/** In the root, because a sitemap speaks only for addresses below its own folder. */
export const partPath = ({ kind, from, to }: Omit<Part, "lastmod">): string =>
  `/agent-sitemap-${kind}-${from}-${to}.xml`;

/** The range a part's name names; undefined when it is no part. */
export const partOf = (path: string): Omit<Part, "lastmod"> | undefined => {
  const match = /^\/agent-sitemap-(product|category|page)-(\d{1,16})-(\d{1,16})\.xml$/.exec(path);
  if (!match) return undefined;
  const [, kind, from, to] = match;
  return { kind: kind as Part["kind"], from: Number(from), to: Number(to) };
};

/** Whether entries fit into one file. */
export const fits = (entries: readonly Entry[]): boolean =>
  entries.length <= ceilings.urls &&
  entries.reduce((bytes, { xml }) => bytes + xml.length, frame) <= ceilings.bytes;

/**
 * Cuts entries, ordered by kind and id, into parts that fit. Ranges of ids are halved until they do, so that a part
 * keeps its borders, and with them its name and time, whatever happens to the pages of another.
 */
export const partition = (entries: readonly Entry[]): Part[] =>
  (["category", "page", "product"] as const).flatMap((kind) =>
    halved(
      entries.filter((entry) => entry.kind === kind),
      { kind, from: 0, to: 2 ** 53 - 1 },
    ),
  );

const halved = (entries: readonly Entry[], range: Omit<Part, "lastmod">): Part[] => {
  if (entries.length === 0) return [];
  if (fits(entries)) {
    const lastmod = entries.reduce(
      (time, entry) => (entry.lastmod > time ? entry.lastmod : time),
      "",
    );
    return [{ ...range, lastmod }];
  }
  const { kind, from, to } = range;
  const middle = from + (to - from + 1) / 2;
  const split = entries.findIndex(({ id }) => id >= middle);
  const at = split === -1 ? entries.length : split;
  return [
    ...halved(entries.slice(0, at), { kind, from, to: middle - 1 }),
    ...halved(entries.slice(at), { kind, from: middle, to }),
  ];
};

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const time = (lastmod: string): string => `<lastmod>${lastmod}</lastmod>`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? "");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
