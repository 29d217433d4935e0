import type { ProductText } from "../../read-model/reader.ts";
import { uncovered } from "./leaf-text.ts";
import type { Selected, Selection } from "./selection.ts";

/**
 * Writes a product by cutting its stored JSON at the members asked for. Members that stand side by side in both are
 * cut out as one piece: most questions are answered with one or two.
 *
 * A member begins at `,"name":`. Inside a string each quote has a backslash before it, so that a comma with a quote
 * behind it ends a member, whatever the merchant wrote.
 */
export const planProduct = (selection: Selection): ((product: unknown) => string) => {
  const pieces = piecesOf(selection);
  return (product) => {
    if (typeof product !== "string") throw uncovered;
    let text = "{";
    for (const piece of pieces) text += piece(product);
    return `${text}}`;
  };
};

/** Members of a stored product in their order; all but the first are found by name. */
const members = [
  "id",
  "name",
  "description",
  "url",
  "reference",
  "gtin",
  "brand",
  "price",
  "availability",
  "updatedAt",
  "lastmod",
] as const;

type Piece = (product: ProductText) => string;

const piecesOf = (selection: Selection): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (let at = 0; at < selection.length; ) {
    const comma = at === 0 ? "" : ",";
    const count = runLength(selection, at);
    const selected = selection[at] as Selected;
    pieces.push(count > 0 ? run(comma, placeOf(selected), count) : single(comma, selected));
    at += Math.max(1, count);
  }
  return pieces;
};

/** How many fields from here on stand in the stored text as they are asked for. */
const runLength = (selection: Selection, from: number): number => {
  const first = placeOf(selection[from] as Selected);
  let count = 0;
  for (const selected of selection.slice(from)) {
    if (!isAsStored(selected) || placeOf(selected) !== first + count) break;
    count += 1;
  }
  return count;
};

/** An id is a string in GraphQL. */
const isAsStored = ({ key, name, selection }: Selected): boolean =>
  key === name &&
  name !== "id" &&
  members.some((member) => member === name) &&
  (name !== "price" || selection.map((one) => `${one.key}=${one.name}`).join() === wholePrice);

const wholePrice = "amount=amount,currency=currency";

const placeOf = ({ name }: Selected): number => members.findIndex((member) => member === name);

const run = (comma: string, place: number, count: number): Piece => {
  const [begin, end] = [markOf(place), markOf(place + count)];
  return (product) => {
    const from = find(product, begin) + 1;
    return comma + product.slice(from, find(product, end));
  };
};

const single = (comma: string, selected: Selected): Piece => {
  const head = `${comma}"${selected.key}":`;
  const value = valueOf(selected);
  return (product) => head + value(product);
};

const valueOf = ({ name, selection }: Selected): Piece => {
  if (name === "__typename") return () => '"Product"';
  if (name === "id") return (product) => `"${product.slice(idAt, product.indexOf(","))}"`;
  const place = members.findIndex((member) => member === (name === "inStock" ? inStock : name));
  if (place === -1) throw uncovered;
  const [begin, end] = [markOf(place), markOf(place + 1)];
  const value: Piece = (product) =>
    product.slice(find(product, begin) + begin.length, find(product, end));
  if (name === "inStock") return (product) => String(value(product) === '"IN_STOCK"');
  return name === "price" ? priceOf(value, selection) : value;
};

const inStock = "availability";
const idAt = '{"id":'.length;

/** A price is small enough to be parsed, and amounts and currencies need no escaping. */
const priceOf = (value: Piece, selection: Selection): Piece => {
  const heads = selection.map(({ key, name }) => ({ head: `"${key}":`, name }));
  return (product) => {
    const price = JSON.parse(value(product));
    if (price === null) return "null";
    const told = heads.map(
      ({ head, name }) => head + JSON.stringify(name === "__typename" ? "Money" : price[name]),
    );
    return `{${told.join()}}`;
  };
};

const markOf = (place: number): string => `,"${members[place]}":`;

/** What stands behind the price is nearer to the end. */
const nearEnd = new Set([8, 9, 10].map(markOf));

const find = (product: ProductText, mark: string): number => {
  const at = nearEnd.has(mark) ? product.lastIndexOf(mark) : product.indexOf(mark);
  if (at === -1) throw uncovered;
  return at;
};
