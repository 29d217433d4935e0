import { showsQuantities } from "../../../offers/policy.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { changesOffers, type IndexSettingsChange } from "../index-settings.ts";

/**
 * Reads the visible products whose documents depend on the settings that a batch changed: those with offers, or all when quantities
 * begin or cease to date pages.
 */
export const readProductsOfSettings = (
  stored: WritableTables,
  settings: IndexSettingsChange,
): readonly number[] => {
  if (!changesOffers(settings)) return [];
  const { before, after } = settings;
  const changesAll = showsQuantities(before.policy) !== showsQuantities(after.policy);
  const ids = [...stored.keys(tables.products)];
  return changesAll ? ids : ids.filter((id) => stored.get(tables.products, id)?.offers);
};
