import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { newestUcp, type UcpVersion, ucpVersions } from "../../src/surfaces/ucp/version.ts";
import { property } from "../helpers/effort.ts";
import {
  priceChanged,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
  variantDeleted,
  variantUpserted,
} from "../helpers/events.ts";
import type { TestServer } from "../helpers/test-server.ts";
import { openTestServer } from "../helpers/test-server.ts";
import {
  edge,
  money,
  priceMembers,
  variantBody,
  variantId,
  variantList,
  withoutUndefined,
} from "../helpers/variant-histories.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";
import { askUcp } from "./contract-12-ucp.ts";
import { evaluatePlainly, type PlainShown } from "./goods/plain-evaluation.ts";

const test = suite("Contract 9, properties");

type Build = (time: string) => CloudEvent;

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const change: fc.Arbitrary<Build> = fc.oneof(
  fc.tuple(fc.oneof(fc.constant({}), priceMembers), maybe(variantList)).map(
    ([prices, variants]): Build =>
      (time) =>
        productUpserted(
          {
            id: 1,
            name: "Shoe",
            ...withoutUndefined({ variants }),
            ...prices,
            ...noDefault(prices),
          },
          { time },
        ),
  ),
  fc.tuple(priceMembers, maybe(nullable(variantList))).map(
    ([prices, variants]): Build =>
      (time) =>
        productPatched({ id: 1, ...prices, ...withoutUndefined({ variants }) }, { time }),
  ),
  fc.tuple(variantId, variantBody).map(
    ([id, body]): Build =>
      (time) =>
        variantUpserted({ productId: 1, id, ...body }, { time }),
  ),
  variantId.map(
    (id): Build =>
      (time) =>
        variantDeleted(1, id, { time }),
  ),
  fc.tuple(nullable(money), priceMembers, maybe(variantId)).map(
    ([price, prices, id]): Build =>
      (time) =>
        priceChanged(
          { ...prices, price, productId: 1, ...withoutUndefined({ variantId: id }) },
          { time },
        ),
  ),
  fc.tuple(fc.integer({ min: 0, max: 1 }), maybe(variantId)).map(
    ([quantity, id]): Build =>
      (time) =>
        stockChanged({ quantity, productId: 1, ...withoutUndefined({ variantId: id }) }, { time }),
  ),
);

/** The builder of products states a price unless the event has one. */
const noDefault = (prices: object) => ("price" in prices ? {} : { price: undefined as never });

/**
 * Events in any sequence of the log; the product is stated first, so that patches have one.
 * @param minutes the times of events are that many: with few, several have one time
 */
const eventsOf = (minutes: number): fc.Arbitrary<readonly CloudEvent[]> =>
  fc.array(change, { minLength: 1, maxLength: 12 }).chain((builds) => {
    const stated = builds.map((build, at) =>
      withoutUndefinedData(build(new Date(Date.UTC(2026, 9, 1, 8, at % minutes)).toISOString())),
    );
    const first = productUpserted(
      { id: 1, name: "Shoe", price: { amount: "2.00", currency: "EUR" } },
      { time: "2026-10-01T07:00:00Z" },
    );
    return fc
      .shuffledSubarray(stated, { minLength: stated.length })
      .map((shuffled) => [first, ...shuffled]);
  });

const withoutUndefinedData = (event: CloudEvent): CloudEvent => ({
  ...event,
  data: withoutUndefined(event.data as object),
});

/** An instant at an edge, just before it, or between edges. */
const instant = fc
  .tuple(edge, fc.constantFrom(-1, 0, 1, 1_800_000))
  .map(([time, offset]) => Date.parse(time) + offset);

const document = `{ product(id: 1) { product { price { amount } listPrice { amount } availability
  priceRange { min { amount } max { amount } }
  variants(first: 100) { nodes { variantId price { amount } listPrice { amount } availability } } } } }`;

interface Amount {
  readonly amount: string;
}

const byGraphql = async (server: TestServer): Promise<PlainShown> => {
  const { data } = await server.graphql<{
    product: {
      product: {
        price: Amount | null;
        listPrice: Amount | null;
        availability: string;
        priceRange: { min: Amount; max: Amount } | null;
        variants: {
          nodes: readonly {
            variantId: string;
            price: Amount | null;
            listPrice: Amount | null;
            availability: string;
          }[];
        };
      };
    };
  }>(document);
  const { price, listPrice, priceRange, availability, variants } = data.product.product;
  return {
    price: price?.amount ?? null,
    list: listPrice?.amount ?? null,
    range: priceRange && [priceRange.min.amount, priceRange.max.amount],
    inStock: availability === "IN_STOCK",
    variants: variants.nodes.map((each) => [
      Number(each.variantId),
      each.price?.amount ?? null,
      each.listPrice?.amount ?? null,
      each.availability === "IN_STOCK",
    ]),
  };
};

