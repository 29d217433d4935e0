import { deepEqual } from "../../../projections/field-group.ts";
import { maxSpecificationChars } from "../../../projections/search-terms.ts";
import { getVisibleCore } from "../derive/change-log.ts";
import { maxPlainTextChars } from "../rendering/plain-text.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/** Tracks the text that a batch will add to the index or remove from it when it is written. */
export interface IndexingCost {
  /**
   * Records that the core of a product changed.
   * @param html characters of the description's HTML in the event, if it has any
   */
  record(id: number, html: number | undefined): void;
  /** Returns the characters of added, removed and changed products, in their old and new versions. */
  characters(): number;
}

/** Creates a tracker that counts characters, because each term of a product is a row that is read and written. */
export const trackIndexingCost = ({ productCores, productTexts }: UnitOfWork): IndexingCost => {
  const descriptions = new Map<number, number>();
  const costs = new Map<number, number>();
  let sum = 0;
  // Costs no extra read, because the write reads the same row.
  const originalLength = (id: number): number => productTexts.original(id)?.length ?? 0;
  return {
    record(id, html) {
      if (html) descriptions.set(id, Math.min(html, maxPlainTextChars));
      const original = getVisibleCore(productCores.original(id));
      const current = getVisibleCore(productCores.get(id));
      let cost = 0;
      if (!hasSameText(original, current)) {
        cost = countCharacters(original, () => originalLength(id));
        cost += countCharacters(current, () => descriptions.get(id) ?? originalLength(id));
      }
      // Only the last version of a product before the write counts.
      sum += cost - (costs.get(id) ?? 0);
      costs.set(id, cost);
    },
    characters: () => sum,
  };
};

type VisibleCore = ReturnType<typeof getVisibleCore>;

const hasSameText = (one: VisibleCore, other: VisibleCore): boolean => {
  if (!one || !other) return one === other;
  return (
    one.name === other.name &&
    one.html === other.html &&
    one.brand === other.brand &&
    one.reference === other.reference &&
    one.gtin === other.gtin &&
    deepEqual(one.specifications, other.specifications)
  );
};

const countCharacters = (core: VisibleCore, description: () => number): number => {
  if (!core) return 0;
  let specified = 0;
  for (const { name, value } of core.specifications) specified += name.length + value.length;
  const specifications = Math.min(specified, maxSpecificationChars);
  return core.name.length + specifications + (core.html === null ? 0 : description());
};
