import type { ProductDocument, ProductFragments } from "../schema/documents.ts";

/**
 * The stored JSON of a `ProductDocument` as latin1: one character per byte of its UTF-8.
 *
 * Invariant: a member starts at `,"name":`. JSON escapes quotes inside strings, so merchant text never contains `,"`.
 */
export type ProductJson = string;

/** Members in stored order. */
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

/** Index of the first member that is searched from the end, because the long texts precede it. */
const firstTrailingMember = members.indexOf("availability");

/** Thrown for a product that is stored in another form. */
export const unexpectedForm = new Error("a product that is not stored as it should be");

/** Returns the index of a member in stored order; -1 for an unknown name. */
export const memberIndex = (name: string): number => memberNames.indexOf(name);

const memberNames: readonly string[] = members;

/** Creates a function that returns `count` members from `index` on, as JSON with names and commas. */
export const sliceMembers = (index: number, count: number): ((product: ProductJson) => string) => {
  const [start, end] = [createFinder(index), createFinder(index + count)];
  return (product) => product.slice(start(product) + 1, end(product));
};

/** Creates a function that returns the JSON of one member's value. */
export const sliceValue = (index: number): ((product: ProductJson) => string) => {
  const [start, end] = [createFinder(index), createFinder(index + 1)];
  const nameLength = `,"${members[index]}":`.length;
  return (product) => product.slice(start(product) + nameLength, end(product));
};

/** Creates a function that returns the position of the character before a member, or that of the closing brace. */
const createFinder = (index: number): ((product: ProductJson) => number) => {
  if (index === 0) return () => 0;
  if (index === members.length) return (product) => product.length - 1;
  const mark = `,"${members[index]}":`;
  return (product) => {
    const at = index < firstTrailingMember ? product.indexOf(mark) : product.lastIndexOf(mark);
    if (at === -1) throw unexpectedForm;
    return at;
  };
};

/** The members of an object, each as the JSON of its value, for answers to copy. */
export type JsonMembers<V> = { readonly [M in keyof V]: string };

/** Parses one member. */
export const parseMember = <V, M extends keyof V>(members: JsonMembers<V>, name: M): V[M] =>
  JSON.parse(members[name]);

/**
 * Creates a function that splits the stored JSON of an object into its members.
 * @param names members in stored order. An object within a member has no member of these names, except as its first.
 */
const createSplitter = <V extends object>(names: readonly (keyof V & string)[]) => {
  const marks = names.map((name, at) => `${at === 0 ? "{" : ","}"${name}":`);
  return (json: string): JsonMembers<V> => {
    const split: Record<string, string> = {};
    let name: string | undefined;
    let start = 0;
    for (const [at, mark] of marks.entries()) {
      const end = json.indexOf(mark, start);
      if (end === -1) throw unexpectedForm;
      if (name !== undefined) split[name] = json.slice(start, end);
      name = names[at];
      start = end + mark.length;
    }
    if (name !== undefined) split[name] = json.slice(start, -1);
    return split as JsonMembers<V>;
  };
};

export const splitProduct = createSplitter<ProductDocument>(members);

/** Returns the JSON of the prices over time, the last member of a product that has them. */
export const sliceOffers = (json: string): string =>
  json.slice(json.lastIndexOf(offersMark) + offersMark.length, -1);

const offersMark = ',"offers":';

export const splitFragments = createSplitter<ProductFragments>([
  "digest",
  "categoryIds",
  "specifications",
  "images",
  "title",
  "identity",
  "pageLink",
  "sections",
  "gallery",
]);

/** Parses the JSON of a string, also one without escapes, because a slice would retain the complete product in memory. */
export const parseString = (json: string): string =>
  JSON.parse(isAscii.test(json) ? json : Buffer.from(json, "latin1").toString());

const isAscii = /^[\x20-\x7e]*$/;
