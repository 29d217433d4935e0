import type { Snapshot } from "../../../read-model/reader/reader.ts";
import { parseVariantId } from "../../variant-id.ts";
import { toStockFields } from "./offer-fields.ts";
import { formatVariant } from "./offer-text.ts";
import { writeMembers } from "./omit-empty.ts";
import { toVariantSummary } from "./variant-fields.ts";

/** The part of `check_availability` about variants. */
export interface CheckedVariants {
  /** Members of the answer as JSON, with a comma before each; empty when no variants were requested. */
  readonly json: string;
  readonly lines: readonly string[];
  readonly missing: readonly string[];
}

export const checkVariants = (
  snapshot: Snapshot,
  requested: readonly string[],
  asOf: string,
): CheckedVariants => {
  if (requested.length === 0) return { json: "", lines: [], missing: [] };
  const found = [...new Set(requested)].map((id) => {
    const ids = parseVariantId(id);
    return { id, ids, shown: ids && snapshot.variant(ids.product, ids.variant) };
  });
  const items = found.flatMap(({ ids, shown }) =>
    ids && shown ? [{ product: ids.product, shown }] : [],
  );
  const missing = found.flatMap(({ id, shown }) => (shown ? [] : [id]));
  const variants = items.map(({ product, shown }) => ({
    ...toVariantSummary(product, shown),
    as_of: asOf,
    ...toStockFields(shown.offer),
  }));
  return {
    json: writeMembers({ variants, ...(missing.length > 0 && { variants_not_found: missing }) }),
    lines: items.map(({ product, shown }) => formatVariant(product, shown)),
    missing,
  };
};
