import { isEqual } from "../../../projections/field-group.ts";
import { longestTold } from "../../../projections/search-terms.ts";
import type { CoreRow, ProductCore } from "../../read-model/schema/rows.ts";
import { longestText } from "../rendering/plain-text.ts";
import type { Batch } from "./unit-of-work.ts";

/** How much text a batch makes be indexed, or taken out of the index, when it is written. */
export interface Indexed {
  /**
   * The core of a product changed.
   * @param html characters of the description's HTML that came with it, if any did
   */
  tell(id: number, html: number | undefined): void;
  /** Characters of products that came, went or say something else, as they were and as they are. */
  characters(): number;
}

/** A few characters make a word, and each word of a product is a row that is read and written. */
export const openIndexed = ({ cores, texts }: Batch): Indexed => {
  const descriptions = new Map<number, number>();
  const costs = new Map<number, number>();
  let sum = 0;
  // To write it reads the same row.
  const former = (id: number): number => texts.before(id)?.description?.length ?? 0;
  return {
    tell(id, html) {
      if (html) descriptions.set(id, Math.min(html, longestText));
      const [was, is] = [shownOf(cores.before(id)), shownOf(cores.get(id))];
      let cost = 0;
      if (!saysTheSame(was, is)) {
        cost = lengthOf(was, () => former(id));
        cost += lengthOf(is, () => descriptions.get(id) ?? former(id));
      }
      // Of all that is told of a product before it is written, only what is told last counts.
      sum += cost - (costs.get(id) ?? 0);
      costs.set(id, cost);
    },
    characters: () => sum,
  };
};

const shownOf = (row: CoreRow | undefined): ProductCore | undefined => {
  const content = row?.group?.content;
  return content?.active ? content : undefined;
};

type Shown = ProductCore | undefined;

const saysTheSame = (one: Shown, other: Shown): boolean => {
  if (!one || !other) return one === other;
  return (
    one.name === other.name &&
    one.html === other.html &&
    one.brand === other.brand &&
    one.reference === other.reference &&
    one.gtin === other.gtin &&
    isEqual(one.specifications, other.specifications)
  );
};

const lengthOf = (core: Shown, description: () => number): number => {
  if (!core) return 0;
  let told = 0;
  for (const { name, value } of core.specifications) told += name.length + value.length;
  return core.name.length + Math.min(told, longestTold) + (core.html === null ? 0 : description());
};
