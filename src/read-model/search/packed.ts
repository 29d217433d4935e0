import { eachShared, type Ids, idsUpTo } from "./ids.ts";
import { encodePayloads } from "./payload-codes.ts";
import type { Payload } from "./posting.ts";
import { type Postings, payloadsAt } from "./postings.ts";

/** A list as a process keeps it, in one to three bytes a product instead of six, so that it keeps all that is asked for often. */
export interface Packed {
  readonly bytes: number;
  /** All of it, unpacked. */
  all(): Postings;
  /** The payload of each of these ids; 0 for one that is not in the list. */
  at(asked: Ids): Uint16Array;
  /** Which of these ids are in the list. */
  match(asked: Ids): Matches;
  /** Each payload there is, and how many products have it. */
  tally(): readonly (readonly [payload: Payload, products: number])[];
  /** Visits the products that have one of these payloads. */
  eachWith(payloads: ReadonlySet<Payload>, visit: (id: number, payload: Payload) => void): void;
  /** The same, ascending and from an id on, looked for as they are asked for. */
  idsWith(payloads: ReadonlySet<Payload>, from: number): Iterable<number>;
}

/** Those of some ids that a list has. */
export interface Matches {
  /** Places among those asked for. */
  readonly places: Uint32Array;
  readonly payloads: Uint16Array;
}

/** To work in: most of what is looked for is not found, and new room for each look would soon be more than the lists. */
let room: Matches = { places: new Uint32Array(0), payloads: new Uint16Array(0) };

const roomFor = (count: number): Matches => {
  if (room.places.length < count) {
    room = { places: new Uint32Array(count), payloads: new Uint16Array(count) };
  }
  return room;
};

/** @param payloads of each id that was asked for; 0 for one that does not match */
export const matchesOf = (payloads: Uint16Array): Matches => {
  const places = new Uint32Array(payloads.length);
  let count = 0;
  for (let at = 0; at < payloads.length; at += 1) if (payloads[at] !== 0) places[count++] = at;
  const found = places.subarray(0, count);
  return { places: found, payloads: payloadsFrom(payloads, found) };
};

/** Those at some places. */
export const payloadsFrom = (payloads: Uint16Array, places: Uint32Array): Uint16Array => {
  const taken = new Uint16Array(places.length);
  for (let at = 0; at < places.length; at += 1) {
    taken[at] = payloads[places[at] as number] as number;
  }
  return taken;
};

/** Where ids stand: how many come before one, and which they are. */
interface Places {
  readonly bytes: number;
  /** Writes the ids. */
  unpack(ids: Ids): void;
  /** Visits the ids that are in the list: their place among those asked for, and in the list. */
  find(asked: Ids, visit: (at: number, place: number) => void): void;
  idAt(place: number): number;
}

export const pack = ({ ids, payloads }: Postings): Packed => {
  const last = ids[ids.length - 1] ?? 0;
  const places = placesOf(ids, last);
  const codes = encodePayloads(payloads);
  const all = (): Postings => {
    // Not by `ids`, which what is kept must not hold on to.
    const unpacked = idsUpTo(codes.count, last);
    places.unpack(unpacked);
    return { ids: unpacked, payloads: codes.unpack() };
  };
  return {
    bytes: places.bytes + codes.bytes,
    all,
    tally: codes.tally,
    at(asked) {
      if (asked.length > codes.count * muchLonger) return payloadsAt(all(), asked);
      const found = new Uint16Array(asked.length);
      places.find(asked, (at, place) => {
        found[at] = codes.at(place);
      });
      return found;
    },
    match(asked) {
      const room = roomFor(Math.min(asked.length, codes.count));
      let count = 0;
      const keep = (at: number, place: number): void => {
        room.places[count] = at;
        room.payloads[count++] = codes.at(place);
      };
      if (asked.length > codes.count * muchLonger) eachShared(asked, all().ids, keep);
      else places.find(asked, keep);
      return { places: room.places.slice(0, count), payloads: room.payloads.slice(0, count) };
    },
    eachWith(wanted, visit) {
      const next = codes.next(wanted);
      for (let place = next(0); place < codes.count; place = next(place + 1)) {
        visit(places.idAt(place), codes.at(place));
      }
    },
    *idsWith(wanted, from) {
      const next = codes.next(wanted);
      const first = placeFrom(places, codes.count, from);
      for (let place = next(first); place < codes.count; place = next(place + 1)) {
        yield places.idAt(place);
      }
    },
  };
};

/** The first place of an id that is not below one. */
const placeFrom = (places: Places, count: number, id: number): number => {
  let [low, high] = [0, id === 0 ? 0 : count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places.idAt(middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The last place whose number is not above one. */
const lastUpTo = (ascending: Uint32Array, most: number): number => {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

const muchLonger = 4;

/** Ids that so many of a row are in the list are kept as bits; others by buckets, where their low ends fit in two bytes. */
const rowOfBits = 14;
const idsInBucket = 16;

const placesOf = (ids: Ids, last: number): Places => {
  if (last < 2 ** 31 && last < ids.length * rowOfBits) return bitsOf(ids as Uint32Array, last);
  const wanted = Math.ceil(Math.log2(((last + 1) / Math.max(1, ids.length)) * idsInBucket));
  return wanted <= 16 ? bucketsOf(ids, last, 2 ** Math.max(0, wanted)) : plain(ids);
};

const bitsOf = (ids: Uint32Array, last: number): Places => {
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
    find(asked, visit) {
      for (let at = 0; at < asked.length; at += 1) {
        const id = asked[at] as number;
        if (id > last) return;
        const word = id >>> 5;
        if (((bits[word] as number) >>> (id & 31)) & 1) visit(at, placeOf(word, id & 31));
      }
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

/** @param width of a bucket, a power of two up to 2^16 */
const bucketsOf = (ids: Ids, last: number, width: number): Places => {
  const share = 1 / width;
  const lows = new Uint16Array(ids.length);
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

/** The first place between two that is not below; near ones are looked at one by one. */
const firstFrom = (lows: Uint16Array, low: number, from: number, to: number): number => {
  let [begin, end] = [from, to];
  while (end - begin > idsInBucket) {
    const middle = (begin + end) >>> 1;
    if ((lows[middle] as number) < low) begin = middle + 1;
    else end = middle;
  }
  while (begin < end && (lows[begin] as number) < low) begin += 1;
  return begin;
};

/** Of a shop whose ids are far apart. */
const plain = (ids: Ids): Places => ({
  bytes: ids.byteLength + ids.length,
  unpack: (unpacked) => unpacked.set(ids),
  find: (asked, visit) => eachShared(asked, ids, visit),
  idAt: (place) => ids[place] as number,
});
