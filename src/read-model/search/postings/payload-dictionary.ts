import { rankOfOne } from "../scoring.ts";
import type { Payload } from "./posting-codec.ts";

/**
 * Payloads in a byte each: few differ, and of a list where many do only the commonest count. Codes are in the order of
 * ranks, so that the least code of each block tells where the best products may be.
 */
export interface Codes {
  readonly count: number;
  readonly bytes: number;
  at(place: number): Payload;
  /** Those at some places. */
  read(places: Uint32Array): Uint16Array;
  unpack(): Uint16Array;
  /** Each payload there is, and how often. */
  tally(): readonly (readonly [payload: Payload, times: number])[];
  /**
   * The first place from one on that has one of these payloads; `count` when there is none. What is asked for next may
   * not come before.
   */
  next(payloads: ReadonlySet<Payload>): (from: number) => number;
}

/** Stands for a payload that is too rare for a code; those are kept by their places. */
const rare = 255;

/** Places that are passed over together when their least code says so: 2^8. */
const blockBits = 8;

export const encodePayloads = (payloads: Uint16Array): Codes => {
  const table = commonest(payloads);
  for (const [code, [payload]] of table.entries()) codeOf[payload] = code;
  const values = new Uint8Array(payloads.length);
  const rarePlaces: number[] = [];
  for (let at = 0; at < payloads.length; at += 1) {
    const code = codeOf[payloads[at] as number] as number;
    values[at] = code;
    if (code === rare) rarePlaces.push(at);
  }
  for (const [payload] of table) codeOf[payload] = rare;
  return codesOf({
    values,
    table: Uint16Array.from(table, ([payload]) => payload),
    counts: Uint32Array.from(table, ([, count]) => count),
    rarePlaces: Uint32Array.from(rarePlaces),
    rarePayloads: Uint16Array.from(rarePlaces, (at) => payloads[at] as number),
  });
};

/** By payload; room to work in, between two uses as it was. */
const times = new Uint32Array(0x8000);
const codeOf = new Uint8Array(0x8000).fill(rare);

/** The payloads that get a code, those that rank best first, and how often each is there. */
const commonest = (payloads: Uint16Array): readonly (readonly [Payload, number])[] => {
  const known: Payload[] = [];
  for (let at = 0; at < payloads.length; at += 1) {
    const payload = payloads[at] as number;
    if (times[payload] === 0) known.push(payload);
    times[payload] = (times[payload] as number) + 1;
  }
  const counted = known.map((payload) => [payload, times[payload] as number] as const);
  for (const payload of known) times[payload] = 0;
  return counted
    .sort(([, one], [, other]) => other - one)
    .slice(0, rare)
    .sort(([one], [other]) => rankOfOne(other, 1) - rankOfOne(one, 1));
};

/** The least code of each block. */
const leastOf = (values: Uint8Array): Uint8Array => {
  const least = new Uint8Array(Math.ceil(values.length / 2 ** blockBits)).fill(rare);
  for (let place = 0; place < values.length; place += 1) {
    const block = place >>> blockBits;
    const code = values[place] as number;
    if (code < (least[block] as number)) least[block] = code;
  }
  return least;
};

/** What is kept: codes by place, payloads and their number by code, and the payloads without one. */
interface Encoded {
  readonly values: Uint8Array;
  readonly table: Uint16Array;
  readonly counts: Uint32Array;
  readonly rarePlaces: Uint32Array;
  readonly rarePayloads: Uint16Array;
}

const codesOf = ({ values, table, counts, rarePlaces, rarePayloads }: Encoded): Codes => {
  const least = leastOf(values);
  const rareAt = (place: number): Payload => {
    let [low, high] = [0, rarePlaces.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((rarePlaces[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return rarePayloads[low] as number;
  };
  const at = (place: number): Payload => {
    const code = values[place] as number;
    return code === rare ? rareAt(place) : (table[code] as number);
  };
  return {
    count: values.length,
    bytes: values.length + least.length + 6 * rarePlaces.length + 6 * table.length,
    at,
    read(places) {
      const payloads = new Uint16Array(places.length);
      for (let index = 0; index < places.length; index += 1) {
        payloads[index] = at(places[index] as number);
      }
      return payloads;
    },
    unpack() {
      const payloads = new Uint16Array(values.length);
      for (let place = 0; place < values.length; place += 1) {
        payloads[place] = table[values[place] as number] as number;
      }
      for (let index = 0; index < rarePlaces.length; index += 1) {
        payloads[rarePlaces[index] as number] = rarePayloads[index] as number;
      }
      return payloads;
    },
    tally() {
      const rares = new Map<Payload, number>();
      for (const payload of rarePayloads) rares.set(payload, (rares.get(payload) ?? 0) + 1);
      return [
        ...Array.from(table, (payload, code) => [payload, counts[code] as number] as const),
        ...rares,
      ];
    },
    next(payloads) {
      const wanted = new Uint8Array(rare + 1);
      let worst = -1;
      for (const [code, payload] of table.entries()) {
        if (!payloads.has(payload)) continue;
        wanted[code] = 1;
        worst = code;
      }
      const rares = rarePlaces.filter((_, at) => payloads.has(rarePayloads[at] as number));
      let ahead = 0;
      return (from) => {
        while ((rares[ahead] ?? from) < from) ahead += 1;
        const end = rares[ahead] ?? values.length;
        for (let block = from >>> blockBits; block << blockBits < end; block += 1) {
          if ((least[block] as number) > worst) continue;
          const stop = Math.min(end, (block + 1) << blockBits);
          for (let place = Math.max(from, block << blockBits); place < stop; place += 1) {
            if (wanted[values[place] as number] === 1) return place;
          }
        }
        return end;
      };
    },
  };
};
