import type { EventOfType } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import type { CoreRow, VariantListRow } from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import { upsertVersionOf } from "./product-core.ts";
import type { EvolveResult, TextCleaner } from "./projection.ts";
import { buildVariant, listVariantChanges } from "./variant-content.ts";

type ProductEvent = EventOfType<
  "shop.product.upserted" | "shop.product.patched" | "shop.product.deleted"
>;

/**
 * Folds a product event into the list of its variants: an upsert replaces it, also by no list, a patch by a list only.
 * @param core row of the product before the event: without a row of the list, the latest upsert had none
 * @returns undefined when the event leaves the list as it is
 */
export const evolveVariantList = (
  row: VariantListRow | undefined,
  core: CoreRow | undefined,
  event: ProductEvent,
  text: TextCleaner,
): EvolveResult<VariantListRow> | undefined => {
  const list = listOf(event);
  if (list === undefined) return undefined;
  const content = list === null ? null : list.map((data) => buildVariant(data, text));
  const version = versionOf(event);
  const upsertVersion = row ? undefined : upsertVersionOf(core);
  const before = row ?? (upsertVersion && emptyList(upsertVersion)) ?? null;
  if (!row && content === null && !isLateUpsert(core, event)) return undefined;
  return evolveFieldGroup(before, version, content, (replaced) =>
    replaced.flatMap(listVariantChanges),
  );
};

const emptyList = (version: VariantListRow["version"]): VariantListRow => ({
  version,
  contentChangedAt: 0,
  content: null,
});

/**
 * Whether a patch of the product is newer than an upsert or a deletion, which the core then does not record.
 */
const isLateUpsert = (core: CoreRow | undefined, event: ProductEvent): boolean =>
  core?.group != null && compareTimes(core.group.version, event) > 0;

/** @returns undefined when the event says nothing of variants; null when it says that there is no list */
const listOf = (event: ProductEvent) => {
  switch (event.type) {
    case "shop.product.upserted":
      return event.data.variants ?? null;
    case "shop.product.patched":
      return event.data.variants === undefined ? undefined : (event.data.variants ?? []);
    case "shop.product.deleted":
      return null;
  }
};
