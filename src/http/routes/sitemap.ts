import { setImmediate as yieldToRequests } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Reader, SitemapEntry, SitemapScan } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { latestTime } from "../../surfaces/markdown/document.ts";
import {
  fitsOneFile,
  parsePartPath,
  partPath,
  type SitemapPart,
  type SitemapXmlEntry,
  sitemapIndex,
  sitemapLimits,
  splitIntoParts,
  toEntry,
  urlset,
} from "../../surfaces/text/sitemap.ts";
import { coalesce, createSerialQueue, type SerialQueue } from "../cache/coalesce.ts";
import { notFound } from "../error-reply.ts";
import type { Handler, HasModel } from "../exchange.ts";
import type { CompressedForms, Reply } from "../reply.ts";
import { compressFast, createForms } from "../representation/compression.ts";
import { lastModified, type Representation, representationReply, withEtag } from "./page-reply.ts";

/**
 * Handles `GET /agent-sitemap.xml` (Specification §1 rule 4) and the parts. The main file lists every page or,
 * over the limits of one file, is an index of the parts. Only one of the files is rendered at a time.
 */
export const sitemaps = (
  baseUrl: string,
): { readonly main: Handler<HasModel>; readonly part: Handler<HasModel> } => {
  const queue = createSerialQueue();
  let partPaths: ReadonlySet<string> = new Set();
  const main = coalesce(async (reader) => {
    const file = await writeMain(reader, baseUrl);
    partPaths = file.parts;
    return file;
  }, queue);
  /**
   * Tests for a part of the index. The index is rendered again only for an unlisted name, because crawlers
   * request the parts of the last index they read.
   */
  const isListed = async (reader: Reader, path: string): Promise<boolean> =>
    partPaths.has(path) || (await main(reader)).parts.has(path);
  const getPart = createPartCache(baseUrl, queue);
  return {
    main: async ({ model }) => sitemapReply(await main(model)),
    async part(exchange) {
      const { model, path } = exchange;
      const part = parsePartPath(path);
      const isPart = part && (await isListed(model, path));
      const file = isPart && (await getPart(path, part)(model));
      if (!file || file.body.length === 0)
        return notFound(exchange, "The sitemap has no such part: see /agent-sitemap.xml.");
      return sitemapReply(file);
    },
  };
};

const sitemapReply = (file: SitemapFile): Reply =>
  representationReply(file, "application/xml; charset=utf-8", {
    forms: file.forms,
    isShared: true,
    publicFor: 0,
    headers: lastModified(file.lastModified),
  });

/**
 * Creates the cache of recently rendered parts, limited to the size of the largest possible part, because
 * crawlers fetch one after the other.
 */
const createPartCache = (baseUrl: string, queue: SerialQueue) => {
  type RenderPart = (reader: Reader) => Promise<SitemapFile>;
  const renders = new LRUCache<string, RenderPart>({ maxSize: sitemapLimits.bytes });
  const create = (path: string, part: PartRange): RenderPart => {
    const render = coalesce(async (reader) => {
      const file = await writePart(reader, baseUrl, part);
      // The size is known only now, and LRUCache does not update it when the same value is set again.
      renders.delete(path);
      renders.set(path, render, { size: 1 + file.body.length });
      return file;
    }, queue);
    renders.set(path, render, { size: 1 });
    return render;
  };
  return (path: string, part: PartRange): RenderPart => renders.get(path) ?? create(path, part);
};

/** Number of pages per read: a fifth of a millisecond of work, and few disk reads when they are not cached. */
const pageBatchSize = 40;

/** Milliseconds of work after which other requests are served. */
const maxWorkMs = 1;

interface SharedRepresentation extends Representation {
  readonly forms: CompressedForms;
}

/** Sitemap file of several megabytes, whose bytes all responses share. */
interface SitemapFile extends SharedRepresentation {
  /** ISO 8601. */
  readonly lastModified: string | undefined;
}

interface MainSitemap extends SitemapFile {
  /** Paths of the parts that it lists. */
  readonly parts: ReadonlySet<string>;
}

/** Renders the main file: every page or, over the limits of one file, the index of the parts. */
const writeMain = async (reader: Reader, baseUrl: string): Promise<MainSitemap> => {
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
const writePart = async (
  reader: Reader,
  baseUrl: string,
  part: PartRange,
): Promise<SitemapFile> => {
  const entries = await readEntries(reader, baseUrl, part);
  const xml = entries.length > 0 && fitsOneFile(entries) ? urlset(entries) : "";
  return { ...toSharedRepresentation(xml), lastModified: findLatest(entries) };
};

type PartRange = Pick<SitemapPart, "kind" | "from" | "to">;

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
