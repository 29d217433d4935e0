import { lowerBound } from "./doc-ids.ts";
import { type Payload, payloadCount } from "./payload.ts";

/** Dictionary-encoded payloads, one byte each: few payloads differ. Those too rare for a code are stored by their indexes. */
export const createPayloadDictionary = (payloads: Uint32Array) => {
  const table = selectCommonest(payloads);
  const codes = encode(payloads, table);
  const escapedIndexes = Uint32Array.from(indexesOf(codes, escapeCode));
  const escapedPayloads = Uint32Array.from(escapedIndexes, (index) => payloads[index] as number);
  const at = (index: number): Payload => {
    const code = codes[index] as number;
    return code === escapeCode
      ? (escapedPayloads[lowerBound(escapedIndexes, index)] as number)
      : (table[code] as number);
  };
  return {
    count: codes.length,
    bytes: codes.length + 8 * escapedIndexes.length + 4 * table.length,
    read: (indexes: Uint32Array): Uint32Array => indexes.map(at),
    unpack(): Uint32Array {
      const unpacked = new Uint32Array(codes.length);
      for (let index = 0; index < codes.length; index += 1)
        unpacked[index] = table[codes[index] as number] as number;
      for (let index = 0; index < escapedIndexes.length; index += 1)
        unpacked[escapedIndexes[index] as number] = escapedPayloads[index] as number;
      return unpacked;
    },
  };
};

/** Code of the payloads without one of their own. */
const escapeCode = 255;

/** Work buffers by payload. Invariant: each use restores them. */
const times = new Uint32Array(payloadCount);
/** Code + 1; 0 for a payload without a code. */
const codeByPayload = new Uint8Array(payloadCount);

/** Selects the payloads that get a code. */
const selectCommonest = (payloads: Uint32Array): Uint32Array => {
  const distinct: Payload[] = [];
  for (const payload of payloads) {
    if (times[payload] === 0) distinct.push(payload);
    times[payload] = (times[payload] as number) + 1;
  }
  const counts = distinct.map((payload) => [payload, times[payload] as number] as const);
  for (const payload of distinct) times[payload] = 0;
  const commonest = counts.sort(([, one], [, other]) => other - one).slice(0, escapeCode);
  return Uint32Array.from(commonest, ([payload]) => payload);
};

const encode = (payloads: Uint32Array, table: Uint32Array): Uint8Array => {
  for (const [code, payload] of table.entries()) codeByPayload[payload] = code + 1;
  // A code of 0 wraps to the code of an escape.
  const codes = Uint8Array.from(payloads, (payload) => (codeByPayload[payload] as number) - 1);
  for (const payload of table) codeByPayload[payload] = 0;
  return codes;
};

function* indexesOf(codes: Uint8Array, code: number): Iterable<number> {
  for (let at = codes.indexOf(code); at !== -1; at = codes.indexOf(code, at + 1)) yield at;
}
