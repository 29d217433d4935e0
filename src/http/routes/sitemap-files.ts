import { setImmediate as yieldToRequests } from "node:timers/promises";
import type { Reader, SitemapEntry, SitemapScan } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { latestTime } from "../../surfaces/markdown/document.ts";
import {
  fitsOneFile,
  partPath,
  type SitemapPart,
  type SitemapXmlEntry,
  sitemapIndex,
  sitemapLimits,
  splitIntoParts,
  toEntry,
  urlset,
} from "../../surfaces/text/sitemap.ts";
import type { CompressedForms } from "../reply.ts";
import { compressFast } from "../representation/compress.ts";
import { createForms } from "../representation/compression.ts";
import { type Representation, withEtag } from "./page-reply.ts";

/** Number of pages per read: a fifth of a millisecond of work, and few disk reads when they are not cached. */
const pageBatchSize = 40;

/** Milliseconds of work after which other requests are served. */
const maxWorkMs = 1;

interface SharedRepresentation extends Representation {
  readonly forms: CompressedForms;
}

/** Sitemap file of several megabytes, whose bytes all responses share. */
export interface SitemapFile extends SharedRepresentation {
  /** ISO 8601. */
  readonly lastModified: string | undefined;
}

interface MainSitemap extends SitemapFile {
  /** Paths of the parts that it lists. */
  readonly parts: ReadonlySet<string>;
}

/** Renders the main file: every page or, over the limits of one file, the index of the parts. */
export const writeMain = async (reader: Reader, baseUrl: string): Promise<MainSitemap> => {
  // A removed page leaves no entry with a date.
  const changedAt = reader.snapshot((snapshot) => snapshot.changedAt("catalogue", "pages"));
  const entries = await readEntries(reader, baseUrl);
  const lastModified = latestTime(findLatest(entries), changedAt);
  if (fitsOneFile(entries))
    return { ...toSharedRepresentation(urlset(entries)), lastModified, parts: new Set() };
  const parts = splitIntoParts(entries);
  const paths = new Set(parts.map(partPath));
  return { ...toSharedRepresentation(sitemapIndex(parts, baseUrl)), lastModified, parts: paths };
};

const toSharedRepresentation = (xml: string): SharedRepresentation => ({
  ...withEtag(xml),
  forms: createForms(compressFast),
});

const findLatest = (entries: readonly SitemapXmlEntry[]): string | undefined =>
  entries.reduce<string | undefined>(
    (latest, { lastmod }) => latestTime(latest, lastmod),
    undefined,
  );

/** Renders a part; empty when its pages were removed, or have become too many, since the index listed it. */
export const writePart = async (
  reader: Reader,
  baseUrl: string,
  part: PartRange,
): Promise<SitemapFile> => {
  const entries = await readEntries(reader, baseUrl, part);
  const xml = entries.length > 0 && fitsOneFile(entries) ? urlset(entries) : "";
  return { ...toSharedRepresentation(xml), lastModified: findLatest(entries) };
};

export type PartRange = Pick<SitemapPart, "kind" | "from" | "to">;

const readEntries = (
  reader: Reader,
  baseUrl: string,
  range?: PartRange,
): Promise<SitemapXmlEntry[]> =>
  reader.scanPages(async (scan) => {
    const entries: SitemapXmlEntry[] = [];
    const start = range && { kind: range.kind, id: range.from - 1 };
    for await (const batch of readBatches(scan, start)) {
      const pages = range ? batch.filter((page) => isInRange(page, range)) : batch;
      entries.push(...pages.flatMap((page) => toEntry(page, baseUrl) ?? []));
      const isComplete = pages.length < batch.length;
      if (range && (isComplete || entries.length > sitemapLimits.urls)) break;
    }
    return entries;
  });

const isInRange = ({ kind, id }: PageAddress, range: PartRange): boolean =>
  kind === range.kind && id <= range.to;

/** Reads the pages after an address in batches, and serves other requests between them. */
async function* readBatches(
  scan: SitemapScan,
  start: PageAddress | undefined,
): AsyncGenerator<readonly SitemapEntry[]> {
  let after = start;
  let startedAt = performance.now();
  for (;;) {
    const batch = scan({ after, limit: pageBatchSize });
    yield batch;
    if (batch.length < pageBatchSize) return;
    after = batch.at(-1);
    if (performance.now() - startedAt < maxWorkMs) continue;
    await yieldToRequests();
    startedAt = performance.now();
  }
}
