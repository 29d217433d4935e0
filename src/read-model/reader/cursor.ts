import { mostMeant, mostMistyped } from "../search/resolve-terms.ts";
import type { Pinned } from "../search/search-products.ts";
import type { Sort } from "./reader.ts";

/** A place in a walk: positions, never offsets (section 4.1 rule 1). */
export type Position =
  | { readonly by: "id"; readonly id: number }
  /** Ranks of one walk compare because all its pages go by what the first one pinned. */
  | {
      readonly by: "rank";
      readonly rank: number;
      readonly id: number;
      readonly pinned: Pinned;
    }
  /** By price or name; a walk among the matches of a query goes by what its first page pinned, too. */
  | {
      readonly by: Sort;
      readonly key: string;
      readonly id: number;
      readonly pinned: Pinned;
    };

/** Its end is told, so that one that was cut off is another's place no more; the first version did not. */
const byId = /^(?:3:i:(\d{1,16})\.|1:i:(\d{1,16}))$/;

/** Characters: a cursor may name the words of a query, which is bounded itself. */
const longest = 4_096;

/** The opaque form: base64url of a version, the kind of walk and the position. */
export const encodeCursor = (position: Position): string =>
  position.by === "id"
    ? base64url(`3:i:${position.id}.`)
    : Buffer.from(`2:${JSON.stringify(partsOf(position))}`).toString("base64url");

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const shifts = [18, 12, 6, 0];

/** Of ASCII. A page has a hundred short ones, for which a Buffer each would cost more than all the rest. */
const base64url = (text: string): string => {
  let encoded = "";
  for (let at = 0; at < text.length; at += 3) {
    // Past the end there is nothing, which counts as 0.
    const bits =
      (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2);
    for (const shift of shifts) encoded += alphabet[(bits >> shift) & 63];
  }
  return encoded.slice(0, Math.ceil((text.length * 4) / 3));
};

type Parts = readonly [
  by: string,
  at: number | string,
  id: number,
  rarities: readonly number[],
  least: number,
  corrected: readonly (readonly string[])[],
  joined: readonly string[],
  asks: number,
];

const partsOf = (position: Exclude<Position, { by: "id" }>): Parts => {
  const { by, id, pinned } = position;
  const corrected = pinned.corrected.some(({ length }) => length > 0) ? pinned.corrected : [];
  const at = position.by === "rank" ? position.rank : position.key;
  return [by, at, id, pinned.rarities, pinned.least, corrected, pinned.joined, pinned.asks];
};

/** The position, or undefined when the text is no cursor of ours. */
export const decodeCursor = (cursor: string): Position | undefined => {
  if (cursor.length > longest || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, id, former] = byId.exec(text) ?? [];
  const told = id ?? former;
  if (told !== undefined) return { by: "id", id: Number(told) };
  if (!text.startsWith("2:")) return undefined;
  const parts = parsed(text.slice(2));
  return isParts(parts) ? positionOf(parts) : undefined;
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const isParts = (value: unknown): value is Parts => {
  if (!Array.isArray(value) || value.length !== 8) return false;
  const [by, at, id, rarities, least, corrected, joined, asks] = value;
  return (
    (by === "rank" ? isCount(at) : isSort(by) && typeof at === "string" && at.length <= 200) &&
    isCount(id) &&
    isCount(least) &&
    isCount(asks) &&
    isListOf(rarities, isRarity) &&
    isListOf(corrected, isCorrection) &&
    corrected.filter((words: readonly string[]) => words.length > 0).length <= mostMistyped &&
    isListOf(joined, isJoined)
  );
};

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isRarity = (value: unknown): value is number => isCount(value) && value < 64;
const isSort = (value: unknown): value is Sort =>
  value === "price_asc" || value === "price_desc" || value === "name";
/** What a search takes a word for: a few others, or two that a space parts. */
const isCorrection = (value: unknown): value is readonly string[] =>
  isListOf(value, isWord) &&
  value.length <= (value.some((word) => word.includes(" ")) ? 1 : mostMeant);
const isWord = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 41;
/** Up to three words written together. */
const isJoined = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 120;
const isListOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] =>
  Array.isArray(value) && value.length <= 200 && value.every(isOne);

const positionOf = ([by, at, id, rarities, least, told, joined, asks]: Parts): Position => {
  const corrected = rarities.map((_, part) => told[part] ?? []);
  const pinned = { rarities, least, corrected, joined, asks };
  return by === "rank"
    ? { by, rank: at as number, id, pinned }
    : { by: by as Sort, key: at as string, id, pinned };
};
