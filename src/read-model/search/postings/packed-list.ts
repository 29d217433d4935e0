import { type Ids, idsUpTo } from "./doc-ids.ts";
import { type Places, placesOf, type Shared } from "./id-index.ts";
import { encodePayloads } from "./payload-dictionary.ts";
import type { Payload } from "./posting-codec.ts";
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
let room: Shared = { asked: new Uint32Array(0), own: new Uint32Array(0) };

/** Room for more is let go of after use: it would be megabytes, for the few words that most products have. */
const mostRoom = 2 ** 18;

const roomFor = (count: number): Shared => {
  if (room.asked.length >= count) return room;
  const wider = { asked: new Uint32Array(count), own: new Uint32Array(count) };
  if (count <= mostRoom) room = wider;
  return wider;
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
  const match = (asked: Ids): Matches => {
    const found = roomFor(Math.min(asked.length, codes.count));
    const count = places.find(asked, found);
    return {
      places: found.asked.slice(0, count),
      payloads: codes.read(found.own.subarray(0, count)),
    };
  };
  return {
    bytes: places.bytes + codes.bytes,
    all,
    tally: codes.tally,
    at(asked) {
      if (asked.length > codes.count * muchLonger) return payloadsAt(all(), asked);
      const { places: at, payloads } = match(asked);
      const found = new Uint16Array(asked.length);
      for (let index = 0; index < at.length; index += 1) {
        found[at[index] as number] = payloads[index] as number;
      }
      return found;
    },
    match(asked) {
      if (asked.length > codes.count * muchLonger) return matchesOf(payloadsAt(all(), asked));
      return match(asked);
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

const muchLonger = 4;
