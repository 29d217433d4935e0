import type { EventOfType, ProductPatch } from "../src/events/event.ts";
import { factNames } from "../src/events/product-facts.ts";
import { deepEqual } from "../src/platform/deep-equal.ts";
import type { CoreRow, EventVersion, PendingPatch } from "../src/read-model/schema/rows.ts";
import { isSameEvent, isStale, versionOf } from "./field-group.ts";
import type { EvolveResult, Unrendered } from "./projection.ts";

type CorePatch = PendingPatch["patch"];

/**
 * Selects the queued patches with a higher version than an upsert or a delete, which overrides the others. On a tie the
 * patch is overridden, because the upsert or delete is later in the log.
 */
export const patchesNewerThan = (
  version: EventVersion,
  pending: CoreRow["pending"],
): readonly PendingPatch[] => pending?.filter((queued) => isStale(version, queued.version)) ?? [];

/** Queues a patch that arrived before its product. */
export const queuePatch = (
  row: CoreRow,
  event: EventOfType<"shop.product.patched">,
): EvolveResult<Unrendered<CoreRow>> => {
  const [version, patch] = [versionOf(event), pickCoreMembers(event.data)];
  const queued = row.pending ?? [];
  const last = queued.at(-1);
  for (const earlier of [row.group, last]) {
    if (earlier && isStale(version, earlier.version)) return { outcome: "stale" };
  }
  if (last && isSameEvent(last.version, version) && deepEqual(last.patch, patch)) {
    return { outcome: "repeated" };
  }
  const pending = [...dropOverridden(queued, patch), { version, patch }];
  return { outcome: "applied", row: { row: { ...row, pending }, html: undefined } };
};

const coreMembers = [
  ...(["name", "url", "reference", "gtin", "brand", "categoryIds"] as const),
  ...(["specifications", "images", "active", "descriptionHtml"] as const),
  ...factNames,
];

/**
 * Picks the core's members of a patch. Prices and variants are field groups of their own, and unknown members would only
 * take space.
 */
const pickCoreMembers = (data: ProductPatch): CorePatch =>
  Object.fromEntries(
    coreMembers.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])),
  );

export const patchesCore = (data: ProductPatch): boolean =>
  coreMembers.some((name) => data[name] !== undefined);

/**
 * Drops from queued patches every member that a later patch sets. At most one patch per core member, plus one, is
 * queued.
 */
const dropOverridden = (
  queued: readonly PendingPatch[],
  later: CorePatch,
): readonly PendingPatch[] =>
  queued.flatMap(({ version, patch }) => {
    const remaining = Object.entries(patch).filter(([name]) => !Object.hasOwn(later, name));
    return remaining.length > 0 ? [{ version, patch: Object.fromEntries(remaining) }] : [];
  });
