import type { EventOfType } from "../src/events/event.ts";
import { deepEqual } from "../src/platform/deep-equal.ts";
import type {
  CoreRow,
  EventVersion,
  FieldGroup,
  PendingPatch,
  ProductCore,
} from "../src/read-model/schema/rows.ts";
import { computeChangedAt, evolveFieldGroup, versionOf } from "./field-group.ts";
import { shopListing, updateMoves } from "./moves.ts";
import { buildCore, mergePatch } from "./product-content.ts";
import { patchesNewerThan, queuePatch } from "./product-patches.ts";
import type { EvolveResult, TextCleaner, Unrendered } from "./projection.ts";

type Upserted = EventOfType<"shop.product.upserted">;
type Patched = EventOfType<"shop.product.patched">;
type Deleted = EventOfType<"shop.product.deleted">;
type CoreResult = EvolveResult<Unrendered<CoreRow>>;
type CoreGroup = FieldGroup<ProductCore>;

const emptyRow: CoreRow = { group: null, pending: null, moves: [] };

/**
 * Folds product events into the core: an upsert replaces it, a patch merges (RFC 7396), a delete leaves a tombstone.
 * Patches that arrive before their product are queued; the upsert applies those that are newer than itself.
 */
export const evolveCore = (
  row: CoreRow = emptyRow,
  event: Upserted | Patched | Deleted,
  text: TextCleaner,
): CoreResult => {
  const evolved = foldCore(row, event, text);
  if (evolved.outcome !== "applied" || evolved.row.row.group === row.group) return evolved;
  const { row: core, html } = evolved.row;
  return { outcome: "applied", row: { row: withMoves(row, core), html } };
};

const foldCore = (
  row: CoreRow,
  event: Upserted | Patched | Deleted,
  text: TextCleaner,
): CoreResult => {
  switch (event.type) {
    case "shop.product.upserted":
      return upsert(row, event, text);
    case "shop.product.patched":
      return row.group?.content
        ? patch(row, row.group.content, event, text)
        : queuePatch(row, event);
    case "shop.product.deleted": {
      const version = versionOf(event);
      return writeGroup(row, evolveFieldGroup(row.group, version, null), version, null);
    }
  }
};

const withMoves = (before: CoreRow, core: CoreRow): CoreRow => {
  const joinedAt = core.group?.version.time ?? 0;
  const leftAt = Math.max(joinedAt, before.group?.contentChangedAt ?? 0);
  const [listedBefore, listedAfter] = [getListings(before), getListings(core)];
  return {
    ...core,
    moves: updateMoves(before.moves, listedBefore, listedAfter, { joinedAt, leftAt }),
  };
};

/** Returns the listings that contain a product: the shop's and those of its categories. */
const getListings = ({ group }: CoreRow): readonly number[] =>
  group?.content?.active ? [shopListing, ...group.content.categoryIds] : [];

const upsert = (row: CoreRow, event: Upserted, text: TextCleaner): CoreResult => {
  const version = versionOf(event);
  const evolved = evolveFieldGroup(row.group, version, buildCore(event.data, text));
  if (evolved.outcome !== "applied") return evolved;
  const newerPatches = patchesNewerThan(version, row.pending);
  const group = newerPatches.reduce<CoreGroup>(
    (current, queued) => applyQueued(current, queued, text),
    evolved.row,
  );
  const html = [event.data, ...newerPatches.map((queued) => queued.patch)]
    .map(({ descriptionHtml }) => descriptionHtml)
    .findLast((value) => value !== undefined);
  return writeGroup(row, { outcome: "applied", row: group }, version, html ?? null);
};

const applyQueued = (
  current: CoreGroup,
  { version, patch }: PendingPatch,
  text: TextCleaner,
): CoreGroup => {
  const content = current.content && mergePatch(current.content, patch, text);
  const isSame = deepEqual(current.content, content);
  return { version, contentChangedAt: computeChangedAt(current, isSame, version), content };
};

const patch = (
  row: CoreRow,
  content: ProductCore,
  event: Patched,
  text: TextCleaner,
): CoreResult => {
  const merged = mergePatch(content, event.data, text);
  const evolved = evolveFieldGroup(row.group, versionOf(event), merged);
  const upsertVersion = upsertVersionOf(row) ?? versionOf(event);
  return writeGroup(row, evolved, upsertVersion, event.data.descriptionHtml);
};

/**
 * Returns the version of the latest upsert or deletion that was applied.
 * @returns undefined before the first
 */
export const upsertVersionOf = (row: CoreRow | undefined): EventVersion | undefined =>
  row?.upsertVersion ?? row?.group?.version;

/**
 * Writes the group into the row, and drops the queued patches that it overrides.
 * @param upsertVersion version of the latest upsert or deletion
 * @param html HTML of the group; it is rendered only when its hash differs from the one before
 */
const writeGroup = (
  row: CoreRow,
  evolved: EvolveResult<CoreGroup>,
  upsertVersion: EventVersion,
  html: string | null | undefined,
): CoreResult => {
  if (evolved.outcome !== "applied") return evolved;
  const { row: group } = evolved;
  const before = row.group?.content;
  const isRendered = before && before.html === group.content?.html;
  const pending = group.content ? [] : patchesNewerThan(group.version, row.pending);
  const { moves } = row;
  const core = { group, pending: pending.length > 0 ? pending : null, moves };
  const isUpserted = deepEqual(upsertVersion, group.version);
  const written = isUpserted ? core : { upsertVersion, ...core };
  return { outcome: "applied", row: { row: written, html: isRendered ? undefined : html } };
};
