import type { CloudEvent } from "../../src/events/envelope.ts";
import type { VariantData } from "../../src/events/product-facts.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";

/** Events of a shop whose products have variants; the same numbers give the same events. */

const colors = ["Red", "Blue", "Green", "Black", "White"];
const sizes = ["S", "M"];
const nouns = ["Jacket", "Shirt", "Trousers", "Coat", "Skirt", "Dress", "Hat", "Scarf"];
const adjectives = ["Light", "Warm", "Soft", "Long", "Short", "Plain", "Striped", "Woollen"];

const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? "";

const euros = (units: number) => ({ amount: `${units}.00`, currency: "EUR" });

/** Whether a product is on sale. */
type IsOnSale = (id: number) => boolean;

const isTenth: IsOnSale = (id) => id % 10 === 0;

/** Builds a sale that is in force when the bench runs. */
const saleOf = (price: number) => ({
  price: euros(Math.max(1, price - 10)),
  from: "2026-01-01T00:00:00Z",
  to: "2099-01-01T00:00:00Z",
});

/** Builds products and their stock. @param variants 0 for products without variants, 10 at most */
export const buildShop = (
  from: number,
  count: number,
  variants: number,
  isOnSale = isTenth,
): readonly CloudEvent[] => [
  ...(from === 1 ? [settingsUpdated({ currency: "EUR" })] : []),
  ...Array.from({ length: count }, (_, at) => from + at).flatMap((id) => {
    const stock =
      variants === 0
        ? [stockChanged({ productId: id, quantity: id % 3 })]
        : Array.from({ length: variants }, (_, at) =>
            stockChanged({ productId: id, variantId: at + 1, quantity: (id + at) % 3 }),
          );
    return [buildProduct(id, variants, isOnSale(id)), ...stock];
  }),
];

const buildProduct = (id: number, variants: number, isOnSale: boolean): CloudEvent => {
  const price = 20 + (id % 100);
  const name = `${pick(adjectives, id >> 3)} ${pick(nouns, id)} ${id}`;
  return productUpserted({
    ...{ id, name, price: euros(price) },
    ...(isOnSale && { sales: [saleOf(price)] }),
    ...(variants > 0 && {
      options: [
        { name: "Color", code: "color", values: colors },
        { name: "Size", code: "size", values: sizes },
      ],
      variants: Array.from(
        { length: variants },
        (_, at): VariantData => ({
          id: at + 1,
          sku: `SKU-${id}-${at}`,
          options: [
            { name: "Color", value: pick(colors, at >> 1) },
            { name: "Size", value: pick(sizes, at) },
          ],
          ...(at === 3 && { price: euros(price + 5) }),
        }),
      ),
    }),
  });
};

const largeColors = Array.from({ length: 64 }, (_, at) => `Color ${at}`);
const largeSizes = Array.from({ length: 32 }, (_, at) => `Size ${at}`);

/** Builds a product of 2,048 variants, each with codes, a price and a sale of its own. @param turn changes every price */
export const largeProduct = (id: number, turn: number): CloudEvent => {
  const variants = largeColors.flatMap((color, row) =>
    largeSizes.map(
      (size, column): VariantData => ({
        id: row * 32 + column + 1,
        sku: `LARGE-${row}-${column}`,
        gtin: `40063813${String(row * 32 + column).padStart(5, "0")}`,
        options: [
          { name: "Color", value: color },
          { name: "Size", value: size },
        ],
        price: euros(50 + ((row * column + turn) % 40)),
        sales: [{ price: euros(45), from: "2026-01-01T00:00:00Z", to: "2099-01-01T00:00:00Z" }],
      }),
    ),
  );
  const options = [
    { name: "Color", values: largeColors },
    { name: "Size", values: largeSizes },
  ];
  return productUpserted({ id, name: "Large", price: euros(60), options, variants }, timeAt(turn));
};

/** Builds a stock event that alternates between none and one piece, where no quantity is given. */
export const stockAt = (
  productId: number,
  variantId: number | undefined,
  turn: number,
  quantity = turn % 2,
): CloudEvent =>
  stockChanged(
    { productId, quantity, ...(variantId !== undefined && { variantId }) },
    timeAt(turn),
  );

const timeAt = (turn: number) => ({ time: `2026-10-02T00:00:${String(turn).padStart(2, "0")}Z` });
