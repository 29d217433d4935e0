import type { ProductFacts, SpecificationData } from "../../src/events/product-facts.ts";

/** What the demo shop says of some of its goods besides the source: invented, and true to the descriptions. */
export interface Facts extends ProductFacts {
  /** Added to the specifications of the product. */
  readonly attributes?: readonly SpecificationData[];
}

const cotton: SpecificationData = { name: "Material", value: "Cotton", code: "material" };
const insulation = (grams: string): readonly SpecificationData[] => [
  { name: "Material", value: "Polyester", code: "material" },
  { name: "Weight", value: `${grams} g`, code: "product_weight", numericValue: grams, unit: "g" },
];
const sizeSystem: SpecificationData = { name: "Size system", value: "US", code: "size_system" };

const perKilogram = (grams: string) => ({
  measure: { value: grams, unit: "g" },
  base: { value: "1", unit: "kg" },
});
const noReturns = { accepted: false };

/** By number of the product. */
const facts: Readonly<Record<number, Facts>> = {
  1244: { attributes: insulation("620"), rating: { value: 4.6, count: 213 }, tags: ["winter"] },
  1300: { attributes: insulation("980"), rating: { value: 4.3, count: 87 }, tags: ["winter"] },
  1382: { attributes: [cotton], rating: { value: 4.5, count: 342 } },
  1388: { attributes: [cotton] },
  1396: { attributes: [cotton] },
  1400: { attributes: [cotton], rating: { value: 4.1, count: 58 } },
  1459: { returns: noReturns },
  1558: {
    releaseDate: "2027-10-29",
    related: [{ productId: 3442, relationship: "accessory" }],
    highlights: ["Fits a coat pocket", "Dials for aperture and shutter speed"],
    attributes: [
      { name: "Sensor", value: "24 megapixels", numericValue: "24", unit: "MP", group: "Camera" },
    ],
  },
  1592: {
    rating: { value: 4.8, count: 129 },
    highlights: ["Deep bass and crisp highs", "Detachable cable of 3 m"],
    attributes: [
      { name: "Cable length", value: "3 m", code: "cable_length", numericValue: "3", unit: "m" },
    ],
  },
  1904: { attributes: [sizeSystem], rating: { value: 4.4, count: 176 } },
  1921: { attributes: [sizeSystem, { name: "Material", value: "Canvas", code: "material" }] },
  1924: { attributes: [sizeSystem] },
  1948: { attributes: [sizeSystem, { name: "Material", value: "Wool", code: "material" }] },
  2249: {
    unitPricing: perKilogram("250"),
    returns: noReturns,
    warnings: [{ text: "Contains milk.", code: "allergen" }],
  },
  2259: {
    unitPricing: perKilogram("400"),
    returns: noReturns,
    warnings: [{ text: "Contains milk.", code: "allergen" }],
  },
  2529: { warnings: [{ text: "Never leave a burning candle unattended.", code: "fire" }] },
  3379: {
    minimumAge: 18,
    warnings: [{ text: "Sharp blade: keep out of the reach of children.", code: "sharp" }],
  },
  3452: {
    unitPricing: { measure: { value: "330", unit: "ml" }, base: { value: "1", unit: "l" } },
    quantityRule: { min: 6, step: 6, max: 48 },
  },
  3453: {
    returns: noReturns,
    warnings: [
      { text: "Contains peanuts. May contain traces of tree nuts.", code: "allergen" },
      { text: "Choking hazard for children under 4 years.", code: "choking" },
    ],
  },
};

export const factsOf = (number: number): Facts => facts[number] ?? {};
