import { statSync } from "node:fs";
import { join } from "node:path";
import { stemmer as oramaStemmer } from "@orama/stemmers/english";
import MiniSearch from "minisearch";
import TurndownService from "turndown";
import type { LogRecord } from "../../src/event-log/event-log.ts";
import { toMessage } from "../../src/events/envelope.ts";
import type { ProductData } from "../../src/events/event.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { readDemoShop } from "./demo-shop.ts";
import {
  type Comparison,
  cpuSeconds,
  interleave,
  type Report,
  sampleOf,
  toComparison,
} from "./figures.ts";
import { importBuilt } from "./import-built.ts";
import { projectRecords } from "./project-records.ts";
import { prepareSearchIndexing, type SearchableFields } from "./search-index-only.ts";

const { openStore } =
  await importBuilt<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");

export interface FirstLoadOptions {
  readonly rounds: number;
  readonly report: Report;
}

/** Copies of the demo shop in the catalogue, each product with its own id: 100,983 products. */
const shopCopies = 41;

/**
 * Measures the first load of a catalogue: products per CPU second, compared with turndown and MiniSearch, and bytes on
 * disk, compared with the events.
 */
export const benchFirstLoad = async (options: FirstLoadOptions): Promise<readonly Comparison[]> => {
  const products = buildCatalogue();
  const records = products.map(toRecord);
  const eventBytes = records.reduce((sum, { body }) => sum + body.length, 0);
  const perProduct = (bytes: number): number => bytes / products.length;
  let sizes = { tables: 0, file: 0 };
  const indexing = await prepareSearchIndexing(records);
  const rate = async (work: () => Promise<unknown>): Promise<number> =>
    products.length / (await cpuSeconds(work))[1];
  const figures = await interleave(
    {
      vitrine: () => rate(async () => (sizes = await load(records))),
      turndownAndMiniSearch: () => rate(async () => addToMiniSearch(renderMarkdown(products))),
      miniSearch: () => rate(async () => addToMiniSearch(products)),
      indexing: () => rate(indexing.run),
      miniSearchOfTexts: () => rate(async () => addToMiniSearch(indexing.texts)),
    },
    options.rounds,
    options.report,
  );
  const rateAgainst = (name: string, own: string, peerName: string, peer: string): Comparison =>
    toComparison(name, "products/CPU-s", sampleOf(figures, own).figure, {
      name: peerName,
      figure: sampleOf(figures, peer).figure,
    });
  const name = `first load of ${products.length.toLocaleString("en")} products`;
  const raw = { name: "raw JSON of its events", figure: perProduct(eventBytes) };
  return [
    rateAgainst(name, "vitrine", "turndown, then MiniSearch addAll", "turndownAndMiniSearch"),
    rateAgainst(name, "vitrine", "MiniSearch addAll of the HTML", "miniSearch"),
    rateAgainst(
      "… of which indexing, by itself",
      "indexing",
      "MiniSearch addAll of the same texts",
      "miniSearchOfTexts",
    ),
    toComparison("all tables, per product", "bytes", perProduct(sizes.tables), raw),
    toComparison("the whole file, per product", "bytes", perProduct(sizes.file), raw),
  ];
};

const buildCatalogue = (): readonly ProductData[] => {
  const { products } = readDemoShop();
  const highest = Math.max(...products.map(({ id }) => id));
  return Array.from({ length: shopCopies }, (_, shop) =>
    products.map((product) => {
      const id = product.id + shop * highest;
      return {
        ...product,
        id,
        url: `${product.url}?shop=${shop}`,
        reference: `${product.reference}-${shop}`,
      };
    }),
  ).flat();
};

const toRecord = (data: ProductData, index: number): LogRecord => {
  const message = toMessage({
    specversion: "1.0",
    id: `product-${data.id}-1`,
    source: "/shops/demo",
    type: "shop.product.upserted",
    subject: `product/${data.id}`,
    time: new Date(Date.UTC(2026, 8, 1) + index * 1_000).toISOString(),
    sequence: "1",
    datacontenttype: "application/json",
    data,
  });
  return { ...message, sequence: index + 1, time: Date.UTC(2026, 9, 1) };
};

/** Projects records into an empty model with all its tables. Returns bytes on disk. */
const load = async (
  records: readonly LogRecord[],
): Promise<{ readonly tables: number; readonly file: number }> => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  projectRecords(store, records);
  store.refresh();
  const tables = Object.values(store.sizes());
  await store.close();
  const file = statSync(join(directory.path, "data.mdb")).size;
  directory.remove();
  return { tables: tables.reduce((sum, { bytes }) => sum + bytes, 0), file };
};

/** Converts descriptions to Markdown as turndown's documentation does. */
const renderMarkdown = (products: readonly ProductData[]): readonly ProductData[] => {
  const turndown = new TurndownService();
  return products.map((product) => ({
    ...product,
    descriptionHtml: turndown.turndown(product.descriptionHtml ?? ""),
  }));
};

const addToMiniSearch = (products: readonly SearchableFields[]): MiniSearch => {
  const engine = new MiniSearch<SearchableFields>({
    fields: ["name", "brand", "descriptionHtml", "reference", "gtin"],
    processTerm: (term) => oramaStemmer(term.toLowerCase()),
  });
  engine.addAll(products);
  return engine;
};
