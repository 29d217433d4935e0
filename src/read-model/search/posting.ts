import { createWriter, readBytes } from "./bytes.ts";
import { firstRun, mixed } from "./runs.ts";

/**
 * What is known of a word in a product, in 15 bits: how much the product is about it (1 to 127), and where in the
 * product's name it first stands. It follows from the product alone, never from the rest of the catalogue.
 */
export type Payload = number;

/** Of an id in a list that only says that it is there. */
export const present: Payload = 1;

/** @param place of the word in the name and length of the name, each from 1; places past 15 are not told */
export const payloadOf = (impact: number, place = 0, nameLength = 0): Payload =>
  place === 0 || place > 15 ? impact : impact | (place << 7) | (Math.min(nameLength, 15) << 11);

export const impactOf = (payload: Payload): number => payload & 127;
/** From 1; 0 when the word is not in the name. */
export const placeOf = (payload: Payload): number => (payload >> 7) & 15;
/** Words of the name, 15 for more; only where the place is not 0. */
export const nameLengthOf = (payload: Payload): number => payload >> 11;

/** Ids in ascending order, each with its payload. */
export interface Run {
  readonly ids: number[];
  readonly payloads: Payload[];
}

/** Mean number of postings in a run. */
export const meanRun = 512;
/** A list of so few stands whole in its head. */
export const mostInHead = 24;

/** The row a list begins with. */
export interface Head {
  /** Products in the list. */
  readonly count: number;
  /** Changes with any posting, and is the same for the same postings. */
  readonly fingerprint: number;
  /** Spellings of the word, each with the number of products that have it; none for a list that is no word. */
  readonly forms: ReadonlyMap<string, number>;
  /** All postings of a short list; undefined when they stand in runs. */
  readonly whole: Run | undefined;
  /** Key of the last run; 0 where that is the first one, or there is none. */
  readonly lastRun: number;
  /** The greatest id in the list; 0 when there is none. */
  readonly lastId: number;
}

/** Of a list without products. */
export const emptyHead = (): Head => ({ ...headOf({ ids: [], payloads: [] }), forms: new Map() });

/** What one posting adds to a fingerprint; sums of it stay below 2^53 for two million postings. */
export const fingerprintOf = (id: number, payload: Payload): number => mixed(id, payload + 1);

const writer = createWriter();

/**
 * A short list, as most are, tells nothing that follows from its postings.
 * @param list its name: a spelling that is the word itself is not written again
 */
export const encodeHead = (head: Head, list: string): Buffer => {
  const { count, fingerprint, forms, whole, lastRun, lastId } = head;
  writer.integer(whole ? 0 : count);
  if (!whole) for (const value of [fingerprint, lastRun, lastId]) writer.integer(value);
  writer.integer(forms.size);
  const word = list.slice(1);
  for (const [written, products] of forms) {
    writer.text(written === word ? "" : written);
    writer.integer(products);
  }
  if (whole) writeRun(whole);
  return writer.take();
};

export const decodeHead = (bytes: Buffer, list: string): Head => {
  const reader = readBytes(bytes);
  const count = reader.integer();
  const [fingerprint, lastRun, lastId] =
    count === 0 ? [0, 0, 0] : [reader.integer(), reader.integer(), reader.integer()];
  const forms = new Map<string, number>();
  for (let left = reader.integer(); left > 0; left -= 1) {
    forms.set(reader.text() || list.slice(1), reader.integer());
  }
  if (count > 0) return { count, fingerprint, forms, whole: undefined, lastRun, lastId };
  return { ...headOf(runFrom(reader)), forms };
};

const headOf = (whole: Run): Omit<Head, "forms"> => ({
  count: whole.ids.length,
  fingerprint: whole.ids.reduce(
    (sum, id, at) => sum + fingerprintOf(id, whole.payloads[at] as number),
    0,
  ),
  whole,
  lastRun: firstRun,
  lastId: whole.ids.at(-1) ?? 0,
});

export const encodeRun = (run: Run): Buffer => {
  writeRun(run);
  return writer.take();
};

const named = 0x80;

const writeRun = ({ ids, payloads }: Run): void => {
  let last = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    writePosting(id - last, payloads[at] as number);
    last = id;
  }
};

const writePosting = (distance: number, payload: Payload): void => {
  writer.integer(distance);
  const impact = payload & 127;
  const name = payload >> 7;
  writer.byte(name === 0 ? impact : impact | named);
  if (name !== 0) writer.byte(name);
};

/** A run as it is stored, and the last id in it. */
export interface RunEnd {
  readonly bytes: Buffer;
  readonly lastId: number;
}

/** The run with more postings behind all it has. */
export const extendRun = (
  { bytes, lastId }: RunEnd,
  postings: readonly { readonly id: number; readonly after: Payload }[],
): Buffer => {
  writer.bytes(bytes);
  let last = lastId;
  for (const { id, after } of postings) {
    writePosting(id - last, after);
    last = id;
  }
  return writer.take();
};

export const decodeRun = (bytes: Buffer): Run => runFrom(readBytes(bytes));

const runFrom = (reader: ReturnType<typeof readBytes>): Run => {
  const ids: number[] = [];
  const payloads: Payload[] = [];
  let id = 0;
  while (!reader.done()) {
    id += reader.integer();
    const impact = reader.byte();
    ids.push(id);
    payloads.push(impact < named ? impact : (impact & 127) | (reader.byte() << 7));
  }
  return { ids, payloads };
};

/** Decodes a run behind what the arrays already hold; returns how many they hold then. */
export const appendRun = (
  bytes: Buffer,
  ids: Float64Array,
  payloads: Uint16Array,
  from: number,
): number => {
  const end = bytes.length;
  let at = 0;
  let id = 0;
  let count = from;
  while (at < end) {
    let byte = bytes[at++] as number;
    if (byte < 0x80) id += byte;
    else {
      let delta = byte & 0x7f;
      let unit = 128;
      do {
        byte = bytes[at++] as number;
        delta += (byte & 0x7f) * unit;
        unit *= 128;
      } while (byte >= 0x80);
      id += delta;
    }
    const impact = bytes[at++] as number;
    ids[count] = id;
    payloads[count] = impact < named ? impact : (impact & 127) | ((bytes[at++] as number) << 7);
    count += 1;
  }
  return count;
};
