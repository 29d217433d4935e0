import type { LogRecord } from "../../src/event-log/event-log.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import type { Store } from "../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { recordOf } from "../helpers/events.ts";
import { changedBytes } from "./changed-bytes.ts";
import { type Comparison, cpuSeconds, median, type Report, toComparison } from "./figures.ts";
import { importBuilt } from "./import-built.ts";
import { projectRecords } from "./project-records.ts";
import { benchVariantReads } from "./variant-reads.ts";
import { buildShop, largeProduct, stockAt } from "./variant-shop.ts";

const { openStore } =
  await importBuilt<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");
const { openReader } = await importBuilt<
  typeof import("../../src/read-model/reader/open-reader.ts")
>("read-model/reader/open-reader");
const { applyBatch } =
  await importBuilt<typeof import("../../src/projector/batch/batch.ts")>("projector/batch/batch");
const { createHtmlRenderer } = await importBuilt<
  typeof import("../../src/projector/rendering/index.ts")
>("projector/rendering/index");
const { productPage } = await importBuilt<typeof import("../../src/surfaces/markdown/product.ts")>(
  "surfaces/markdown/product",
);
const { getProduct } = await importBuilt<
  typeof import("../../src/surfaces/mcp/tools/get-product.ts")
>("surfaces/mcp/tools/get-product");

export interface VariantsOptions {
  /** Products with 10 variants each; the peer has as many without variants. */
  readonly products: number;
  readonly rounds: number;
  readonly report: Report;
}

/** Compares a shop of products with 10 variants each with one of as many products without variants. */
export const benchVariants = async (options: VariantsOptions): Promise<readonly Comparison[]> => {
  const products = Math.min(options.products, 100_000);
  const [plain, varied] = [
    await openShop(products, 0, options.report),
    await openShop(products, 10, options.report),
  ];
  const comparisons = [
    toComparison("replay with 10 variants each", "products/CPU-s", varied.rate, {
      name: "without variants",
      figure: plain.rate,
    }),
    ...questions.map(({ name, ask }) =>
      toComparison(name, "per second", measure(varied.store, products, ask), {
        name: "without variants",
        figure: measure(plain.store, products, ask),
      }),
    ),
    ...(await measureLarge(varied.store, products)),
    ...(await measureBytes()),
    ...(await benchVariantReads({ ...options, products })),
  ];
  for (const shop of [plain, varied]) await shop.close();
  return comparisons;
};

interface Shop {
  readonly store: Store;
  /** Products projected per second of CPU time. */
  readonly rate: number;
  close(): Promise<void>;
}

const openShop = async (products: number, variants: number, report: Report): Promise<Shop> => {
  report(`projecting ${products} products with ${variants} variants each`);
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  let seconds = 0;
  for (let from = 1; from <= products; from += chunk) {
    const count = Math.min(chunk, products - from + 1);
    const records = toRecords(buildShop(from, count, variants), from * 12);
    [, seconds] = await addSeconds(seconds, async () => projectRecords(store, records));
  }
  return {
    store,
    rate: products / seconds,
    async close() {
      await store.close();
      directory.remove();
    },
  };
};

/** Products whose events are in memory at once. */
const chunk = 2_000;

const addSeconds = async (sum: number, work: () => Promise<void>) => {
  const [result, seconds] = await cpuSeconds(work);
  return [result, sum + seconds] as const;
};

const toRecords = (events: readonly CloudEvent[], from: number): readonly LogRecord[] =>
  events.map((event, at) => recordOf(event, from + at)) as readonly LogRecord[];

interface Question {
  readonly name: string;
  ask(snapshot: Snapshot, id: number): unknown;
}

const questions: readonly Question[] = [
  { name: "one product in a list", ask: (snapshot, id) => snapshot.product(id) },
  { name: "Markdown page", ask: (snapshot, id) => productPage(snapshot, "", id)?.markdown() },
  {
    name: "get_product",
    ask: (snapshot, id) => getProduct.answer({ snapshot, baseUrl: "" }, { product_id: id }),
  },
  {
    name: "search of words",
    ask: (snapshot) => snapshot.products({ first: 20, query: "red jacket m" }),
  },
  {
    name: "search by price and stock",
    ask: (snapshot) => snapshot.products({ first: 20, priceMax: "60", inStockOnly: true }),
  },
  {
    name: "search by two options, price and stock",
    ask: (snapshot) =>
      snapshot.products({
        first: 20,
        options: [
          { name: "color", value: "red" },
          { name: "size", value: "m" },
        ],
        priceMax: "60",
        inStockOnly: true,
      }),
  },
  { name: "facets of all products", ask: (snapshot) => snapshot.facets({}) },
];

