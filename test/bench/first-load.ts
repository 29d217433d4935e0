import { statSync } from "node:fs";
import { join } from "node:path";
import { stemmer as oramaStemmer } from "@orama/stemmers/english";
import MiniSearch from "minisearch";
import TurndownService from "turndown";
import type { LogRecord } from "../../src/event-log/event-log.ts";
import { toMessage } from "../../src/events/envelope.ts";
import type { ProductData } from "../../src/events/event.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { built } from "./built.ts";
import { readDemoShop } from "./demo-shop.ts";
import { type Comparison, cpuSeconds, interleave, type Report } from "./figures.ts";
import { indexAlone, type Searched } from "./index-alone.ts";
import { projectRecords } from "./projecting-records.ts";

const { openStore } =
  await built<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");
const { tableSizes } = await built<
  typeof import("../../src/read-model/generations/table-sizes.ts")
>("read-model/generations/table-sizes");

export interface FirstLoadOptions {
  readonly rounds: number;
  readonly tell: Report;
}

/** So many demo shops in one, each product with an id of its own: 100,000 products. */
const shops = 41;

/**
 * What a catalogue costs that is loaded for the first time: products a second of CPU beside those that turndown and
 * MiniSearch take in, and bytes on disk beside those of the events.
 */
export const benchFirstLoad = async (options: FirstLoadOptions): Promise<readonly Comparison[]> => {
  const products = catalogue();
  const records = products.map(recordOf);
  const eventBytes = records.reduce((sum, { body }) => sum + body.length, 0);
  const each = (bytes: number): number => bytes / products.length;
  let sizes = { tables: 0, file: 0 };
  const alone = await indexAlone(records);
  const rate = async (work: () => Promise<unknown>): Promise<number> =>
    products.length / (await cpuSeconds(work))[1];
  const figures = await interleave(
    {
      own: () => rate(async () => (sizes = await load(records))),
      both: () => rate(async () => index(rendered(products))),
      search: () => rate(async () => index(products)),
      alone: () => rate(alone.run),
      texts: () => rate(async () => index(alone.texts)),
    },
    options.rounds,
    options.tell,
  );
  const beside = (name: string, unit: string, figure: number, peer: string, its: number) => ({
    name,
    figure,
    unit,
    beside: { name: peer, figure: its },
    ratio: figure / its,
  });
  const name = `first load of ${products.length.toLocaleString("en")} products`;
  const figure = (of: string): number => figures.get(of) ?? 0;
  const raw = "raw JSON of its events";
  return [
    beside(
      name,
      "products/CPU-s",
      figure("own"),
      "turndown, then MiniSearch addAll",
      figure("both"),
    ),
    beside(
      name,
      "products/CPU-s",
      figure("own"),
      "MiniSearch addAll of the HTML",
      figure("search"),
    ),
    beside(
      "… of which indexing, by itself",
      "products/CPU-s",
      figure("alone"),
      "MiniSearch addAll of the same texts",
      figure("texts"),
    ),
    beside("all tables, a product", "bytes", each(sizes.tables), raw, each(eventBytes)),
    beside("the whole file, a product", "bytes", each(sizes.file), raw, each(eventBytes)),
  ];
};

const catalogue = (): readonly ProductData[] => {
  const { products } = readDemoShop();
  const highest = Math.max(...products.map(({ id }) => id));
  return Array.from({ length: shops }, (_, shop) =>
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

const recordOf = (data: ProductData, at: number): LogRecord => {
  const message = toMessage({
    specversion: "1.0",
    id: `product-${data.id}-1`,
    source: "/shops/demo",
    type: "shop.product.upserted",
    subject: `product/${data.id}`,
    time: new Date(Date.UTC(2026, 8, 1) + at * 1_000).toISOString(),
    sequence: "1",
    datacontenttype: "application/json",
    data,
  });
  return { ...message, sequence: at + 1, time: Date.UTC(2026, 9, 1) };
};

/** The projector as it is, with all its tables, from event bytes to the last commit. Returns bytes on disk. */
const load = async (
  records: readonly LogRecord[],
): Promise<{ readonly tables: number; readonly file: number }> => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  projectRecords(store, records);
  store.refresh();
  const tables = Object.values(tableSizes(store));
  await store.close();
  const file = statSync(join(directory.path, "data.mdb")).size;
  directory.remove();
  return { tables: tables.reduce((sum, { bytes }) => sum + bytes, 0), file };
};

/** As turndown's documentation has it. */
const rendered = (products: readonly ProductData[]): readonly ProductData[] => {
  const turndown = new TurndownService();
  return products.map((product) => ({
    ...product,
    descriptionHtml: turndown.turndown(product.descriptionHtml ?? ""),
  }));
};

const index = (products: readonly Searched[]): MiniSearch => {
  const engine = new MiniSearch<Searched>({
    fields: ["name", "brand", "descriptionHtml", "reference", "gtin"],
    processTerm: (term) => oramaStemmer(term.toLowerCase()),
  });
  engine.addAll(products);
  return engine;
};
