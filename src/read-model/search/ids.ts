/** Questions to ascending ids. */

/** The place of the first id behind one. */
export const placeAfter = (ids: Float64Array, id: number): number => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const hasId = (ids: Float64Array, id: number): boolean => {
  const after = placeAfter(ids, id);
  return after > 0 && ids[after - 1] === id;
};
