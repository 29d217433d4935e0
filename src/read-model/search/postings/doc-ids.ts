/** Ascending product ids: four bytes each where they fit, eight in shops with larger ids. */
export type DocIds = Uint32Array | Float64Array;

const uint32Limit = 2 ** 32;

export const allocateIds = (count: number, maxId: number): DocIds =>
  maxId < uint32Limit ? new Uint32Array(count) : new Float64Array(count);

export const emptyIds: DocIds = new Uint32Array(0);

export const toDocIds = (ascending: readonly number[]): DocIds => {
  const ids = allocateIds(ascending.length, ascending.at(-1) ?? 0);
  ids.set(ascending);
  return ids;
};

export const indexAfter = (ids: DocIds, id: number): number => lowerBound(ids, id + 1);

export const containsId = (ids: DocIds, id: number): boolean => ids[lowerBound(ids, id)] === id;

/** Finds the first index, from `from` to `to`, whose number is not less than `min`. */
export const lowerBound = (
  ascending: DocIds,
  min: number,
  from = 0,
  to = ascending.length,
): number => partitionPoint(from, to, (at) => (ascending[at] as number) < min);

/**
 * Finds the first index, from `from` to `to`, that is not before a boundary (binary search).
 * @param isBefore true for all indexes before the boundary
 */
export const partitionPoint = (
  from: number,
  to: number,
  isBefore: (at: number) => boolean,
): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Visits the common ids of two lists by their indexes in each, ascending. Where one list is much shorter, each of its
 * ids is looked up in the other, in a time that hardly depends on the longer list.
 */
export const forEachCommon = (
  one: DocIds,
  other: DocIds,
  visit: (atOne: number, atOther: number) => void,
): void => {
  if (one.length * longerFactor < other.length) {
    probeEach(one, other, visit);
  } else if (other.length * longerFactor < one.length) {
    probeEach(other, one, (atOther, atOne) => visit(atOne, atOther));
  } else mergeCommon(one, other, visit);
};

const longerFactor = 4;

const mergeCommon = (one: DocIds, other: DocIds, visit: (a: number, b: number) => void): void => {
  let [a, b] = [0, 0];
  while (a < one.length && b < other.length) {
    const [idA, idB] = [one[a] as number, other[b] as number];
    if (idA === idB) visit(a, b);
    if (idA <= idB) a += 1;
    if (idB <= idA) b += 1;
  }
};

const probeEach = (
  shorter: DocIds,
  longer: DocIds,
  visit: (a: number, b: number) => void,
): void => {
  const { scale, starts } = getDirectory(longer);
  const last = longer[longer.length - 1] as number;
  for (let a = 0; a < shorter.length; a += 1) {
    const id = shorter[a] as number;
    if (id > last) return;
    const bucket = Math.floor(id * scale);
    let at = starts[bucket] as number;
    const end = starts[bucket + 1] as number;
    if (end - at > binarySearchThreshold) at = lowerBound(longer, id, at, end);
    else while (at < end && (longer[at] as number) < id) at += 1;
    if (at < end && longer[at] === id) visit(a, at);
  }
};

/** Bucket directory of a list: an id's bucket is `floor(id * scale)` and starts at that entry of `starts`. */
interface Directory {
  /** A power of two. */
  readonly scale: number;
  readonly starts: Uint32Array;
}

/** Directories are built at the first lookup in a list and live as long as the list. */
const directories = new WeakMap<DocIds, Directory>();

const meanBucketSize = 8;
const binarySearchThreshold = 32;

const getDirectory = (ids: DocIds): Directory => {
  const cached = directories.get(ids);
  if (cached) return cached;
  const last = ids[ids.length - 1] ?? 0;
  const bucketWidth = (last + 1) / Math.max(1, ids.length / meanBucketSize);
  const scale = 2 ** -Math.max(0, Math.ceil(Math.log2(bucketWidth)));
  const starts = new Uint32Array(Math.floor(last * scale) + 2);
  let bucket = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const target = Math.floor((ids[at] as number) * scale);
    while (bucket < target) {
      bucket += 1;
      starts[bucket] = at;
    }
  }
  starts[bucket + 1] = ids.length;
  const directory = { scale, starts };
  directories.set(ids, directory);
  return directory;
};
