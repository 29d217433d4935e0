import {
  cutMembers,
  cutValue,
  type ProductText,
  placeOf,
} from "../../../read-model/reader/product-json.ts";
import { uncovered } from "./scalars.ts";
import type { Selected, Selection } from "./selection.ts";

/**
 * Writes a product by cutting its stored JSON at the members asked for. Members that stand side by side in both are
 * cut out as one piece: most questions are answered with one or two.
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

type Piece = (product: ProductText) => string;

const piecesOf = (selection: Selection): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (let at = 0; at < selection.length; ) {
    const comma = at === 0 ? "" : ",";
    const count = runLength(selection, at);
    const selected = selection[at] as Selected;
    pieces.push(count > 0 ? run(comma, placeOf(selected.name), count) : single(comma, selected));
    at += Math.max(1, count);
  }
  return pieces;
};

/** How many fields from here on stand in the stored text as they are asked for. */
const runLength = (selection: Selection, from: number): number => {
  const first = placeOf((selection[from] as Selected).name);
  let count = 0;
  for (const selected of selection.slice(from)) {
    if (!isAsStored(selected) || placeOf(selected.name) !== first + count) break;
    count += 1;
  }
  return count;
};

/** An id is a string in GraphQL. */
const isAsStored = ({ key, name, selection }: Selected): boolean =>
  key === name &&
  name !== "id" &&
  placeOf(name) !== -1 &&
  (name !== "price" || selection.map((one) => `${one.key}=${one.name}`).join() === wholePrice);

const wholePrice = "amount=amount,currency=currency";

const run = (comma: string, place: number, count: number): Piece => {
  const members = cutMembers(place, count);
  return (product) => comma + members(product);
};

const single = (comma: string, selected: Selected): Piece => {
  const head = `${comma}"${selected.key}":`;
  const value = valueOf(selected);
  return (product) => head + value(product);
};

const valueOf = ({ name, selection }: Selected): Piece => {
  if (name === "__typename") return () => '"Product"';
  const place = placeOf(name === "inStock" ? "availability" : name);
  if (place === -1) throw uncovered;
  const value = cutValue(place);
  if (name === "id") return (product) => `"${value(product)}"`;
  if (name === "inStock") return (product) => String(value(product) === '"IN_STOCK"');
  return name === "price" ? priceOf(value, selection) : value;
};

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
