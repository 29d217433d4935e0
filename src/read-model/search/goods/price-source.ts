import type { OfferValues } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { forEachBlock, scanAllBlocks } from "../doc-values/doc-values-scan.ts";
import { type DocIds, indexAfter } from "../postings/doc-ids.ts";
import { presencePayload } from "../postings/payload.ts";
import { idSource, type PostingSource } from "../postings/posting-source.ts";
import { readEntries } from "./value-entries.ts";

/**
 * Matches products in a price range alone. Its count is infinite, so that it is read after all other sources, because it tests each
 * product. Products whose price depends on the time or on variants have no price in the doc values.
 * @param isMet tests one of those
 */
export const priceSource = (
  stored: ReadTables,
  { min, max }: { readonly min: number; readonly max: number },
  isMet: (offer: OfferValues) => boolean,
): PostingSource => ({
  count: Number.POSITIVE_INFINITY,
  all() {
    const ids: number[] = [];
    scanAllBlocks(stored, (block) => {
      const prices = block.prices();
      for (let row = 0; row < prices.length; row += 1) {
        const price = prices[row] as number;
        if (price >= min && price <= max) ids.push(block.ids[row] as number);
      }
    });
    const plainCount = ids.length;
    for (const [, offers] of stored.entries(tables.offerValues)) {
      for (const offer of offers) if (isMet(offer)) ids.push(offer[0]);
    }
    return idSource(ids.length > plainCount ? ids.sort((a, b) => a - b) : ids).all();
  },
  at(ids) {
    const payloads = new Uint32Array(ids.length);
    forEachBlock(stored, ids, (block, { rows, idIndexes }) => {
      const prices = block.prices();
      for (let at = 0; at < rows.length; at += 1) {
        const price = prices[rows[at] as number] as number;
        if (price >= min && price <= max) payloads[idIndexes[at] as number] = presencePayload;
      }
    });
    markOffers(stored, ids, payloads, isMet);
    return payloads;
  },
});

const markOffers = (
  stored: ReadTables,
  ids: DocIds,
  payloads: Uint32Array,
  isMet: (offer: OfferValues) => boolean,
): void => {
  for (const [id, offer] of readEntries(stored, tables.offerValues, ([own]) => own, ids)) {
    const at = indexAfter(ids, id - 1);
    if (ids[at] === id && isMet(offer)) payloads[at] = presencePayload;
  }
};
