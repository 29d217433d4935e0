import { lowerBound } from "./doc-ids.ts";
import { blockBits, type EncodedPayloads, encodePayloads, escapeCode } from "./encoded-payloads.ts";
import type { Payload } from "./payload.ts";

export type PayloadDictionary = ReturnType<typeof createPayloadDictionary>;

/**
 * Dictionary-encoded payloads, one byte each: few payloads differ, and in a list where many do only the most common
 * count. Codes ascend with falling score, so that the least code of each block shows where the best products may be.
 */
export const createPayloadDictionary = (unencoded: Uint32Array) => {
  const encoded = encodePayloads(unencoded);
  const { values, table, blockMinimums, escapedIndexes, escapedPayloads } = encoded;
  const at = (index: number): Payload => {
    const code = values[index] as number;
    return code === escapeCode
      ? (escapedPayloads[lowerBound(escapedIndexes, index)] as number)
      : (table[code] as number);
  };
  return {
    count: values.length,
    bytes: values.length + blockMinimums.length + 8 * escapedIndexes.length + 8 * table.length,
    at,
    read(indexes: Uint32Array): Uint32Array {
      const payloads = new Uint32Array(indexes.length);
      for (let index = 0; index < indexes.length; index += 1) {
        payloads[index] = at(indexes[index] as number);
      }
      return payloads;
    },
    unpack: (): Uint32Array => unpack(encoded),
    payloadHistogram: (): readonly (readonly [payload: Payload, times: number])[] =>
      countEncodedPayloads(encoded),
    /**
     * Creates a function that finds the first index, from one on, with one of these payloads; it returns `count` when
     * there is none. Invariant: `from` never decreases.
     */
    next: (payloads: ReadonlySet<Payload>): ((from: number) => number) =>
      createScan(encoded, payloads),
  };
};

const unpack = ({
  values,
  table,
  escapedIndexes,
  escapedPayloads,
}: EncodedPayloads): Uint32Array => {
  const payloads = new Uint32Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    payloads[index] = table[values[index] as number] as number;
  }
  for (let at = 0; at < escapedIndexes.length; at += 1) {
    payloads[escapedIndexes[at] as number] = escapedPayloads[at] as number;
  }
  return payloads;
};

const countEncodedPayloads = ({
  table,
  counts,
  escapedPayloads,
}: EncodedPayloads): readonly (readonly [Payload, number])[] => {
  const escapedCounts = new Map<Payload, number>();
  for (const payload of escapedPayloads)
    escapedCounts.set(payload, (escapedCounts.get(payload) ?? 0) + 1);
  return [
    ...Array.from(table, (payload, code) => [payload, counts[code] as number] as const),
    ...escapedCounts,
  ];
};

const createScan = (
  { values, table, blockMinimums, escapedIndexes, escapedPayloads }: EncodedPayloads,
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