const byTool = async (agent: Agent): Promise<PlainShown> => {
  const { structuredContent } = await agent.call<{
    product: {
      price: Amount | null;
      list_price?: Amount;
      availability: string;
      price_range?: { min: Amount; max: Amount };
      variants?: readonly {
        id: string;
        price: Amount | null;
        list_price?: Amount;
        availability: string;
      }[];
    };
  }>("get_product", { product_id: 1 });
  const { price, list_price, price_range, availability, variants = [] } = structuredContent.product;
  return {
    price: price?.amount ?? null,
    list: list_price?.amount ?? null,
    range: price_range ? [price_range.min.amount, price_range.max.amount] : null,
    inStock: availability === "IN_STOCK",
    variants: variants.map((each) => [
      Number(each.id.split(".")[1]),
      each.price?.amount ?? null,
      each.list_price?.amount ?? null,
      each.availability === "IN_STOCK",
    ]),
  };
};

/** What UCP tells: lines with a price, in minor units. */
interface UcpShown {
  readonly range: readonly [number, number];
  readonly lines: readonly (readonly [
    id: string,
    price: number,
    list: number | null,
    inStock: boolean,
  ])[];
}

const byUcp = async (server: TestServer, version: UcpVersion): Promise<UcpShown | undefined> => {
  const ids = ["1", ...[1, 2, 3, 4].map((variant) => `1.${variant}`)];
  const { products } = await askUcp(server, "lookup", { ids }, version);
  const [product] = products as unknown as [
    {
      readonly price_range: { readonly min: { amount: number }; readonly max: { amount: number } };
      readonly variants: readonly {
        readonly id: string;
        readonly price: { readonly amount: number };
        readonly list_price?: { readonly amount: number };
        readonly availability: { readonly available: boolean };
      }[];
    }?,
  ];
  if (!product) return undefined;
  const { min, max } = product.price_range;
  const lines = product.variants.map(
    ({ id, price, list_price, availability }): UcpShown["lines"][number] => [
      ...([id, price.amount, list_price?.amount ?? null] as const),
      availability.available,
    ],
  );
  return { range: [min.amount, max.amount], lines: lines.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
};

/** The featured variant comes first in an answer, so that the lines are compared by their ids. */
const toUcp = ({ price, list, range, inStock, variants }: PlainShown): UcpShown | undefined => {
  const toCents = (amount: string): number => Number(amount.replace(".", ""));
  const own = variants.length === 0 ? [[undefined, price, list, inStock] as const] : variants;
  const lines = own.flatMap(([id, each, struck, orderable]): UcpShown["lines"] =>
    each === null
      ? []
      : ([
          [id === undefined ? "1" : `1.${id}`, toCents(each), struck && toCents(struck), orderable],
        ] as never),
  );
  if (lines.length === 0) return undefined;
  const [min, max] = range ?? [price ?? "", price ?? ""];
  return {
    range: [toCents(min), toCents(max)],
    lines: lines.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
};

/** A clock only goes forward: a reply is kept until the next edge. */
for (const [title, events] of [
  ["in any sequence of the log", eventsOf(12)],
  ["with events of one time", eventsOf(2)],
] as const)
  test(`Contract 9: ${title}, surfaces agree with a plain evaluation at instants around edges`, async () => {
    const runs = property(50);
    let instants = 0;
    await fc.assert(
      fc.asyncProperty(
        events,
        fc.array(instant, { minLength: 20, maxLength: 20 }),
        async (log, times) => {
          let now = 0;
          const server = await openTestServer({ now: () => now });
          try {
            server.apply(settingsUpdated({ currency: "EUR" }, { time: "2026-01-01T00:00:00Z" }));
            for (const event of log) server.apply(event);
            const agent = await agentOf(server);
            for (const time of times.toSorted((a, b) => a - b)) {
              now = time;
              instants += 1;
              const expected = evaluatePlainly(log, time, "EUR");
              assert.equal(await byGraphql(server), expected, new Date(time).toISOString());
              assert.equal(await byTool(agent), expected, new Date(time).toISOString());
              const version = ucpVersions[instants % 2] ?? newestUcp;
              const answered = await byUcp(server, version);
              assert.equal(answered, toUcp(expected), new Date(time).toISOString());
            }
          } finally {
            await server.close();
          }
        },
      ),
      runs,
    );
    assert.ok(instants >= 20 * runs.numRuns, `${instants} instants`);
  });

test.run();
