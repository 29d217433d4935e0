import { lastUpTo } from "./doc-ids.ts";
import type { Places } from "./id-index.ts";

/** Widths of buckets whose low ends fit in a byte, and in two. */
export const [widthOfByte, widthOfPair] = [2 ** 8, 2 ** 16];

export const bytesOfBuckets = (count: number, last: number, width: number): number =>
  count * (width <= widthOfByte ? 1 : 2) + 4 * (Math.floor(last / width) + 2);

/**
 * The low end of each id, one byte or two, by buckets of ids that share the rest.
 * @param last the greatest id, below 2^31: such are cut by their bits, which takes less than a division
 * @param width of a bucket, a power of two up to 2^16
 */
export const bucketsOf = (ids: Uint32Array, last: number, width: number): Places => {
  const shift = Math.log2(width);
  const lows = new (width <= widthOfByte ? Uint8Array : Uint16Array)(ids.length);
  const starts = new Uint32Array((last >>> shift) + 2);
  let bucket = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    for (const own = id >>> shift; bucket < own; ) starts[++bucket] = at;
    lows[at] = id & (width - 1);
  }
  starts[bucket + 1] = ids.length;
  return {
    bytes: lows.byteLength + starts.byteLength,
    unpack(unpacked) {
      for (let own = 0; own < starts.length - 1; own += 1) {
        const end = starts[own + 1] as number;
        for (let at = starts[own] as number; at < end; at += 1) {
          unpacked[at] = (own << shift) | (lows[at] as number);
        }
      }
    },
    find(asked, found) {
      let count = 0;
      for (let at = 0; at < asked.length; at += 1) {
        const id = asked[at] as number;
        if (id > last) break;
        const own = id >>> shift;
        const low = id & (width - 1);
        let place = starts[own] as number;
        let left = (starts[own + 1] as number) - place;
        if (left === 0) continue;
        // Halves without a branch: which way it goes cannot be foretold, and every second guess would cost as much.
        while (left > 1) {
          const half = left >>> 1;
          place += half & (((lows[place + half - 1] as number) - low) >> 31);
          left -= half;
        }
        if (lows[place] !== low) continue;
        found.asked[count] = at;
        found.own[count++] = place;
      }
      return count;
    },
    idAt(place) {
      const own = lastUpTo(starts, place);
      return (own << shift) | (lows[place] as number);
    },
  };
};
