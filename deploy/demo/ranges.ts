import type {
  Money,
  OptionData,
  UnitPricing,
  VariantData,
} from "../../src/events/product-facts.ts";

/** A product of the source that the demo shop sells in several variants. */
export interface Range {
  /** Number of the product. */
  readonly product: number;
  /** There is a variant for each combination of their values. */
  readonly options: readonly OptionData[];
  /** What variants with an option value have of their own. */
  readonly own?: Readonly<Record<string, Pick<VariantData, "price" | "unitPricing">>>;
  /** Whether events of their own state the variants, not a list of the product. */
  readonly isAlone?: true;
  /** Variants that open with nothing in stock, counted from 1. */
  readonly soldOut?: readonly number[];
}

const size = (...values: readonly string[]): OptionData => ({ name: "Size", code: "size", values });

/** @param colors names with their swatches */
const color = (colors: Readonly<Record<string, string>>): OptionData => ({
  name: "Color",
  code: "color",
  values: Object.entries(colors).map(([value, swatch]) => ({ value, swatch: { color: swatch } })),
});

export const usd = (amount: string): Money => ({ amount, currency: "USD" });

const costs = (amount: string) => ({ price: usd(amount) });

const perBase = (value: string, unit: string, base: UnitPricing["base"]) => ({
  unitPricing: { measure: { value, unit }, base },
});
const hundredMl = { value: "100", unit: "ml" };
const kilogram = { value: "1", unit: "kg" };

const letters = ["S", "M", "L", "XL"];
const shoes = size("7", "8", "9", "10", "11");

/** Goods that neither the trade nor the edits pick, so that `seasons.ts` alone has their history. */
export const ranges: readonly Range[] = [
  {
    product: 1244,
    options: [color({ Blue: "#1f5fbf", Black: "#1a1a1a" }), size(...letters)],
    soldOut: [1, 8],
  },
  {
    product: 1300,
    options: [color({ Brown: "#5b3a24", Black: "#1a1a1a" }), size(...letters)],
    soldOut: [5],
  },
  { product: 1321, options: [color({ Grey: "#8c8c8c", Cream: "#f3ead2", Navy: "#1b2a4a" })] },
  { product: 1376, options: [size("XS", "S", "M", "L")], soldOut: [1] },
  { product: 1382, options: [size(...letters, "XXL")], own: { XXL: costs("44.99") } },
  { product: 1388, options: [size(...letters)] },
  { product: 1396, options: [size(...letters)], soldOut: [4] },
  { product: 1400, options: [size(...letters, "XXL")], own: { XXL: costs("27.99") } },
  {
    product: 1452,
    options: [size("S/M", "L/XL"), { name: "Pack", values: ["1 pair", "3 pairs"] }],
    own: { "3 pairs": costs("52.99") },
  },
  {
    product: 1459,
    options: [{ name: "Volume", values: ["30 ml", "50 ml"] }],
    own: {
      "30 ml": perBase("30", "ml", hundredMl),
      "50 ml": { ...costs("36.99"), ...perBase("50", "ml", hundredMl) },
    },
  },
  { product: 1904, options: [shoes] },
  { product: 1921, options: [shoes], soldOut: [2] },
  { product: 1924, options: [shoes], soldOut: [1, 5] },
  {
    product: 1948,
    options: [color({ Grey: "#8c8c8c", Navy: "#1b2a4a" }), size("8", "9", "10")],
    isAlone: true,
  },
  { product: 3143, options: [size("S", "M")] },
  {
    product: 3453,
    options: [{ name: "Weight", values: ["250 g", "500 g", "1 kg"] }],
    own: {
      "250 g": perBase("250", "g", kilogram),
      "500 g": { ...costs("15.99"), ...perBase("500", "g", kilogram) },
      "1 kg": { ...costs("28.99"), ...perBase("1", "kg", kilogram) },
    },
  },
];

export const rangeOf = (product: number): Range | undefined =>
  ranges.find((range) => range.product === product);
