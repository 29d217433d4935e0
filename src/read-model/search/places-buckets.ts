import { type Ids, lastUpTo } from "./ids.ts";
import type { Places } from "./places.ts";

/** Widths of buckets whose low ends fit in a byte, and in two. */
export const [widthOfByte, widthOfPair] = [2 ** 8, 2 ** 16];

export const bytesOfBuckets = (count: number, last: number, width: number): number =>
  count * (width <= widthOfByte ? 1 : 2) + 4 * (Math.floor(last / width) + 2);

/**
 * The low end of each id, one byte or two, by buckets of ids that share the rest.
 * @param width of a bucket, a power of two up to 2^16
 */
export const bucketsOf = (ids: Ids, last: number, width: number): Places => {
  const share = 1 / width;
  const lows = new (width <= widthOfByte ? Uint8Array : Uint16Array)(ids.length);
  const starts = new Uint32Array(Math.floor(last * share) + 2);
  let bucket = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    for (const own = Math.floor(id * share); bucket < own; ) starts[++bucket] = at;
    lows[at] = id - bucket * width;
  }
  starts[bucket + 1] = ids.length;
  return {
    bytes: lows.byteLength + starts.byteLength,
    unpack(unpacked) {
      for (let own = 0; own < starts.length - 1; own += 1) {
        const end = starts[own + 1] as number;
        for (let at = starts[own] as number; at < end; at += 1) {
          unpacked[at] = own * width + (lows[at] as number);
        }
      }
    },
    find(asked, visit) {
      for (let at = 0; at < asked.length; at += 1) {
        const id = asked[at] as number;
        if (id > last) return;
        const own = Math.floor(id * share);
        const place = firstFrom(
          lows,
          id - own * width,
          starts[own] as number,
          starts[own + 1] as number,
        );
        if (place < (starts[own + 1] as number) && lows[place] === id - own * width)
          visit(at, place);
      }
    },
    idAt: (place) => lastUpTo(starts, place) * width + (lows[place] as number),
  };
};

/** So few are looked at one by one. */
const near = 16;

/** The first place between two that is not below; near ones are looked at one by one. */
const firstFrom = (
  lows: Uint8Array | Uint16Array,
  low: number,
  from: number,
  to: number,
): number => {
  let [begin, end] = [from, to];
  while (end - begin > near) {
    const middle = (begin + end) >>> 1;
    if ((lows[middle] as number) < low) begin = middle + 1;
    else end = middle;
  }
  while (begin < end && (lows[begin] as number) < low) begin += 1;
  return begin;
};
