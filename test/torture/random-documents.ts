/** Random GraphQL documents about products with variants, of any size up to the ceilings. */
import type { Chance } from "../bench/seeded.ts";

/** A document that grows with its size, from 1 on. */
export type Growing = (size: number) => string;

/** A selection whose aliases begin with `prefix`. */
type Part = (prefix: string, size: number) => string;

const repeated = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(" ");

const productFields = [
  "attributes { name value code numericValue unit group }",
  "images { url alt width height }",
  "tags highlights",
  "stock { status quantity } listPrice { amount currency }",
  "priceRange { min { amount } max { amount } }",
  "featuredVariant { id title price { amount } }",
  "options { name values { value available exists } }",
  'variant(options: [{ name: "Color", value: "Color 9" }, { name: "Size", value: "Size 9" }]) { id title }',
  'variant(id: "90") { id attributes { value } }',
  "name description url reference brand price { amount currency } availability updatedAt",
];

const variantFields = [
  "id title url sku availability",
  "attributes { name value code numericValue unit group }",
  "images { url alt width height }",
  "options { name value }",
  "price { amount currency } listPrice { amount currency } discountPercent",
  "stock { status quantity availabilityDate }",
];

const filters = [
  "stockStatus: [DISCONTINUED]",
  'attributes: [{ name: "length_3", min: "3" }]',
  'options: [{ name: "Color", value: "Color 3" }]',
  "inStockOnly: false",
  'query: "product"',
];

const sorts = ["RATING", "NEWEST", "DISCOUNT", "NAME", "PRICE_ASC"];

const aliased = (prefix: string, count: number, fields: string): string =>
  repeated(count, (at) => fields.replace(/^\w+/, (name) => `${prefix}${at}: ${name}`));

/** Fields of products: one of them grows by aliases, or their variants by the page size. */
const productPart = ({ below, pick }: Chance): Part => {
  const [plain, grown, own] = [pick(productFields), pick(productFields), pick(variantFields)];
  const [hasVariants, growsBelow, first] = [below(3) > 0, below(2) > 0, 1 + below(30)];
  return (prefix, size) => {
    const page = growsBelow ? first : Math.min(100, first * size);
    const inner = growsBelow ? aliased(`${prefix}v`, size, own) : own;
    const variants = hasVariants ? `variants(first: ${page}) { nodes { id ${inner} } }` : "";
    return `id ${plain} ${hasVariants ? "" : aliased(prefix, size, grown)} ${variants}`;
  };
};

const listPart = (chance: Chance): Part => {
  const { below, pick } = chance;
  const part = productPart(chance);
  const [filter, sort, grows, most] = [pick(filters), pick(sorts), below(2) > 0, 5 + below(96)];
  const [isSorted, isMatched, isCounted] = [below(3) === 0, below(4) === 0, below(4) === 0];
  return (prefix, size) => {
    const first = Math.min(100, grows ? most : size * 10);
    const given = `first: ${first}, ${filter} ${isSorted ? `orderBy: ${sort}` : ""}`;
    const matched = isMatched ? "matchedVariants { totalCount nodes { id title } }" : "";
    const facets = isCounted ? "facets { options { values { count } } attributes { name } }" : "";
    const node = `node { ${part(prefix, size)} }`;
    return `${prefix}: products(${given}) { edges { cursor ${node} ${matched} } totalCount ${facets} }`;
  };
};

/** Makes a document of one to three lists. */
export const randomDocument = (chance: Chance): Growing => {
  const parts = Array.from({ length: 1 + chance.below(3) }, () => listPart(chance));
  return (size) => `{ ${parts.map((part, at) => part(`p${at}`, size)).join(" ")} }`;
};
