/** Two tabs of the truth: whatever the shop told, in whatever order, every surface says what its events amount to. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { eventOf, life, lifeOf } from "./agreement-events.ts";
import { type AppliedEvent, type Truth, truthOf } from "./agreement-model.ts";
import { settingsUpdated } from "./helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "./helpers/test-server.ts";
import { type Agent, agentOf } from "./mcp/calls.ts";
import { parse, textOf } from "./surfaces/markdown/structure.ts";
import { amount, isLong, seed } from "./torture/effort.ts";

const test = suite("agreement of the surfaces");

type Lives = ReadonlyMap<number, readonly AppliedEvent[]>;

const livesOf = (seed: number, numRuns: number): Lives =>
  new Map(fc.sample(life, { seed, numRuns }).map((told, at) => [at + 1, lifeOf(at + 1, told)]));

/** The lives beside each other: the first event of each product, then the second of each. */
const logOf = (lives: Lives) => {
  const longest = Math.max(...[...lives.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    [...lives].flatMap(([id, told]) => (told[turn] ? [eventOf(id, told[turn])] : [])),
  );
};

/** Facts as a surface tells them, brought to one form. */
type Seen = Readonly<Record<string, unknown>>;

interface Money {
  readonly amount: string;
  readonly currency: string;
}

const inWords = (price: Money | null) => price && `${price.amount} ${price.currency}`;

interface Node {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly price: Money | null;
  readonly availability: string;
  readonly updatedAt: string;
}

const facts = "id name url price { amount currency } availability updatedAt";
const factsOf = ({ id: _, price, ...rest }: Node): Seen => ({ ...rest, price: inWords(price) });

/** `product` of each id, as many in a document as it may have. */
const byId = async ({ graphql }: TestServer, ids: readonly number[]) => {
  const seen = new Map<number, Seen | string>();
  for (let at = 0; at < ids.length; at += 20) {
    const some = ids.slice(at, at + 20);
    const fields = some.map((id) => `p${id}: product(id: ${id}) { ...Whole }`).join("\n");
    const fullProduct = `product { ${facts} } userErrors { code }`;
    type Payload = { product: Node | null; userErrors: { code: string }[] };
    const { data } = await graphql<Record<string, Payload>>(
      `{ ${fields} } fragment Whole on ProductPayload { ${fullProduct} }`,
    );
    for (const id of some) {
      const { product, userErrors } = data[`p${id}`] as Payload;
      seen.set(id, product ? factsOf(product) : userErrors.map(({ code }) => code).join());
    }
  }
  return seen;
};

/** @param more arguments, such as `, orderBy: PRICE_ASC` */
const byListing = async ({ graphql }: TestServer, more = "") => {
  const seen = new Map<number, Seen>();
  for (let after: string | null = null; ; ) {
    type Page = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    const answer: { readonly data: { readonly products: Page } } = await graphql(
      `query ($after: String) {
        products(first: 100, after: $after${more}) { nodes { ${facts} } pageInfo { hasNextPage endCursor } }
      }`,
      { after },
    );
    const { nodes, pageInfo } = answer.data.products;
    for (const node of nodes) seen.set(Number(node.id), factsOf(node));
    if (!pageInfo.hasNextPage) return seen;
    after = pageInfo.endCursor;
  }
};

const byAvailability = async (agent: Agent, ids: readonly number[]) => {
  const seen = new Map<number, Seen | string>();
  for (let at = 0; at < ids.length; at += 50) {
    const { structuredContent } = await agent.call<{
      products: { id: number; availability: string; price: Money | null; url: string }[];
      not_found: number[];
    }>("check_availability", { product_ids: ids.slice(at, at + 50) });
    for (const { id, availability, price, url } of structuredContent.products) {
      seen.set(id, { availability, price: inWords(price), url });
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
  const seen = { name, url, price: inWords(price), availability, updatedAt: updated_at };
  return { seen, address: markdown_url };
};

/** Addresses in one spelling: each surface encodes as its format wants. */
const plain = (url: string) => decodeURIComponent(new URL(url).href);

/** Each address of the sitemap, and its `lastmod`. */
const bySitemap = async ({ get }: TestServer) => {
  const xml = await (await get("/agent-sitemap.xml")).text();
  const entries = xml.matchAll(/<url><loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod><\/url>/g);
  return new Map(
    [...entries].map(([, loc = "", lastmod = ""]) => [
      plain(loc.replaceAll("&amp;", "&")),
      lastmod,
    ]),
  );
};

/** The page as a reader of Markdown takes it apart, by the address a tool gave. */
const byPage = async ({ get }: TestServer, address: string): Promise<Seen | number> => {
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
    url: plain(fact("Page")),
    lastModified: response.headers.get("last-modified"),
  };
};

/** Where the Markdown of a page of the shop is. */
const markdownOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return `${baseUrl}${pathname}.md${search}`;
};

/** Wherever the product ever was. */
const addressesOf = (told: readonly AppliedEvent[]): readonly string[] => [
  ...new Set(
    told.flatMap((event) =>
      "core" in event && event.core.url !== undefined ? [markdownOf(event.core.url)] : [],
    ),
  ),
];

/** What all of them must say of a product that amounts to this. */
const expected = (truth: Truth | undefined): Seen => {
  if (!truth) {
    const absent = { byId: "NOT_FOUND", tool: "NOT_FOUND", availability: "not found", page: 404 };
    const unlisted = { listing: undefined, isInRange: false };
    return { ...absent, ...unlisted, address: undefined, lastmod: undefined };
  }
  const { lastmod, isCompared, ...rest } = truth;
  const { price, availability, url } = truth;
  const lastModified = new Date(lastmod).toUTCString();
  return {
    byId: { ...rest },
    listing: { ...rest },
    isInRange: isCompared,
    tool: { ...rest },
    availability: { price, availability, url },
    address: markdownOf(url),
    page: { ...rest, url: plain(url), lastModified },
    lastmod,
  };
};

const mustAgree = async (
  service: TestServer,
  lives: Lives,
  truth: (told: readonly AppliedEvent[]) => Truth | undefined,
  seed: number,
): Promise<void> => {
  const agent = await agentOf(service);
  const ids = [...lives.keys()];
  const sitemap = await bySitemap(service);
  const [one, all] = [await byId(service, ids), await byListing(service)];
  const ranged = await byListing(service, ', priceMin: "0"');
  const available = await byAvailability(agent, ids);
  let visible = 0;
  for (const [id, told] of lives) {
    const wanted = truth(told);
    const { seen: tool, address } = await byTool(agent, id);
    const at = address ?? addressesOf(told)[0] ?? `${baseUrl}/products/${id}.md`;
    for (const left of addressesOf(told).filter((left) => left !== at)) {
      assert.is(await byPage(service, left), 404, `product ${id} of seed ${seed} was at ${left}`);
    }
    const seen = {
      byId: one.get(id),
      listing: all.get(id),
      isInRange: ranged.has(id),
      tool,
      availability: available.get(id),
      address,
      page: await byPage(service, at),
      lastmod: sitemap.get(plain(at)),
    };
    assert.equal(seen, expected(wanted), `product ${id} of seed ${seed}: ${JSON.stringify(told)}`);
    if (wanted) visible += 1;
  }
  assert.is(sitemap.size, visible, "nothing else is in the sitemap");
  assert.is(all.size, visible, "nor in the list");
  const ascending = await byListing(service, ", orderBy: PRICE_ASC");
  if (ranged.size > 0) assert.equal([...ascending.keys()], byPrice(lives, truth));
};

/** Ids in the order of their prices; products whose price is not compared come last. */
const byPrice = (
  lives: Lives,
  truth: (told: readonly AppliedEvent[]) => Truth | undefined,
): readonly number[] =>
  [...lives]
    .flatMap(([id, told]) => {
      const fullProduct = truth(told);
      if (!fullProduct) return [];
      const price = fullProduct.isCompared
        ? Number(fullProduct.price?.split(" ")[0])
        : Number.MAX_VALUE;
      return [{ id, price }];
    })
    .sort((a, b) => a.price - b.price || a.id - b.id)
    .map(({ id }) => id);

const currency = "EUR";

const check = async (seed: number, count: number, pricesVisible = true): Promise<void> => {
  const lives = livesOf(seed, count);
  const service = await openTestServer();
  try {
    service.apply(settingsUpdated({ pricesVisible, currency }));
    for (const events of logOf(lives)) service.apply(...events);
    const truth = (told: readonly AppliedEvent[]) => {
      const fullProduct = truthOf(told, currency);
      return (
        fullProduct &&
        (pricesVisible ? fullProduct : { ...fullProduct, price: null, isCompared: false })
      );
    };
    await mustAgree(service, lives, truth, seed);
  } finally {
    await service.close();
  }
};

test("§1 all surfaces show 1,000 random products as their events describe them", () =>
  isLong ? check(seed, amount(1_000)) : check(1, 1_000));

test("§1 all surfaces show 200 other random products as their events describe them", () =>
  check(2, 200));

test("contract §3 no surface shows a price of 100 products of a shop that hides its prices", () =>
  check(3, 100, false));

test.run();
