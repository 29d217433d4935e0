import { setImmediate as otherRequests } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { PageAddress } from "../read-model/documents.ts";
import type { Reader } from "../read-model/reader.ts";
import { newest } from "../surfaces/markdown/rendered.ts";
import {
  ceilings,
  type Entry,
  entryOf,
  fits,
  index,
  type Part,
  partition,
  partOf,
  urlset,
} from "../surfaces/text/sitemap.ts";
import type { Context, Step } from "./context.ts";
import { sendText, setLastModified } from "./pages-send.ts";
import { whileUnchanged } from "./pages-unchanged.ts";
import { refuse } from "./refuse.ts";

/** Pages read in one go, between which other requests are answered: a few milliseconds of work. */
const slice = 1_000;

/** `GET /agent-sitemap.xml` (§1 rule 4): every page, or past the limits of one file an index of parts. */
export const sitemap = (baseUrl: string): Step => {
  const text = whileUnchanged(async (reader) => {
    const entries = await collect(reader, baseUrl);
    const xml = fits(entries) ? urlset(entries) : index(partition(entries), baseUrl);
    return { xml, lastModified: newestOf(entries) };
  });
  return async (ctx) => sendSitemap(ctx, await text(ctx.state.reader));
};

interface Written {
  readonly xml: string;
  /** ISO 8601. A page that goes takes its time with it. */
  readonly lastModified: string | undefined;
}

const newestOf = (entries: readonly Entry[]): string | undefined =>
  entries.reduce<string | undefined>((time, { lastmod }) => newest(time, lastmod), undefined);

const sendSitemap = (ctx: Context, { xml, lastModified }: Written): void => {
  ctx.set("Cache-Control", "no-cache");
  setLastModified(ctx, lastModified);
  sendText(ctx, xml, "application/xml; charset=utf-8");
};

/** Parts written lately; crawlers fetch them one after the other. */
const keptParts = 64;

/** One part, by the range of ids in its name. A range that would not fit a file is no part. */
export const sitemapPart = (baseUrl: string): Step => {
  const texts = new LRUCache<string, ReturnType<typeof whileUnchanged<Written>>>({
    max: keptParts,
  });
  const write = (part: Range) => async (reader: Reader) => {
    const entries = await collect(reader, baseUrl, part);
    const xml = entries.length > 0 && fits(entries) ? urlset(entries) : "";
    return { xml, lastModified: newestOf(entries) };
  };
  return async (ctx) => {
    const part = partOf(ctx.path);
    const text = part && (texts.get(ctx.path) ?? whileUnchanged(write(part)));
    if (text) texts.set(ctx.path, text);
    const written = await text?.(ctx.state.reader);
    if (!written?.xml) {
      return refuse(ctx, "not_found", "No part of the sitemap is here: see /agent-sitemap.xml.");
    }
    sendSitemap(ctx, written);
  };
};

type Range = Pick<Part, "kind" | "from" | "to">;

/** Entries by kind and id, all or those of a range, read by key and slice by slice. */
const collect = async (reader: Reader, baseUrl: string, range?: Range): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let after: PageAddress | undefined = range && { kind: range.kind, id: range.from - 1 };
  for (;;) {
    const changes = reader.snapshot((moment) => moment.changes({ after, limit: slice }));
    for (const change of changes) {
      if (range && (change.kind !== range.kind || change.id > range.to)) return entries;
      const entry = entryOf(change, baseUrl);
      if (entry) entries.push(entry);
      if (range && entries.length > ceilings.urls) return entries;
    }
    after = changes.at(-1);
    if (changes.length < slice) return entries;
    await otherRequests();
  }
};
