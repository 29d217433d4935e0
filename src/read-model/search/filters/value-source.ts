import type { ReadTables } from "../../store/store.ts";
import { type FindFacts, openFacts } from "../doc-values/attribute-scan.ts";
import { forEachBlock } from "../doc-values/doc-values-scan.ts";
import type { DocIds } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import { idSource, type PostingSource } from "../postings/posting-source.ts";
import type { SearchContext } from "../query/search-context.ts";
import { createProductTest, type ProductValues } from "./product-match.ts";
import type { ValueFilter } from "./value-filter.ts";

/**
 * Matches products by prices, options and facts at an instant. Its count is infinite, so that it is read after all other sources,
 * because it tests each product.
 */
export const valueSource = (context: SearchContext, filter: ValueFilter): PostingSource => {
  const { stored, instant } = context;
  const { options, attributes } = filter.variant;
  const isMet = createProductTest(filter);
  return testSource(context, (ids) => {
    const payloads = new Uint32Array(ids.length);
    const findFacts = options.length + attributes.length > 0 ? openFacts(stored, ids) : noFacts;
    forEachProduct({ stored, ids, findFacts, instant }, (values, at) => {
      if (isMet(values)) payloads[at] = presencePayload;
    });
    return payloads;
  });
};

/** Matches the products that pass a test. @param test gives the presence payload of each id that matches, else 0 */
export const testSource = (
  { allIds }: SearchContext,
  test: (ids: DocIds) => Uint32Array,
): PostingSource => ({
  count: Number.POSITIVE_INFINITY,
  all() {
    const ids = allIds();
    const matches = test(ids);
    const found: number[] = [];
    for (let at = 0; at < ids.length; at += 1) {
      if (matches[at] === presencePayload) found.push(ids[at] as number);
    }
    return idSource(found).all();
  },
  at: test,
});

interface Visited {
  readonly stored: ReadTables;
  /** Ascending. */
  readonly ids: DocIds;
  readonly findFacts: FindFacts;
  readonly instant: number;
}

/** Visits what filters read of visible products. */
export const forEachProduct = (
  { stored, ids, findFacts, instant }: Visited,
  visit: (values: ProductValues, at: number) => void,
): void => {
  forEachBlock(stored, ids, instant, (block, { rows, idIndexes }) => {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const id = block.ids[row] as number;
      visit({ id, facts: findFacts(id), block, row }, idIndexes[at] as number);
    }
  });
};

const noFacts: FindFacts = () => undefined;
