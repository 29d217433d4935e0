import type { ReadTables } from "../../store/store.ts";
import { toMicroUnits } from "../doc-values/doc-values.ts";
import { forEachBlock, scanAllBlocks } from "../doc-values/doc-values-scan.ts";
import { presencePayload } from "../postings/payload.ts";
import { idSource, type PostingSource } from "../postings/posting-source.ts";

/**
 * Matches products in a price range, both ends included. Its count is infinite, so that it is read after all other
 * sources, because it tests each product.
 */
export const priceSource = (
  stored: ReadTables,
  priceMin: string | undefined,
  priceMax: string | undefined,
): PostingSource => {
  const min = priceMin === undefined ? 0 : toMicroUnits(priceMin);
  const max = priceMax === undefined ? Number.POSITIVE_INFINITY : toMicroUnits(priceMax);
  const isWithin = (price: number): boolean => price >= min && price <= max;
  return {
    count: Number.POSITIVE_INFINITY,
    all() {
      const ids: number[] = [];
      scanAllBlocks(stored, (block) => {
        const prices = block.prices();
        for (let row = 0; row < prices.length; row += 1) {
          if (isWithin(prices[row] as number)) ids.push(block.ids[row] as number);
        }
      });
      return idSource(ids).all();
    },
    at(ids) {
      const payloads = new Uint32Array(ids.length);
      forEachBlock(stored, ids, (block, { rows, idIndexes }) => {
        const prices = block.prices();
        for (let at = 0; at < rows.length; at += 1) {
          if (isWithin(prices[rows[at] as number] as number))
            payloads[idIndexes[at] as number] = presencePayload;
        }
      });
      return payloads;
    },
  };
};
