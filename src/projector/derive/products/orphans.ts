import type { CoreRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";
import { setMember } from "../set-diff.ts";

/**
 * Updates the set of orphans: stock and prices that arrived before their product wait, and are counted.
 * @returns change of their number
 */
export const updateOrphan = (batch: UnitOfWork, stored: WritableTables, id: number): number => {
  const { productCores, stocks, prices } = batch;
  const isNow = isOrphan(productCores.get(id), stocks.get(id), prices.get(id));
  const wasBefore = isOrphan(productCores.original(id), stocks.original(id), prices.original(id));
  return isNow === wasBefore ? 0 : setMember(stored, tables.orphans, id, isNow);
};

const isOrphan = (core: CoreRow | undefined, ...others: readonly unknown[]): boolean =>
  core?.group == null && others.some((row) => row !== undefined);
