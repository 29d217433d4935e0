import { LRUCache } from "lru-cache";
import type { Reader } from "../../read-model/reader/reader.ts";
import { parsePartPath, sitemapLimits } from "../../surfaces/text/sitemap.ts";
import { coalesce, createSerialQueue, type SerialQueue } from "../cache/coalesce.ts";
import { notFound } from "../error-reply.ts";
import type { Handler, HasModel } from "../pipeline.ts";
import type { Reply } from "../reply.ts";
import { lastModified, representationReply } from "./page-reply.ts";
import { type PartRange, type SitemapFile, writeMain, writePart } from "./sitemap-files.ts";

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
