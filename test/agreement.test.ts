/**
 * Random histories of products, in any log order: every surface shows each product as the reference implementation
 * computes it.
 */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productHistory, toCloudEvent, withProductId } from "./agreement-events.ts";
import { type AppliedEvent, type ExpectedProduct, expectedProduct } from "./agreement-model.ts";
import { amount, isLong, seed } from "./helpers/effort.ts";
import { settingsUpdated } from "./helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "./helpers/test-server.ts";
import { type Agent, agentOf } from "./mcp/calls.ts";
import { parse, textOf } from "./surfaces/markdown/structure.ts";

const test = suite("agreement of the surfaces");

type Histories = ReadonlyMap<number, readonly AppliedEvent[]>;

const generateHistories = (seed: number, numRuns: number): Histories =>
  new Map(
    fc
      .sample(productHistory, { seed, numRuns })
      .map((events, at) => [at + 1, withProductId(at + 1, events)]),
  );

/** Interleaves the histories: the first event of each product, then the second of each. */
const interleave = (histories: Histories) => {
  const longest = Math.max(...[...histories.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    [...histories].flatMap(([id, events]) =>
      events[turn] ? [toCloudEvent(id, events[turn])] : [],
    ),
  );
};

/** The fields that a surface shows of a product, in a common form. */
type Facts = Readonly<Record<string, unknown>>;

interface Money {
  readonly amount: string;
  readonly currency: string;
}

const formatPrice = (price: Money | null) => price && `${price.amount} ${price.currency}`;

interface Node {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly price: Money | null;
  readonly availability: string;
  readonly updatedAt: string;
}

const facts = "id name url price { amount currency } availability updatedAt";
const toFacts = ({ id: _, price, ...rest }: Node): Facts => ({
  ...rest,
  price: formatPrice(price),
});

/** Queries `product` for each id, in documents with the maximum number of fields. */
const byId = async ({ graphql }: TestServer, ids: readonly number[]) => {
  const seen = new Map<number, Facts | string>();
  for (let at = 0; at < ids.length; at += 20) {
    const some = ids.slice(at, at + 20);
    const fields = some.map((id) => `p${id}: product(id: ${id}) { ...Whole }`).join("\n");
    const product = `product { ${facts} } userErrors { code }`;
    type Payload = { product: Node | null; userErrors: { code: string }[] };
    const { data } = await graphql<Record<string, Payload>>(
      `{ ${fields} } fragment Whole on ProductPayload { ${product} }`,
    );
    for (const id of some) {
      const { product, userErrors } = data[`p${id}`] as Payload;
      seen.set(id, product ? toFacts(product) : userErrors.map(({ code }) => code).join());
    }
  }
  return seen;
};

/** Reads the complete list. @param more arguments, such as `, orderBy: PRICE_ASC` */
const byListing = async ({ graphql }: TestServer, more = "") => {
  const seen = new Map<number, Facts>();
  for (let after: string | null = null; ; ) {
    type Page = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    const answer: { readonly data: { readonly products: Page } } = await graphql(
      `query ($after: String) {
        products(first: 100, after: $after${more}) { nodes { ${facts} } pageInfo { hasNextPage endCursor } }
      }`,
      { after },
    );
    const { nodes, pageInfo } = answer.data.products;
    for (const node of nodes) seen.set(Number(node.id), toFacts(node));
    if (!pageInfo.hasNextPage) return seen;
    after = pageInfo.endCursor;
  }
};

const byAvailability = async (agent: Agent, ids: readonly number[]) => {
  const seen = new Map<number, Facts | string>();
  for (let at = 0; at < ids.length; at += 50) {
    const { structuredContent } = await agent.call<{
      products: { id: number; availability: string; price: Money | null; url: string }[];
      not_found: number[];
    }>("check_availability", { product_ids: ids.slice(at, at + 50) });
    for (const { id, availability, price, url } of structuredContent.products) {
      seen.set(id, { availability, price: formatPrice(price), url });
    }
    for (const id of structuredContent.not_found) seen.set(id, "not found");
  }
  return seen;
};

const byTool = async (agent: Agent, id: number) => {
  const { isError, structuredContent } = await agent.call<{
    code?: string;
    product: Omit<Node, "updatedAt"> & { updated_at: string; markdown_url: string };
  }>("get_product", { product_id: id });
  if (isError) return { seen: structuredContent.code };
  const { name, url, price, availability, updated_at, markdown_url } = structuredContent.product;
  const seen = { name, url, price: formatPrice(price), availability, updatedAt: updated_at };
  return { seen, address: markdown_url };
};

/** Decodes an address, because each surface encodes it by the rules of its format. */
const decodeUrl = (url: string) => decodeURIComponent(new URL(url).href);

/** Reads the sitemap: `lastmod` by address. */
const bySitemap = async ({ get }: TestServer) => {
  const xml = await (await get("/agent-sitemap.xml")).text();
  const entries = xml.matchAll(/<url><loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod><\/url>/g);
  return new Map(
    [...entries].map(([, loc = "", lastmod = ""]) => [
      decodeUrl(loc.replaceAll("&amp;", "&")),
      lastmod,
    ]),
  );
};

/** Reads the Markdown page at an address that a tool returned. */
const byPage = async ({ get }: TestServer, address: string): Promise<Facts | number> => {
  const response = await get(address.slice(baseUrl.length));
  const markdown = await response.text();
  if (response.status !== 200) return response.status;
  const [heading, list] = parse(markdown).children;
  const items = list?.type === "list" ? list.children.map(textOf) : [];
  const fact = (name: string) =>
    items.find((item) => item.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
  return {
    name: heading && textOf(heading),
    price: fact("Price") === "not shown" ? null : fact("Price"),
    availability: fact("Availability"),
    updatedAt: fact("Updated"),
    url: decodeUrl(fact("Page")),
    lastModified: response.headers.get("last-modified"),
  };
};

/** Computes the address of the Markdown page of a page of the shop. */
const markdownUrl = (url: string) => {
  const { pathname, search } = new URL(url);
  return `${baseUrl}${pathname}.md${search}`;
};

/** Lists the Markdown addresses of all product addresses in the events. */
const allMarkdownUrls = (events: readonly AppliedEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap((event) =>
      "core" in event && event.core.url !== undefined ? [markdownUrl(event.core.url)] : [],
    ),
  ),
];

/** Computes what every surface must show of a product. */
const expectedFacts = (product: ExpectedProduct | undefined): Facts => {
  if (!product) {
    const absent = { byId: "NOT_FOUND", tool: "NOT_FOUND", availability: "not found", page: 404 };
    const unlisted = { listing: undefined, isInRange: false };
    return { ...absent, ...unlisted, address: undefined, lastmod: undefined };
  }
  const { lastmod, isCompared, ...rest } = product;
  const { price, availability, url } = product;
  const lastModified = new Date(lastmod).toUTCString();
  return {
    byId: { ...rest },
    listing: { ...rest },
    isInRange: isCompared,
    tool: { ...rest },
    availability: { price, availability, url },
    address: markdownUrl(url),
    page: { ...rest, url: decodeUrl(url), lastModified },
    lastmod,
  };
};

const assertAgreement = async (
  server: TestServer,
  histories: Histories,
  compute: (events: readonly AppliedEvent[]) => ExpectedProduct | undefined,
  seed: number,
): Promise<void> => {
  const agent = await agentOf(server);
  const ids = [...histories.keys()];
  const sitemap = await bySitemap(server);
  const [one, all] = [await byId(server, ids), await byListing(server)];
  const ranged = await byListing(server, ', priceMin: "0"');
  const available = await byAvailability(agent, ids);
  let visible = 0;
  for (const [id, events] of histories) {
    const expected = compute(events);
    const { seen: tool, address } = await byTool(agent, id);
    const at = address ?? allMarkdownUrls(events)[0] ?? `${baseUrl}/products/${id}.md`;
    for (const oldAddress of allMarkdownUrls(events).filter((oldAddress) => oldAddress !== at)) {
      assert.is(
        await byPage(server, oldAddress),
        404,
        `product ${id} of seed ${seed} was at ${oldAddress}`,
      );
    }
    const seen = {
      byId: one.get(id),
      listing: all.get(id),
      isInRange: ranged.has(id),
      tool,
      availability: available.get(id),
      address,
      page: await byPage(server, at),
      lastmod: sitemap.get(decodeUrl(at)),
    };
    assert.equal(
      seen,
      expectedFacts(expected),
      `product ${id} of seed ${seed}: ${JSON.stringify(events)}`,
    );
    if (expected) visible += 1;
  }
  assert.is(sitemap.size, visible, "the sitemap has no other product");
  assert.is(all.size, visible, "the list has no other product");
  const ascending = await byListing(server, ", orderBy: PRICE_ASC");
  if (ranged.size > 0) assert.equal([...ascending.keys()], byPrice(histories, compute));
};

/** Sorts ids by price. Products whose price is not compared come last. */
const byPrice = (
  histories: Histories,
  compute: (events: readonly AppliedEvent[]) => ExpectedProduct | undefined,
): readonly number[] =>
  [...histories]
    .flatMap(([id, events]) => {
      const product = compute(events);
      if (!product) return [];
      const price = product.isCompared ? Number(product.price?.split(" ")[0]) : Number.MAX_VALUE;
      return [{ id, price }];
    })
    .sort((a, b) => a.price - b.price || a.id - b.id)
    .map(({ id }) => id);

const currency = "EUR";

const check = async (seed: number, count: number, pricesVisible = true): Promise<void> => {
  const histories = generateHistories(seed, count);
  const server = await openTestServer();
  try {
    server.apply(settingsUpdated({ pricesVisible, currency }));
    for (const events of interleave(histories)) server.apply(...events);
    const compute = (events: readonly AppliedEvent[]) => {
      const product = expectedProduct(events, currency);
      return product && (pricesVisible ? product : { ...product, price: null, isCompared: false });
    };
    await assertAgreement(server, histories, compute, seed);
  } finally {
    await server.close();
  }
};

test("§1 all surfaces show 1,000 random products as their events describe them", () =>
  isLong ? check(seed, amount(1_000)) : check(1, 1_000));

test("§1 all surfaces show 200 other random products as their events describe them", () =>
  check(2, 200));

test("contract §3 no surface shows a price of 100 products of a shop that hides its prices", () =>
  check(3, 100, false));

test.run();
