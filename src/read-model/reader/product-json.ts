import type { ProductDocument } from "../schema/documents.ts";

/**
 * The JSON of a ProductDocument as it is stored, each byte of its UTF-8 as one character.
 *
 * A member begins at `,"name":`. Inside a string each quote has a backslash before it, so that a comma with a quote
 * behind it ends a member, whatever the merchant wrote.
 */
export type ProductText = string;

/** Members in the order they are stored in. */
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
] as const satisfies readonly (keyof ProductDocument)[];

/** What is looked for from the end: the long texts are before it. */
const nearEnd = members.indexOf("availability");

/** Thrown where a product is stored in another form. */
export const otherForm = new Error("a product that is not stored as it should be");

/** Where a member stands among the others; -1 when it is none. */
export const placeOf = (name: string): number => members.findIndex((member) => member === name);

/** Cuts out so many members from a place on, with their names and the commas between them. */
export const cutMembers = (place: number, count: number): ((product: ProductText) => string) => {
  const [begin, end] = [beginOf(place), beginOf(place + count)];
  return (product) => product.slice(begin(product) + 1, end(product));
};

/** Cuts out the JSON of one member's value. */
export const cutValue = (place: number): ((product: ProductText) => string) => {
  const [begin, end] = [beginOf(place), beginOf(place + 1)];
  const name = `,"${members[place]}":`.length;
  return (product) => product.slice(begin(product) + name, end(product));
};

/** Finds the character before a member, or behind the last one. */
const beginOf = (place: number): ((product: ProductText) => number) => {
  if (place === 0) return () => 0;
  if (place === members.length) return (product) => product.length - 1;
  const mark = `,"${members[place]}":`;
  return (product) => {
    const at = place < nearEnd ? product.indexOf(mark) : product.lastIndexOf(mark);
    if (at === -1) throw otherForm;
    return at;
  };
};

/** What a string says whose JSON was cut out. It is parsed in any case: a slice would keep the whole product. */
export const stringOf = (json: string): string =>
  JSON.parse(isAscii.test(json) ? json : Buffer.from(json, "latin1").toString());

const isAscii = /^[\x20-\x7e]*$/;