/** Time for each question, in milliseconds. */
const questionMs = 3_000;

const measure = (store: Store, products: number, ask: Question["ask"]): number => {
  const reader = openReader(store);
  let [count, id] = [0, 1];
  const begin = performance.now();
  while (performance.now() - begin < questionMs || count < 3) {
    reader.snapshot((snapshot) => ask(snapshot, id));
    id = (id * 48_271) % products || 1;
    count += 1;
  }
  return (count * 1000) / (performance.now() - begin);
};

const batchContext = {
  identity: { name: "bench", created: "2026-01-01T00:00:00.000Z" },
  rendering: createHtmlRenderer(),
};

/** Measures the bytes of rows that events of one product of 2,048 variants write. */
const measureBytes = async (): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  const store = openStore(directory.path, { readOnly: false });
  let sequence = 0;
  const bytesOf = (event: CloudEvent): number => {
    sequence += 1;
    const record = recordOf(event, sequence) as LogRecord;
    return changedBytes(store, () => void applyBatch(store, [record], batchContext));
  };
  const all = { name: "its product event, bytes", figure: bytesOf(largeProduct(1, 0)) };
  bytesOf(stockAt(1, 77, 1));
  const comparisons = [
    toComparison(
      "2,048 variants: one in stock, first written",
      "bytes",
      bytesOf(stockAt(1, 78, 1)),
      all,
    ),
    toComparison("2,048 variants: one out of stock", "bytes", bytesOf(stockAt(1, 78, 2)), all),
    toComparison(
      "2,048 variants: another quantity of one",
      "bytes",
      bytesOf(stockAt(1, 77, 3, 9)),
      all,
    ),
  ];
  await store.close();
  directory.remove();
  return comparisons;
};

/** Measures one product of 2,048 variants: how long its events and its answers take, in milliseconds. */
const measureLarge = async (store: Store, products: number): Promise<readonly Comparison[]> => {
  let sequence = products * 12 + 1_000_000;
  const apply = (event: CloudEvent): number => {
    sequence += 1;
    const record = recordOf(event, sequence) as LogRecord;
    const begin = performance.now();
    applyBatch(store, [record], batchContext);
    return performance.now() - begin;
  };
  const repeat = (run: (at: number) => number): number =>
    median(Array.from({ length: 9 }, (_, at) => run(at)));
  const id = products + 1;
  const list = repeat((at) => apply(largeProduct(id, at)));
  const stock = repeat((at) => apply(stockAt(id, 78, at)));
  const plainStock = repeat((at) => apply(stockAt(1, undefined, at)));
  const reader = openReader(store);
  const ask = (question: (snapshot: Snapshot) => unknown): number =>
    repeat(() => {
      const begin = performance.now();
      reader.snapshot(question);
      return performance.now() - begin;
    });
  const limit = { name: "100 ms", figure: 100 };
  return [
    toComparison("2,048 variants: the product's event", "ms", list, limit),
    toComparison("2,048 variants: stock of one", "ms", stock, {
      name: "stock of a product without variants",
      figure: plainStock,
    }),
    toComparison(
      "2,048 variants: Markdown page",
      "ms",
      ask((snapshot) => productPage(snapshot, "", id)?.markdown()),
      limit,
    ),
    toComparison(
      "2,048 variants: get_product with 500",
      "ms",
      ask((snapshot) =>
        getProduct.answer({ snapshot, baseUrl: "" }, { product_id: id, variant_limit: 500 }),
      ),
      limit,
    ),
    toComparison(
      "2,048 variants: all of them from the reader",
      "ms",
      ask((snapshot) => {
        const { ids, at } = snapshot.product(id)?.variants ?? { ids: [], at: () => undefined };
        return ids.map((_, index) => at(index));
      }),
      limit,
    ),
  ];
};
