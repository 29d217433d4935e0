export const popcount = (bits: number): number => {
  let sums = bits - ((bits >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** Finds the index of the lowest bit that is set. The number must not be 0. */
export const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
