import {
  memberIndex,
  type ProductJson,
  sliceMembers,
  sliceValue,
} from "../../../read-model/reader/product-json.ts";
import { notCompilable } from "./scalars.ts";
import type { SelectedField, Selection } from "./selection.ts";

/**
 * Writes a product by cutting the selected members out of its stored JSON. Members that are adjacent in the selection
 * and in the stored text are cut as one piece: most queries need one or two pieces.
 */
export const planProduct = (selection: Selection): ((product: unknown) => string) => {
  const pieces = planPieces(selection);
  return (product) => {
    if (typeof product !== "string") throw notCompilable;
    let text = "{";
    for (const piece of pieces) text += piece(product);
    return `${text}}`;
  };
};

type Piece = (product: ProductJson) => string;

const planPieces = (selection: Selection): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (let index = 0; index < selection.length; ) {
    const comma = index === 0 ? "" : ",";
    const count = countAdjacent(selection, index);
    const selected = selection[index] as SelectedField;
    pieces.push(
      count > 0 ? cutRun(comma, memberIndex(selected.name), count) : cutField(comma, selected),
    );
    index += Math.max(1, count);
  }
  return pieces;
};

/** Counts the fields from `from` on that the stored text has in the same order and form. */
const countAdjacent = (selection: Selection, from: number): number => {
  const first = memberIndex((selection[from] as SelectedField).name);
  let count = 0;
  for (const selected of selection.slice(from)) {
    if (!isStoredForm(selected) || memberIndex(selected.name) !== first + count) break;
    count += 1;
  }
  return count;
};

/** Checks whether a field's stored text is its GraphQL text. An id is not: it is a string in GraphQL. */
const isStoredForm = ({ key, name, selection }: SelectedField): boolean =>
  key === name &&
  name !== "id" &&
  memberIndex(name) !== -1 &&
  (name !== "price" ||
    selection.map((field) => `${field.key}=${field.name}`).join() === storedPriceFields);

const storedPriceFields = "amount=amount,currency=currency";

const cutRun = (comma: string, position: number, count: number): Piece => {
  const members = sliceMembers(position, count);
  return (product) => comma + members(product);
};

const cutField = (comma: string, selected: SelectedField): Piece => {
  const head = `${comma}"${selected.key}":`;
  const value = planValue(selected);
  return (product) => head + value(product);
};

const planValue = ({ name, selection }: SelectedField): Piece => {
  if (name === "__typename") return () => '"Product"';
  const position = memberIndex(name === "inStock" ? "availability" : name);
  if (position === -1) throw notCompilable;
  const value = sliceValue(position);
  if (name === "id") return (product) => `"${value(product)}"`;
  if (name === "inStock") return (product) => String(value(product) === '"IN_STOCK"');
  return name === "price" ? planPrice(value, selection) : value;
};

/** Parses the stored price, which is short, to write a part of it. Amounts and currencies need no escaping. */
const planPrice = (value: Piece, selection: Selection): Piece => {
  const heads = selection.map(({ key, name }) => ({ head: `"${key}":`, name }));
  return (product) => {
    const price = JSON.parse(value(product));
    if (price === null) return "null";
    const members = heads.map(
      ({ head, name }) => head + JSON.stringify(name === "__typename" ? "Money" : price[name]),
    );
    return `{${members.join()}}`;
  };
};
