import type { ProductText } from "../schema/documents.ts";

/**
 * The stored JSON of a `ProductText` as latin1: one character per byte of its UTF-8.
 *
 * Invariant: a member starts at `,"name":`. JSON escapes quotes inside strings, so merchant text never contains `,"`.
 */
export type ProductJson = string;

/** Members that are copied, in stored order; the last one ends the copied part. No member before them holds an object. */
const members = [
  ...(["id", "name", "url", "reference", "gtin", "brand", "categoryIds"] as const),
] satisfies readonly (keyof ProductText)[];

type CopiedMember = Exclude<(typeof members)[number], "categoryIds">;

const unexpectedForm = new Error("a stored product has members in another sequence");

/** Returns the index of a copied member in stored order; -1 for another name. */
export const memberIndex = (name: string): number =>
  name === "categoryIds" ? -1 : memberNames.indexOf(name);

const memberNames: readonly string[] = members;

/** Creates a function that returns `count` members from `index` on, as JSON with names and commas. */
export const sliceMembers = (index: number, count: number): ((product: ProductJson) => string) => {
  const [start, end] = [createFinder(index), createFinder(index + count)];
  return (product) => product.slice(start(product) + 1, end(product));
};

/** Creates a function that returns the JSON of one member's value. */
export const sliceValue = (name: CopiedMember): ((product: ProductJson) => string) => {
  const index = members.indexOf(name);
  const [start, end] = [createFinder(index), createFinder(index + 1)];
  const nameLength = `,"${name}":`.length;
  return (product) => product.slice(start(product) + nameLength, end(product));
};

/** Creates a function that returns the position of the character before a member. */
const createFinder = (index: number): ((product: ProductJson) => number) => {
  if (index === 0) return () => 0;
  const mark = `,"${members[index]}":`;
  return (product) => {
    const at = product.indexOf(mark);
    if (at === -1) throw unexpectedForm;
    return at;
  };
};

/** Reads the dates, which are the last members, without parsing the others. They have 56 characters at most. */
export const readDates = (product: ProductJson): Pick<ProductText, "changedAt" | "shownAt"> => {
  const [, changedAt, shownAt] = dates.exec(product.slice(-64)) ?? [];
  if (changedAt === undefined) throw unexpectedForm;
  return { changedAt: Number(changedAt), shownAt: Number(shownAt) };
};

const dates = /"changedAt":(\d+),"shownAt":(\d+)\}$/;

export const parseProduct = (product: ProductJson): ProductText => JSON.parse(toText(product));

/** Parses the JSON of a string, also one without escapes, because a slice would retain the complete product in memory. */
export const parseString = (json: string): string => JSON.parse(toText(json));

/** Decodes a part of stored JSON. */
export const toText = (json: string): string =>
  isAscii.test(json) ? json : Buffer.from(json, "latin1").toString();

const isAscii = /^[\x20-\x7e]*$/;
