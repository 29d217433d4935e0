import { setImmediate as yieldToRequests } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Reader } from "../../read-model/reader/reader.ts";
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
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { precompress } from "../middleware/compression.ts";
import { type Representation, sendRepresentation, setLastModified, withEtag } from "./send-page.ts";

/** Number of pages per read: a fifth of a millisecond of work, and few disk reads when they are not cached. */
const pageBatchSize = 40;

/** Milliseconds of work after which other requests are served. */
const maxWorkMs = 1;

/**
 * Handles `GET /agent-sitemap.xml` (Specification §1 rule 4) and the parts. The main file lists every page or,
 * over the limits of one file, is an index of the parts. Only one of the files is rendered at a time.
 */
export const sitemaps = (
  baseUrl: string,
): { readonly main: Middleware; readonly part: Middleware } => {
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
    main: async (ctx) => sendSitemap(ctx, await main(ctx.state.reader)),
    async part(ctx) {
      const { reader } = ctx.state;
      const part = parsePartPath(ctx.path);
      const isPart = part && (await isListed(reader, ctx.path));
      const file = isPart && (await getPart(ctx.path, part)(reader));
      if (!file || file.bytes.length === 0) {
        return sendError(
          ctx,
          "not_found",
          "No part of the sitemap is here: see /agent-sitemap.xml.",
        );
      }
      sendSitemap(ctx, file);
    },
  };
};

/** Sitemap file of several megabytes, whose bytes all responses share. */
interface SitemapFile extends Representation {
  /** ISO 8601. */
  readonly lastModified: string | undefined;
}

interface MainSitemap extends SitemapFile {
  /** Paths of the parts that it lists. */
  readonly parts: ReadonlySet<string>;
}

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

const toSharedRepresentation = (xml: string): Representation => {
  const representation = withEtag(xml);
  precompress(representation.bytes, "fast");
  return representation;
};

const findLatest = (entries: readonly SitemapXmlEntry[]): string | undefined =>
  entries.reduce<string | undefined>(
    (latest, { lastmod }) => latestTime(latest, lastmod),
    undefined,
  );

const sendSitemap = (ctx: Context, file: SitemapFile): void => {
  ctx.set("Cache-Control", "no-cache");
  setLastModified(ctx, file.lastModified);
  sendRepresentation(ctx, file, "application/xml; charset=utf-8");
};

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
      renders.set(path, render, { size: 1 + file.bytes.length });
      return file;
    }, queue);
    renders.set(path, render, { size: 1 });
    return render;
  };
  return (path: string, part: PartRange): RenderPart => renders.get(path) ?? create(path, part);
};

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

/** Reads entries of one snapshot by kind and id, all or those of a range, in batches. */
const readEntries = (
  reader: Reader,
  baseUrl: string,
  range?: PartRange,
): Promise<SitemapXmlEntry[]> =>
  reader.scanPages(async (pages) => {
    const entries: SitemapXmlEntry[] = [];
    let startedAt = performance.now();
    let after: PageAddress | undefined = range && { kind: range.kind, id: range.from - 1 };
    for (;;) {
      const changes = pages({ after, limit: pageBatchSize });
      for (const change of changes) {
        if (range && (change.kind !== range.kind || change.id > range.to)) return entries;
        const entry = toEntry(change, baseUrl);
        if (entry) entries.push(entry);
        if (range && entries.length > sitemapLimits.urls) return entries;
      }
      after = changes.at(-1);
      if (changes.length < pageBatchSize) return entries;
      if (performance.now() - startedAt < maxWorkMs) continue;
      await yieldToRequests();
      startedAt = performance.now();
    }
  });
