import { lastUpTo } from "./doc-ids.ts";
import type { Places } from "./id-index.ts";

/** About so many bytes. */
export const bytesOfBits = (last: number): number => ((last >>> 5) + 1) * 5;

/** A bit for each id there may be. */
export const bitsOf = (ids: Uint32Array, last: number): Places => {
  const bits = new Uint32Array((last >>> 5) + 1);
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    bits[id >>> 5] = (bits[id >>> 5] as number) | (1 << (id & 31));
  }
  // How many ids come before each fourth word.
  const before = new Uint32Array((bits.length + 3) >>> 2);
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    if ((word & 3) === 0) before[word >>> 2] = count;
    count += bitsSet(bits[word] as number);
  }
  const placeOf = (word: number, bit: number): number => {
    let place = before[word >>> 2] as number;
    for (let at = word & ~3; at < word; at += 1) place += bitsSet(bits[at] as number);
    return place + bitsSet((bits[word] as number) & ((1 << bit) - 1));
  };
  return {
    bytes: bits.byteLength + before.byteLength,
    unpack(unpacked) {
      let at = 0;
      for (let word = 0; word < bits.length; word += 1) {
        for (let left = bits[word] as number; left !== 0; left &= left - 1) {
          unpacked[at++] = word * 32 + 31 - Math.clz32(left & -left);
        }
      }
    },
    find(asked, found) {
      let count = 0;
      for (let at = 0; at < asked.length; at += 1) {
        const id = asked[at] as number;
        if (id > last) break;
        const word = id >>> 5;
        if ((((bits[word] as number) >>> (id & 31)) & 1) === 0) continue;
        found.asked[count] = at;
        found.own[count++] = placeOf(word, id & 31);
      }
      return count;
    },
    idAt(place) {
      let word = lastUpTo(before, place) << 2;
      let rest = place - (before[word >>> 2] as number);
      for (; rest >= bitsSet(bits[word] as number); word += 1)
        rest -= bitsSet(bits[word] as number);
      let left = bits[word] as number;
      for (; rest > 0; rest -= 1) left &= left - 1;
      return word * 32 + 31 - Math.clz32(left & -left);
    },
  };
};

const bitsSet = (bits: number): number => {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};
