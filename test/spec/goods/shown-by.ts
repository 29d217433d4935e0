import * as assert from "uvu/assert";
import type { TestServer } from "../../helpers/test-server.ts";
import type { Agent } from "../../mcp/calls.ts";
import type { Shown, VariantShown } from "./situations.ts";

/** What each surface shows of product 4711, in the members of a situation. */

interface MoneyAnswer {
  readonly amount: string;
}

const amountOf = (money: MoneyAnswer | null | undefined): string | null => money?.amount ?? null;

/** Selects the members that a situation states. */
const select = <V extends object>(all: V, expected: object): Partial<V> =>
  Object.fromEntries(
    Object.entries(all).filter(([name]) => Object.hasOwn(expected, name)),
  ) as Partial<V>;

interface VariantRow {
  readonly id: string;
  readonly shown: Required<VariantShown>;
}

const selectVariants = (
  rows: readonly VariantRow[],
  { variants }: Shown,
): NonNullable<Shown["variants"]> =>
  Object.fromEntries(
    Object.entries(variants ?? {}).map(([id, members]) => {
      const row = rows.find((each) => each.id === id);
      return [id, row ? select(row.shown, members ?? row.shown) : null];
    }),
  );

interface GraphqlProduct {
  readonly price: MoneyAnswer | null;
  readonly listPrice: MoneyAnswer | null;
  readonly priorPrice: MoneyAnswer | null;
  readonly discountPercent: number | null;
  readonly sale: { readonly endsAt: string | null } | null;
  readonly priceRange: { readonly min: MoneyAnswer; readonly max: MoneyAnswer } | null;
  readonly unitPrice: { readonly price: MoneyAnswer } | null;
  readonly availability: "IN_STOCK" | "OUT_OF_STOCK";
  readonly stock: {
    readonly status: string;
    readonly quantity: number | null;
    readonly availabilityDate: string | null;
  };
  readonly featuredVariant: { readonly variantId: string } | null;
  readonly variants: {
    readonly nodes: readonly {
      readonly variantId: string;
      readonly price: MoneyAnswer | null;
      readonly listPrice: MoneyAnswer | null;
      readonly availability: "IN_STOCK" | "OUT_OF_STOCK";
    }[];
  };
}

const document = `{ product(id: "4711") { product {
  price { amount } listPrice { amount } priorPrice { amount } discountPercent sale { endsAt }
  priceRange { min { amount } max { amount } } unitPrice { price { amount } }
  availability stock { status quantity availabilityDate } featuredVariant { variantId }
  variants { nodes { variantId price { amount } listPrice { amount } availability } }
} } }`;

/** Reads the product by GraphQL; `lastmod` is that of its page. */
export const shownByGraphql = async (server: TestServer, expected: Shown): Promise<Shown> => {
  const answer = await server.graphql<{ product: { product: GraphqlProduct } }>(document);
  assert.is(answer.errors, undefined, JSON.stringify(answer.errors));
  const page = await server.get("/products/4711.md");
  const { product } = answer.data.product;
  const range = product.priceRange;
  const all: Required<Shown> = {
    price: amountOf(product.price),
    list: amountOf(product.listPrice),
    prior: amountOf(product.priorPrice),
    percent: product.discountPercent,
    endsAt: product.sale?.endsAt ?? null,
    range: range && [range.min.amount, range.max.amount],
    unit: amountOf(product.unitPrice?.price),
    availability: product.availability,
    status: product.stock.status,
    quantity: product.stock.quantity,
    date: product.stock.availabilityDate,
    lastmod: new Date(page.headers.get("last-modified") ?? "").toISOString(),
    featured: product.featuredVariant && Number(product.featuredVariant.variantId),
    variants: selectVariants(
      product.variants.nodes.map(({ variantId, price, listPrice, availability }) => ({
        id: variantId,
        shown: { price: amountOf(price), list: amountOf(listPrice), availability },
      })),
      expected,
    ),
  };
  return select(all, expected);
};

interface ToolProduct {
  readonly price: MoneyAnswer | null;
  readonly list_price?: MoneyAnswer;
  readonly prior_price?: MoneyAnswer;
  readonly discount_percent?: number;
  readonly sale?: { readonly ends_at?: string };
  readonly price_range?: { readonly min: MoneyAnswer; readonly max: MoneyAnswer };
  readonly unit_price?: { readonly price: MoneyAnswer };
  readonly availability: "IN_STOCK" | "OUT_OF_STOCK";
  readonly stock_status?: string;
  readonly quantity?: number;
  readonly availability_date?: string;
  readonly variants?: readonly {
    readonly id: string;
    readonly price: MoneyAnswer | null;
    readonly list_price?: MoneyAnswer;
    readonly availability: "IN_STOCK" | "OUT_OF_STOCK";
  }[];
}

/** Reads the product by `get_product`. A status that is left out is that of the availability. */
export const shownByTool = async (agent: Agent, expected: Shown): Promise<Shown> => {
  const { structuredContent } = await agent.call<{ product: ToolProduct }>("get_product", {
    product_id: 4711,
  });
  const { product } = structuredContent;
  const range = product.price_range;
  const { lastmod: _, featured: __, ...comparable } = expected;
  return select(
    {
      price: amountOf(product.price),
      list: amountOf(product.list_price),
      prior: amountOf(product.prior_price),
      percent: product.discount_percent ?? null,
      endsAt: product.sale?.ends_at ?? null,
      range: range ? ([range.min.amount, range.max.amount] as const) : null,
      unit: amountOf(product.unit_price?.price),
      availability: product.availability,
      status: (product.stock_status ?? product.availability).toUpperCase(),
      quantity: product.quantity ?? null,
      date: product.availability_date ?? null,
      variants: selectVariants(
        (product.variants ?? []).map(({ id, price, list_price, availability }) => ({
          id: id.split(".")[1] ?? "",
          shown: { price: amountOf(price), list: amountOf(list_price), availability },
        })),
        expected,
      ),
    },
    comparable,
  );
};

/** Fails unless the Markdown page shows the amounts of a situation, and none that is not shown. */
export const assertOnPage = async (server: TestServer, expected: Shown): Promise<void> => {
  const page = await (await server.get("/products/4711.md")).text();
  const amounts = [expected.price, expected.list, expected.prior, expected.unit];
  for (const amount of amounts)
    if (amount) assert.ok(page.includes(amount), `${amount} in ${page}`);
  if (expected.list === null && !expected.variants) assert.not.match(page, /was |list price/);
  if (expected.percent) assert.ok(page.includes(`−${expected.percent} %`), page);
  if (expected.price === null) assert.not.match(page, /EUR|%/);
  if (expected.quantity === null) assert.not.match(page, /\d left/);
  if (expected.quantity) assert.ok(page.includes(`${expected.quantity} left`), page);
  for (const [id, variant] of Object.entries(expected.variants ?? {})) {
    const row = page.split("\n").find((line) => line.includes(`4711.${id} |`));
    assert.is(row !== undefined, variant !== null, `4711.${id} in ${page}`);
    if (variant?.price) assert.ok(row?.includes(variant.price), `${variant.price} in ${row}`);
  }
};
