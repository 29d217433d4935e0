import { join } from "node:path";
import { toMessage } from "../../../src/events/envelope.ts";
import { query, type SentRequest } from "../exchanges.ts";
import { type Comparison, compare, interleave, type Report, toComparison } from "../figures.ts";
import { cpuSecondsOf } from "../http-load.ts";
import { projectMessages } from "../project-log.ts";
import { withServers } from "../server-process.ts";
import { generateShop } from "./shop.ts";

export interface WalkOptions {
  /** Products of the shop, at most 100,000. */
  readonly products: number;
  readonly rounds: number;
  readonly report: Report;
}

const names = {
  feed: "since=start, to the last page",
  graphql: "GraphQL, pages of 100 with the same members",
} as const;

/** Measures a client that reads all products from the feed beside one that pages through GraphQL. */
export const benchWalk = (options: WalkOptions): Promise<readonly Comparison[]> =>
  withServers(async (_, directory, serve) => {
    const products = Math.min(options.products, 100_000);
    options.report(`projecting ${products.toLocaleString("en")} products`);
    const dataDir = join(directory, "data");
    await projectShop(dataDir, products);
    const service = await serve(dataDir);
    const slowest = { [names.feed]: 0, [names.graphql]: 0 };
    const measure = (name: keyof typeof slowest, openPages: () => Pages) => async () => {
      const cpu = cpuSecondsOf(service.pid);
      const { count, slowestMs } = await readPages(service.url, openPages());
      if (count !== products) throw new Error(`${name}: ${count} of ${products} products`);
      options.report(`${name}: the slowest page took ${slowestMs.toFixed(1)} ms`);
      slowest[name] = slowestMs;
      return count / (cpuSecondsOf(service.pid) - cpu);
    };
    const measures = {
      [names.feed]: measure(names.feed, openFeed),
      [names.graphql]: measure(names.graphql, openGraphql),
    };
    const figures = await interleave(measures, options.rounds, options.report);
    return [
      compare(figures, "products/CPU-s", names.feed, names.graphql),
      toComparison("its slowest page, in the last round", "µs", slowest[names.feed] * 1_000, {
        ...{ name: "that of GraphQL", figure: slowest[names.graphql] * 1_000 },
      }),
    ];
  });

/** Keeps the events in no variable of its caller: the garbage collector of a large heap would delay the pages that are read. */
const projectShop = async (dataDir: string, products: number): Promise<void> => {
  const messages = generateShop(products).events.map((event) => toMessage(event));
  await projectMessages(dataDir, messages);
};

/** Pages that are read one after the other. */
interface Pages {
  /** @param next of the page before; null for the first page */
  request(next: string | null): Pick<SentRequest, "method" | "path"> & Partial<SentRequest>;
  /** Counts the products of a page. @returns no `next` for the last page */
  read(body: string): { readonly count: number; readonly next: string | undefined };
}

const openFeed = (): Pages => ({
  request: (next) => ({ method: "GET", path: next ?? "/agent/changes?since=start" }),
  read(body) {
    const { position, next, changes } = JSON.parse(body);
    const count = changes.filter(({ kind }: { kind: string }) => kind === "product").length;
    return { count, next: position === null ? next : undefined };
  },
});

let walks = 0;

/** Names each walk, so that no reply is one that the service keeps. */
const openGraphql = (): Pages => {
  walks += 1;
  const document = `query Walk${walks}($after: String) { products(first: 100, after: $after) {
    nodes { ${members} }
    pageInfo { hasNextPage endCursor } } } ${fragments}`;
  return {
    request: (after) => query(document, { after }),
    read(body) {
      const { nodes, pageInfo } = JSON.parse(body).data.products;
      return { count: nodes.length, next: pageInfo.hasNextPage ? pageInfo.endCursor : undefined };
    },
  };
};

/** What the feed's records of a product, its price and its stock have, but options: a page of 100 products may not ask for both. */
const members = `id name url description reference gtin brand images { url alt } attributes { name value }
  variants(first: 10) { nodes { id } } quantityRule { min max step }
  unitPrice { base { value unit } measure { value unit } } mpn condition minimumAge warnings { text code url imageUrl }
  rating { value best worst count } releaseDate delivery tags highlights
  manufacturer { ...company } responsiblePerson { ...company } energyLabel { class scale labelUrl sheetUrl eprelId }
  media { type url alt previewUrl } returns { accepted days exchanges fees countries }
  price { ...money } listPrice { ...money } listPriceKind priorPrice { ...money } discountPercent
  sale { ...sale } upcomingSales { ...sale } priceRange { min { ...money } max { ...money } }
  availability stock { status quantity availabilityDate }`;
const fragments =
  "fragment money on Money { amount currency } fragment sale on Sale { price { ...money } startsAt endsAt } fragment company on Company { name address email url }";

const readPages = async (url: string, { request, read }: Pages) => {
  let [count, slowestMs] = [0, 0];
  for (let next: string | null | undefined = null; next !== undefined; ) {
    const { method, path, headers = {}, body = null } = request(next);
    const begin = performance.now();
    const text = await (await fetch(url + path, { method, headers, body })).text();
    slowestMs = Math.max(slowestMs, performance.now() - begin);
    const page = read(text);
    count += page.count;
    next = page.next;
  }
  return { count, slowestMs };
};
