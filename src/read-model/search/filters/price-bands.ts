/**
 * Price bands end at 1, 2 and 5 times each power of ten. So a shop of screws and a shop of cars both have several.
 */
const bandSteps = [1, 2, 5];
const microUnits = 1_000_000;

const getBandStart = (band: number): number =>
  band === 0 ? 0 : (bandSteps[(band - 1) % 3] as number) * 10 ** Math.floor((band - 1) / 3);

/** Start of each band in units of 10^-6, up to the largest amount. */
const bandStarts = Array.from({ length: 50 }, (_, band) => getBandStart(band) * microUnits);

/**
 * Finds the band of a price. Band 0 holds prices below 1.
 * @returns undefined without a price
 */
export const findBand = (price: number): number | undefined => {
  if (Number.isNaN(price)) return undefined;
  let band = 0;
  while (price >= (bandStarts[band + 1] ?? Number.POSITIVE_INFINITY)) band += 1;
  return band;
};

/** Formats the limits of a band. `max` is exclusive. */
export const getBandLimits = (band: number): { readonly min: string; readonly max: string } => ({
  min: String(getBandStart(band)),
  max: String(getBandStart(band + 1)),
});
