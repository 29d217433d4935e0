/** Ascending ids of products: four bytes each where they fit, eight in shops whose ids do not. */
export type Ids = Uint32Array | Float64Array;

const fits = 2 ** 32;

/** Room for so many ids up to a greatest one. */
export const idsUpTo = (count: number, greatest: number): Ids =>
  greatest < fits ? new Uint32Array(count) : new Float64Array(count);

export const noIds: Ids = new Uint32Array(0);

export const idsOf = (ascending: readonly number[]): Ids => {
  const ids = idsUpTo(ascending.length, ascending.at(-1) ?? 0);
  ids.set(ascending);
  return ids;
};

/** The place of the first id behind one. */
export const placeAfter = (ids: Ids, id: number): number => firstFrom(ids, id + 1, 0, ids.length);

export const hasId = (ids: Ids, id: number): boolean => {
  const at = firstFrom(ids, id, 0, ids.length);
  return at < ids.length && ids[at] === id;
};

/** The first place between two whose id is not below. */
const firstFrom = (ids: Ids, id: number, from: number, to: number): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Visits the ids that two lists share: their places in each, ascending. Where one list is much shorter, each of its
 * ids is looked for in the other, which takes about as long however long that is.
 */
export const eachShared = (
  one: Ids,
  other: Ids,
  visit: (atOne: number, atOther: number) => void,
): void => {
  if (one.length * muchLonger < other.length) {
    lookFor(one, other, visit);
  } else if (other.length * muchLonger < one.length) {
    lookFor(other, one, (atOther, atOne) => visit(atOne, atOther));
  } else mergeShared(one, other, visit);
};

const muchLonger = 4;

const mergeShared = (one: Ids, other: Ids, visit: (a: number, b: number) => void): void => {
  let [a, b] = [0, 0];
  while (a < one.length && b < other.length) {
    const [left, right] = [one[a] as number, other[b] as number];
    if (left === right) visit(a, b);
    if (left <= right) a += 1;
    if (right <= left) b += 1;
  }
};

const lookFor = (asked: Ids, ids: Ids, visit: (a: number, b: number) => void): void => {
  const { share, starts } = directoryOf(ids);
  const last = ids[ids.length - 1] as number;
  for (let a = 0; a < asked.length; a += 1) {
    const id = asked[a] as number;
    if (id > last) return;
    const bucket = Math.floor(id * share);
    let at = starts[bucket] as number;
    const end = starts[bucket + 1] as number;
    if (end - at > manyInBucket) at = firstFrom(ids, id, at, end);
    else while (at < end && (ids[at] as number) < id) at += 1;
    if (at < end && ids[at] === id) visit(a, at);
  }
};

/** Where to look for an id: its bucket is `floor(id * share)`, and begins at that one of `starts`. */
interface Directory {
  /** A power of two. */
  readonly share: number;
  readonly starts: Uint32Array;
}

/** Made when a list is first looked into, and kept as long as the list is. */
const directories = new WeakMap<Ids, Directory>();

const idsInBucket = 8;
const manyInBucket = 32;

const directoryOf = (ids: Ids): Directory => {
  const known = directories.get(ids);
  if (known) return known;
  const last = ids[ids.length - 1] ?? 0;
  const wanted = (last + 1) / Math.max(1, ids.length / idsInBucket);
  const share = 2 ** -Math.max(0, Math.ceil(Math.log2(wanted)));
  const starts = new Uint32Array(Math.floor(last * share) + 2);
  let bucket = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const own = Math.floor((ids[at] as number) * share);
    while (bucket < own) {
      bucket += 1;
      starts[bucket] = at;
    }
  }
  starts[bucket + 1] = ids.length;
  const directory = { share, starts };
  directories.set(ids, directory);
  return directory;
};

/** The last place whose number is not above one. */
export const lastUpTo = (ascending: Uint32Array, most: number): number => {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
