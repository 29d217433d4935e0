import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openTestServer } from "../helpers/test-server.ts";
import { type Shown, settings, situations } from "./goods/situations.ts";

const test = suite("Contract 9, situations");

interface MoneyAnswer {
  readonly amount: string;
}

interface ProductAnswer {
  readonly price: MoneyAnswer | null;
  readonly listPrice: MoneyAnswer | null;
  readonly priorPrice: MoneyAnswer | null;
  readonly discountPercent: number | null;
  readonly sale: { readonly endsAt: string | null } | null;
  readonly priceRange: { readonly min: MoneyAnswer; readonly max: MoneyAnswer } | null;
  readonly unitPrice: { readonly price: MoneyAnswer } | null;
  readonly availability: string;
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
      readonly availability: string;
    }[];
  };
}

const document = `{ product(id: "4711") { product {
  price { amount } listPrice { amount } priorPrice { amount } discountPercent sale { endsAt }
  priceRange { min { amount } max { amount } } unitPrice { price { amount } }
  availability stock { status quantity availabilityDate } featuredVariant { variantId }
  variants { nodes { variantId price { amount } listPrice { amount } availability } }
} } }`;

const amountOf = (money: MoneyAnswer | null): string | null => money?.amount ?? null;

/** Converts an answer to the members that a situation may state. */
const toShown = (answer: ProductAnswer, lastmod: string, expected: Shown): Shown => {
  const range = answer.priceRange;
  const all: Required<Shown> = {
    price: amountOf(answer.price),
    list: amountOf(answer.listPrice),
    prior: amountOf(answer.priorPrice),
    percent: answer.discountPercent,
    endsAt: answer.sale?.endsAt ?? null,
    range: range && [range.min.amount, range.max.amount],
    unit: answer.unitPrice?.price.amount ?? null,
    availability: answer.availability as "IN_STOCK",
    status: answer.stock.status,
    quantity: answer.stock.quantity,
    date: answer.stock.availabilityDate,
    lastmod,
    featured: answer.featuredVariant && Number(answer.featuredVariant.variantId),
    variants: toVariants(answer, expected),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => Object.hasOwn(expected, name)),
  ) as Shown;
};

const toVariants = ({ variants: { nodes } }: ProductAnswer, { variants }: Shown) =>
  Object.fromEntries(
    Object.entries(variants ?? {}).map(([id, members]) => {
      const found = nodes.find((node) => node.variantId === id);
      if (!found) return [id, null];
      const shown = {
        price: amountOf(found.price),
        list: amountOf(found.listPrice),
        availability: found.availability,
      };
      const wanted = Object.entries(shown).filter(([name]) =>
        Object.hasOwn(members ?? shown, name),
      );
      return [id, Object.fromEntries(wanted)];
    }),
  ) as NonNullable<Shown["variants"]>;

for (const { title, settings: own = {}, events, shown } of situations) {
  test(title, async () => {
    let now = 0;
    const server = await openTestServer({ now: () => now });
    try {
      server.apply(settings(own), ...events);
      for (const [instant, expected] of shown) {
        now = Date.parse(instant);
        const answer = await server.graphql<{ product: { product: ProductAnswer } }>(document);
        assert.is(answer.errors, undefined, JSON.stringify(answer.errors));
        const page = await server.get("/products/4711.md");
        const lastmod = new Date(page.headers.get("last-modified") ?? "").toISOString();
        const { product } = answer.data.product;
        assert.equal(toShown(product, lastmod, expected), expected, instant);
      }
    } finally {
      await server.close();
    }
  });
}

test.run();
