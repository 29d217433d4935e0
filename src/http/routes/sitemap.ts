import { setImmediate as otherRequests } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Reader } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { newest } from "../../surfaces/markdown/document.ts";
import {
  ceilings,
  type Entry,
  entryOf,
  fits,
  index,
  type Part,
  partition,
  partOf,
  partPath,
  urlset,
} from "../../surfaces/text/sitemap.ts";
import { type InTurn, inTurn, whileUnchanged } from "../cache/coalesce.ts";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { packOnce } from "../middleware/compression.ts";
import { sendTagged, setLastModified, type Tagged, tagged } from "./send-page.ts";

/** Pages read in one go: a fifth of a millisecond of work, and few where they are cold. */
const slice = 40;

/** Milliseconds of work between which other requests are answered. */
const longestWork = 1;

/**
 * `GET /agent-sitemap.xml` (§1 rule 4): every page, or past the limits of one file an index of parts; and the parts.
 * Whichever of them it is, pages are read for one text at a time.
 */
export const sitemaps = (baseUrl: string): { readonly whole: Step; readonly part: Step } => {
  const turn = inTurn();
  let named: ReadonlySet<string> = new Set();
  const whole = whileUnchanged(async (reader) => {
    const written = await writeWhole(reader, baseUrl);
    named = written.parts;
    return written;
  }, turn);
  /** Only a name that no index had makes a new one be written: a crawler comes with those of the last. */
  const isNamed = async (reader: Reader, path: string): Promise<boolean> =>
    named.has(path) || (await whole(reader)).parts.has(path);
  const partAt = keepParts(baseUrl, turn);
  return {
    whole: async (ctx) => sendSitemap(ctx, await whole(ctx.state.reader)),
    async part(ctx) {
      const { reader } = ctx.state;
      const part = partOf(ctx.path);
      const isPart = part && (await isNamed(reader, ctx.path));
      const written = isPart && (await partAt(ctx.path, part)(reader));
      if (!written || written.bytes.length === 0) {
        return refuse(ctx, "not_found", "No part of the sitemap is here: see /agent-sitemap.xml.");
      }
      sendSitemap(ctx, written);
    },
  };
};

/** Megabytes, and the same for all who ask: none of them has a copy of its own. */
interface Written extends Tagged {
  /** ISO 8601. */
  readonly lastModified: string | undefined;
}

interface Whole extends Written {
  /** Paths of the parts that it names. */
  readonly parts: ReadonlySet<string>;
}

const writeWhole = async (reader: Reader, baseUrl: string): Promise<Whole> => {
  // A page that goes leaves no entry to tell when.
  const changedAt = reader.snapshot((moment) => moment.changedAt("catalogue", "pages"));
  const entries = await collect(reader, baseUrl);
  const lastModified = newest(newestOf(entries), changedAt);
  if (fits(entries)) return { ...shared(urlset(entries)), lastModified, parts: new Set() };
  const parts = partition(entries);
  const paths = new Set(parts.map(partPath));
  return { ...shared(index(parts, baseUrl)), lastModified, parts: paths };
};

const shared = (xml: string): Tagged => {
  const text = tagged(xml);
  packOnce(text.bytes, "soon");
  return text;
};

const newestOf = (entries: readonly Entry[]): string | undefined =>
  entries.reduce<string | undefined>((time, { lastmod }) => newest(time, lastmod), undefined);

const sendSitemap = (ctx: Context, written: Written): void => {
  ctx.set("Cache-Control", "no-cache");
  setLastModified(ctx, written.lastModified);
  sendTagged(ctx, written, "application/xml; charset=utf-8");
};

/** Parts written lately, at most as much of them as the largest may have; crawlers fetch one after the other. */
const keepParts = (baseUrl: string, turn: InTurn) => {
  type Text = (reader: Reader) => Promise<Written>;
  const texts = new LRUCache<string, Text>({ maxSize: ceilings.bytes });
  const begin = (path: string, part: Range): Text => {
    const text = whileUnchanged(async (reader) => {
      const written = await writePart(reader, baseUrl, part);
      // Its size is known only now, and is not counted anew where the same is put again.
      texts.delete(path);
      texts.set(path, text, { size: 1 + written.bytes.length });
      return written;
    }, turn);
    texts.set(path, text, { size: 1 });
    return text;
  };
  return (path: string, part: Range): Text => texts.get(path) ?? begin(path, part);
};

/** Empty when its pages have become too many, or are gone, since the index named it. */
const writePart = async (reader: Reader, baseUrl: string, part: Range): Promise<Written> => {
  const entries = await collect(reader, baseUrl, part);
  const xml = entries.length > 0 && fits(entries) ? urlset(entries) : "";
  return { ...shared(xml), lastModified: newestOf(entries) };
};

type Range = Pick<Part, "kind" | "from" | "to">;

/** Entries by kind and id of one moment, all or those of a range, read by key and slice by slice. */
const collect = (reader: Reader, baseUrl: string, range?: Range): Promise<Entry[]> =>
  reader.walk(async (pages) => {
    const entries: Entry[] = [];
    let begun = performance.now();
    let after: PageAddress | undefined = range && { kind: range.kind, id: range.from - 1 };
    for (;;) {
      const changes = pages({ after, limit: slice });
      for (const change of changes) {
        if (range && (change.kind !== range.kind || change.id > range.to)) return entries;
        const entry = entryOf(change, baseUrl);
        if (entry) entries.push(entry);
        if (range && entries.length > ceilings.urls) return entries;
      }
      after = changes.at(-1);
      if (changes.length < slice) return entries;
      if (performance.now() - begun < longestWork) continue;
      await otherRequests();
      begun = performance.now();
    }
  });
