import type { Sort } from "../schema/queries.ts";
import { maxCorrections } from "../search/query/corrections.ts";
import type { QueryInterpretation } from "../search/query/interpretation.ts";
import { maxCorrectedTerms } from "../search/query/resolve-terms.ts";

/** The position of a product in a sequence of pages. Specification §4.1 rule 1: positions, never offsets. */
export type CursorPosition =
  | { readonly by: "id"; readonly id: number }
  /** Ranks of two pages are comparable, because later pages use the query interpretation of the first page. */
  | {
      readonly by: "rank";
      readonly rank: number;
      readonly id: number;
      readonly interpretation: QueryInterpretation;
    }
  /** Position by price or name, with the query interpretation of the first page. */
  | {
      readonly by: Sort;
      readonly key: string;
      readonly id: number;
      readonly interpretation: QueryInterpretation;
    };

/** Matches cursors by id. They end with a period, so that a truncated cursor is invalid. */
const idCursor = /^3:i:(\d{1,16})\.$/;

/** Maximum length of a cursor; it may contain the words of a query, whose length is limited. */
const maxCursorChars = 4_096;

/** Encodes a position as base64url of version, kind and position. */
export const encodeCursor = (position: CursorPosition): string =>
  position.by === "id"
    ? base64url(`3:i:${position.id}.`)
    : Buffer.from(`2:${JSON.stringify(toParts(position))}`).toString("base64url");

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The encodings of all 12-bit numbers, two characters each. */
const pairs = Array.from(alphabet).flatMap((first) =>
  Array.from(alphabet, (second) => first + second),
);

/** Encodes ASCII without a Buffer, because a page has a hundred short cursors and their Buffers would cost more than the rest. */
const base64url = (text: string): string => {
  let encoded = "";
  for (let at = 0; at < text.length; at += 3) {
    // `charCodeAt` is NaN past the end, which the bit operators treat as 0.
    const bits =
      (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2);
    encoded += (pairs[bits >> 12] as string) + (pairs[bits & 4095] as string);
  }
  return encoded.slice(0, Math.ceil((text.length * 4) / 3));
};

type Parts = readonly [
  by: string,
  at: number | string,
  id: number,
  idfs: readonly number[],
  minWeight: number,
  corrections: readonly (readonly string[])[],
  indexedTerms: readonly string[],
  queryHash: number,
];

const toParts = (position: Exclude<CursorPosition, { by: "id" }>): Parts => {
  const { by, id, interpretation } = position;
  const { idfs, minWeight, corrections, indexedTerms, queryHash } = interpretation;
  const written = corrections.some(({ length }) => length > 0) ? corrections : [];
  const at = position.by === "rank" ? position.rank : position.key;
  return [by, at, id, idfs, minWeight, written, indexedTerms, queryHash];
};

/**
 * Decodes a cursor.
 * @returns undefined when the text is no cursor of a known version
 */
export const decodeCursor = (cursor: string): CursorPosition | undefined => {
  if (cursor.length > maxCursorChars || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const id = idCursor.exec(text)?.[1];
  if (id !== undefined) return { by: "id", id: Number(id) };
  if (!text.startsWith("2:")) return undefined;
  const parts = parseJson(text.slice(2));
  return isParts(parts) ? toPosition(parts) : undefined;
};

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const isParts = (value: unknown): value is Parts => {
  if (!Array.isArray(value) || value.length !== 8) return false;
  const [by, at, id, idfs, minWeight, corrections, indexedTerms, queryHash] = value;
  return (
    (by === "rank" ? isCount(at) : isSort(by) && typeof at === "string" && at.length <= 200) &&
    isCount(id) &&
    isCount(minWeight) &&
    isCount(queryHash) &&
    isListOf(idfs, isIdf) &&
    isListOf(corrections, isCorrection) &&
    corrections.filter((words: readonly string[]) => words.length > 0).length <=
      maxCorrectedTerms &&
    isListOf(indexedTerms, isIndexedTerm)
  );
};

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isIdf = (value: unknown): value is number => isCount(value) && value < 64;
const sorts: readonly unknown[] = Object.keys({
  price_asc: true,
  price_desc: true,
  name: true,
  discount: true,
  rating: true,
  newest: true,
} satisfies Record<Sort, true>);
const isSort = (value: unknown): value is Sort => sorts.includes(value);
/** Corrections of a word: a few other words, or one pair of words with a space between. */
const isCorrection = (value: unknown): value is readonly string[] =>
  isListOf(value, isWord) &&
  value.length <= (value.some((word) => word.includes(" ")) ? 1 : maxCorrections);
const isWord = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 41;
/** A compound of up to three words. */
const isIndexedTerm = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 120;
const isListOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] =>
  Array.isArray(value) && value.length <= 200 && value.every(isOne);

const toPosition = (parts: Parts): CursorPosition => {
  const [by, at, id, idfs, minWeight, stored, indexedTerms, queryHash] = parts;
  const corrections = idfs.map((_, part) => stored[part] ?? []);
  const interpretation = { idfs, minWeight, corrections, indexedTerms, queryHash };
  return by === "rank"
    ? { by, rank: at as number, id, interpretation }
    : { by: by as Sort, key: at as string, id, interpretation };
};
