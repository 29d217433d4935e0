import type { Payload } from "./posting.ts";

/** Payloads in a byte each: few differ, and of a list where many do only the commonest count. */
export interface Codes {
  readonly count: number;
  readonly bytes: number;
  at(place: number): Payload;
  unpack(): Uint16Array;
  /** Each payload there is, and how often. */
  tally(): readonly (readonly [payload: Payload, times: number])[];
  /** The first place from one on that has one of these payloads; `count` when there is none. */
  next(payloads: ReadonlySet<Payload>): (from: number) => number;
}

/** Stands for a payload that is too rare for a code; those are kept by their places. */
const rare = 255;

export const encodePayloads = (payloads: Uint16Array): Codes => {
  const table = commonest(payloads);
  for (const [code, payload] of table.entries()) codeOf[payload] = code;
  const values = new Uint8Array(payloads.length);
  const rarePlaces: number[] = [];
  for (let at = 0; at < payloads.length; at += 1) {
    const code = codeOf[payloads[at] as number] as number;
    values[at] = code;
    if (code === rare) rarePlaces.push(at);
  }
  for (const payload of table) codeOf[payload] = rare;
  const places = Uint32Array.from(rarePlaces);
  const rarePayloads = Uint16Array.from(rarePlaces, (at) => payloads[at] as number);
  return codesOf(values, Uint16Array.from(table), places, rarePayloads);
};

/** By payload; room to work in, between two uses as it was. */
const times = new Uint32Array(0x8000);
const codeOf = new Uint8Array(0x8000).fill(rare);

/** The payloads that get a code, the commonest first. */
const commonest = (payloads: Uint16Array): readonly Payload[] => {
  const known: Payload[] = [];
  for (let at = 0; at < payloads.length; at += 1) {
    const payload = payloads[at] as number;
    if (times[payload] === 0) known.push(payload);
    times[payload] = (times[payload] as number) + 1;
  }
  if (known.length > rare) known.sort((a, b) => (times[b] as number) - (times[a] as number));
  for (const payload of known) times[payload] = 0;
  return known.slice(0, rare);
};

const codesOf = (
  values: Uint8Array,
  table: Uint16Array,
  rarePlaces: Uint32Array,
  rarePayloads: Uint16Array,
): Codes => {
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
    bytes: values.length + 6 * rarePlaces.length + 2 * table.length,
    at,
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
      const counts = new Uint32Array(rare + 1);
      for (let place = 0; place < values.length; place += 1) {
        const code = values[place] as number;
        counts[code] = (counts[code] as number) + 1;
      }
      const rares = new Map<Payload, number>();
      for (const payload of rarePayloads) rares.set(payload, (rares.get(payload) ?? 0) + 1);
      return [
        ...Array.from(table, (payload, code) => [payload, counts[code] ?? 0] as const),
        ...rares,
      ];
    },
    next(payloads) {
      const wanted = new Uint8Array(rare + 1);
      for (const [code, payload] of table.entries()) wanted[code] = Number(payloads.has(payload));
      wanted[rare] = Number(rarePayloads.some((payload) => payloads.has(payload)));
      return (from) => {
        for (let place = from; place < values.length; place += 1) {
          const code = values[place] as number;
          if (wanted[code] === 1 && (code !== rare || payloads.has(rareAt(place)))) return place;
        }
        return values.length;
      };
    },
  };
};
