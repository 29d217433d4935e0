import { scoreUnspelled } from "../ranking/scoring.ts";
import { type Payload, payloadCount } from "./payload.ts";

/** Payloads as codes. Codes ascend with falling score. */
export interface EncodedPayloads {
  readonly values: Uint8Array;
  /** The least code of each block of indexes. */
  readonly blockMinimums: Uint8Array;
  readonly table: Uint32Array;
  readonly counts: Uint32Array;
  /** Payloads without a code, by ascending index. */
  readonly escapedIndexes: Uint32Array;
  readonly escapedPayloads: Uint32Array;
}

/** Code of the payloads that are too rare for a code of their own; these are stored by their indexes. */
export const escapeCode = 255;
const noCode = escapeCode + 1;

/** A block of 2^8 indexes is skipped when its least code is too high. */
export const blockBits = 8;

export const encodePayloads = (payloads: Uint32Array): EncodedPayloads => {
  const table = selectCommonest(payloads);
  for (const [code, [payload]] of table.entries()) codeByPayload[payload] = code + 1;
  const values = new Uint8Array(payloads.length);
  const escapedIndexes: number[] = [];
  for (let at = 0; at < payloads.length; at += 1) {
    const code = (codeByPayload[payloads[at] as number] || noCode) - 1;
    values[at] = code;
    if (code === escapeCode) escapedIndexes.push(at);
  }
  for (const [payload] of table) codeByPayload[payload] = 0;
  return {
    values,
    blockMinimums: computeBlockMinimums(values),
    table: Uint32Array.from(table, ([payload]) => payload),
    counts: Uint32Array.from(table, ([, count]) => count),
    escapedIndexes: Uint32Array.from(escapedIndexes),
    escapedPayloads: Uint32Array.from(escapedIndexes, (at) => payloads[at] as number),
  };
};

/** Work buffers by payload. Invariant: each use restores them. */
const times = new Uint32Array(payloadCount);
/** Code + 1; 0 for a payload without a code. */
const codeByPayload = new Uint8Array(payloadCount);

/** Selects the payloads that get a code, the best score first, with their counts. */
const selectCommonest = (payloads: Uint32Array): readonly (readonly [Payload, number])[] => {
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
    .sort(([one], [other]) => scoreUnspelled(other) - scoreUnspelled(one));
};

const computeBlockMinimums = (values: Uint8Array): Uint8Array => {
  const minimums = new Uint8Array(Math.ceil(values.length / 2 ** blockBits)).fill(escapeCode);
  for (let index = 0; index < values.length; index += 1) {
    const block = index >>> blockBits;
    const code = values[index] as number;
    if (code < (minimums[block] as number)) minimums[block] = code;
  }
  return minimums;
};
