import { scoreSingle } from "../ranking/scoring.ts";
import { lowerBound } from "./doc-ids.ts";
import type { Payload } from "./posting-codec.ts";

/**
 * Dictionary-encoded payloads, one byte each: few payloads differ, and in a list where many do only the most common
 * count. Codes ascend with falling score, so that the least code of each block shows where the best products may be.
 */
export interface PayloadDictionary {
  readonly count: number;
  readonly bytes: number;
  at(index: number): Payload;
  /** Reads the payloads at some indexes. */
  read(indexes: Uint32Array): Uint16Array;
  unpack(): Uint16Array;
  /** Counts each distinct payload. */
  payloadHistogram(): readonly (readonly [payload: Payload, times: number])[];
  /**
   * Creates a function that finds the first index, from one on, with one of these payloads; it returns `count` when
   * there is none. Invariant: `from` never decreases.
   */
  next(payloads: ReadonlySet<Payload>): (from: number) => number;
}

/** Code of the payloads that are too rare for a code of their own; these are stored by their indexes. */
const escapeCode = 255;

/** A block of 2^8 indexes is skipped when its least code is too high. */
const blockBits = 8;

export const encodePayloadDictionary = (payloads: Uint16Array): PayloadDictionary => {
  const table = selectCommonest(payloads);
  for (const [code, [payload]] of table.entries()) codeByPayload[payload] = code;
  const values = new Uint8Array(payloads.length);
  const escapedIndexes: number[] = [];
  for (let at = 0; at < payloads.length; at += 1) {
    const code = codeByPayload[payloads[at] as number] as number;
    values[at] = code;
    if (code === escapeCode) escapedIndexes.push(at);
  }
  for (const [payload] of table) codeByPayload[payload] = escapeCode;
  return createDictionary({
    values,
    table: Uint16Array.from(table, ([payload]) => payload),
    counts: Uint32Array.from(table, ([, count]) => count),
    escapedIndexes: Uint32Array.from(escapedIndexes),
    escapedPayloads: Uint16Array.from(escapedIndexes, (at) => payloads[at] as number),
  });
};

/** Work buffers by payload. Invariant: each use restores them. */
const times = new Uint32Array(0x8000);
const codeByPayload = new Uint8Array(0x8000).fill(escapeCode);

/** Selects the payloads that get a code, the best score first, with their counts. */
const selectCommonest = (payloads: Uint16Array): readonly (readonly [Payload, number])[] => {
  const distinct: Payload[] = [];
  for (let at = 0; at < payloads.length; at += 1) {
    const payload = payloads[at] as number;
    if (times[payload] === 0) distinct.push(payload);
    times[payload] = (times[payload] as number) + 1;
  }
  const counts = distinct.map((payload) => [payload, times[payload] as number] as const);
  for (const payload of distinct) times[payload] = 0;
  return counts
    .sort(([, one], [, other]) => other - one)
    .slice(0, escapeCode)
    .sort(([one], [other]) => scoreSingle(other, 1) - scoreSingle(one, 1));
};

/** Computes the least code of each block. */
const computeBlockMinimums = (values: Uint8Array): Uint8Array => {
  const minimums = new Uint8Array(Math.ceil(values.length / 2 ** blockBits)).fill(escapeCode);
  for (let index = 0; index < values.length; index += 1) {
    const block = index >>> blockBits;
    const code = values[index] as number;
    if (code < (minimums[block] as number)) minimums[block] = code;
  }
  return minimums;
};

/** Codes by index, payloads and counts by code, and the payloads without a code. */
interface Encoded {
  readonly values: Uint8Array;
  readonly table: Uint16Array;
  readonly counts: Uint32Array;
  readonly escapedIndexes: Uint32Array;
  readonly escapedPayloads: Uint16Array;
}

const createDictionary = (encoded: Encoded): PayloadDictionary => {
  const { values, table, escapedIndexes, escapedPayloads } = encoded;
  const blockMinimums = computeBlockMinimums(values);
  const at = (index: number): Payload => {
    const code = values[index] as number;
    return code === escapeCode
      ? (escapedPayloads[lowerBound(escapedIndexes, index)] as number)
      : (table[code] as number);
  };
  return {
    count: values.length,
    bytes: values.length + blockMinimums.length + 6 * escapedIndexes.length + 6 * table.length,
    at,
    read(indexes) {
      const payloads = new Uint16Array(indexes.length);
      for (let index = 0; index < indexes.length; index += 1) {
        payloads[index] = at(indexes[index] as number);
      }
      return payloads;
    },
    unpack: () => unpack(encoded),
    payloadHistogram: () => countPayloads(encoded),
    next: (payloads) => createScan(encoded, blockMinimums, payloads),
  };
};

const unpack = ({ values, table, escapedIndexes, escapedPayloads }: Encoded): Uint16Array => {
  const payloads = new Uint16Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    payloads[index] = table[values[index] as number] as number;
  }
  for (let at = 0; at < escapedIndexes.length; at += 1) {
    payloads[escapedIndexes[at] as number] = escapedPayloads[at] as number;
  }
  return payloads;
};

const countPayloads = ({
  table,
  counts,
  escapedPayloads,
}: Encoded): readonly (readonly [Payload, number])[] => {
  const escapedCounts = new Map<Payload, number>();
  for (const payload of escapedPayloads)
    escapedCounts.set(payload, (escapedCounts.get(payload) ?? 0) + 1);
  return [
    ...Array.from(table, (payload, code) => [payload, counts[code] as number] as const),
    ...escapedCounts,
  ];
};

const createScan = (
  { values, table, escapedIndexes, escapedPayloads }: Encoded,
  blockMinimums: Uint8Array,
  wanted: ReadonlySet<Payload>,
): ((from: number) => number) => {
  const isWantedCode = Uint8Array.from(table, (payload) => Number(wanted.has(payload)));
  const maxCode = isWantedCode.lastIndexOf(1);
  const escapedMatches = escapedIndexes.filter((_, at) =>
    wanted.has(escapedPayloads[at] as number),
  );
  let nextEscaped = 0;
  return (from) => {
    while ((escapedMatches[nextEscaped] ?? from) < from) nextEscaped += 1;
    const end = escapedMatches[nextEscaped] ?? values.length;
    for (let block = from >>> blockBits; block << blockBits < end; block += 1) {
      if ((blockMinimums[block] as number) > maxCode) continue;
      const start = Math.max(from, block << blockBits);
      const index = findCode(values, isWantedCode, start, Math.min(end, (block + 1) << blockBits));
      if (index !== -1) return index;
    }
    return end;
  };
};

/**
 * Finds the first index, from `start` to before `end`, with one of these codes.
 * @returns -1 when there is none
 */
const findCode = (
  values: Uint8Array,
  isWantedCode: Uint8Array,
  start: number,
  end: number,
): number => {
  for (let index = start; index < end; index += 1) {
    if (isWantedCode[values[index] as number] === 1) return index;
  }
  return -1;
};
