import type { SitemapEntry } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { escapeUrl } from "../../text/markdown/escape.ts";
import { markdownUrl } from "../markdown/url.ts";

/** Limits of one sitemap file (sitemaps.org). */
export const sitemapLimits = { urls: 50_000, bytes: 50 * 1024 * 1024, loc: 2048 };

/** Bytes reserved for the XML around the entries. */
const frameBytes = 1024;

/** A page's sitemap entry. `lastmod` is the time of the shop's event, not the time of rendering. */
export interface SitemapXmlEntry extends PageAddress {
  readonly xml: string;
  readonly lastmod: string;
}

/** Builds a page's entry. @returns undefined when the URL is longer than a sitemap allows */
export const toEntry = (change: SitemapEntry, baseUrl: string): SitemapXmlEntry | undefined => {
  const { kind, id, lastmod } = change;
  const url = markdownUrl(baseUrl, change.url);
  // Skips escaping for nearly all URLs, because this test is cheaper.
  const isPlain = plain.test(baseUrl) && plain.test(change.url);
  const loc = isPlain ? url : escapeUrl(url);
  if (loc.length >= sitemapLimits.loc) return undefined;
  const text = isPlain ? loc : escapeXml(loc);
  return { kind, id, lastmod, xml: `<url><loc>${text}</loc>${formatLastmod(lastmod)}</url>\n` };
};

/** Matches text that needs no escaping in a URL or in XML. */
const plain = /^[\w\-.~:/?#@!$*+,;=%[\]]*$/;

export const urlset = (entries: readonly SitemapXmlEntry[]): string =>
  `${head}<urlset ${namespace}>\n${entries.map(({ xml }) => xml).join("")}</urlset>\n`;

/** One file of a sitemap that is too large for one file: the pages of a kind with ids `from` to `to`, both included. */
export interface SitemapPart {
  readonly kind: PageAddress["kind"];
  readonly from: number;
  readonly to: number;
  readonly lastmod: string;
}

export const sitemapIndex = (parts: readonly SitemapPart[], baseUrl: string): string =>
  `${head}<sitemapindex ${namespace}>\n${parts
    .map(
      (part) =>
        `<sitemap><loc>${baseUrl}${partPath(part)}</loc>${formatLastmod(part.lastmod)}</sitemap>\n`,
    )
    .join("")}</sitemapindex>\n`;

/** Builds the path of a part. It is in the root, because a sitemap covers only URLs below its own folder. */
export const partPath = ({ kind, from, to }: Omit<SitemapPart, "lastmod">): string =>
  `/agent-sitemap-${kind}-${from}-${to}.xml`;

/** Parses the path of a part. @returns undefined when the path is not that of a part */
export const parsePartPath = (path: string): Omit<SitemapPart, "lastmod"> | undefined => {
  const match = /^\/agent-sitemap-(product|category|page)-(\d{1,16})-(\d{1,16})\.xml$/.exec(path);
  if (!match) return undefined;
  const [, kind, from, to] = match;
  return { kind: kind as SitemapPart["kind"], from: Number(from), to: Number(to) };
};

/** Checks whether entries fit into one file. */
export const fitsOneFile = (entries: readonly SitemapXmlEntry[]): boolean =>
  entries.length <= sitemapLimits.urls &&
  entries.reduce((bytes, { xml }) => bytes + xml.length, frameBytes) <= sitemapLimits.bytes;

/**
 * Splits entries, sorted by kind and id, into parts that fit into one file. It halves ranges of ids, so that changes in
 * one part do not move the borders of another, and its path and time stay the same.
 */
export const splitIntoParts = (entries: readonly SitemapXmlEntry[]): SitemapPart[] =>
  (["category", "page", "product"] as const).flatMap((kind) =>
    bisect(
      entries.filter((entry) => entry.kind === kind),
      { kind, from: 0, to: 2 ** 53 - 1 },
    ),
  );

const bisect = (
  entries: readonly SitemapXmlEntry[],
  range: Omit<SitemapPart, "lastmod">,
): SitemapPart[] => {
  if (entries.length === 0) return [];
  if (fitsOneFile(entries)) {
    const lastmod = entries.reduce(
      (latest, entry) => (entry.lastmod > latest ? entry.lastmod : latest),
      "",
    );
    return [{ ...range, lastmod }];
  }
  const { kind, from, to } = range;
  const middle = from + (to - from + 1) / 2;
  const firstOfSecond = entries.findIndex(({ id }) => id >= middle);
  const splitAt = firstOfSecond === -1 ? entries.length : firstOfSecond;
  return [
    ...bisect(entries.slice(0, splitAt), { kind, from, to: middle - 1 }),
    ...bisect(entries.slice(splitAt), { kind, from: middle, to }),
  ];
};

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const formatLastmod = (lastmod: string): string => `<lastmod>${lastmod}</lastmod>`;

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => entities[char] ?? "");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
