import type { EventOfType, ProductData, ProductPatch } from "../src/events/event.ts";
import type {
  CoreRow,
  EventVersion,
  PendingPatch,
  ProductCore,
} from "../src/read-model/schema/rows.ts";
import {
  compareVersions,
  deepEqual,
  type EvolveResult,
  evolveFieldGroup,
  type HtmlRenderer,
  isSameEvent,
  versionOf,
} from "./field-group.ts";
import { shopListing, updateMoves } from "./moves.ts";

type Upserted = EventOfType<"shop.product.upserted">;
type Patched = EventOfType<"shop.product.patched">;
type Deleted = EventOfType<"shop.product.deleted">;
type CoreData = Omit<ProductData, "id" | "price">;
type CorePatch = PendingPatch["patch"];

/** The new core and the HTML to render: undefined when the HTML did not change, null when there is none. */
export interface CoreResult {
  readonly core: CoreRow;
  readonly html: string | null | undefined;
}

const emptyRow: CoreRow = { group: null, pending: null, moves: [] };

/**
 * Folds product events into the core: an upsert replaces it, a patch merges (RFC 7396), a delete leaves a tombstone.
 * Patches that arrive before their product are queued; the upsert applies those that are newer than itself.
 */
export const evolveCore = (
  row: CoreRow = emptyRow,
  event: Upserted | Patched | Deleted,
  rendering: HtmlRenderer,
): EvolveResult<CoreResult> => {
  const evolved = foldCore(row, event, rendering);
  if (evolved.outcome !== "applied" || evolved.row.core.group === row.group) return evolved;
  const { core, html } = evolved.row;
  return { outcome: "applied", row: { core: withMoves(row, core), html } };
};

const foldCore = (
  row: CoreRow,
  event: Upserted | Patched | Deleted,
  rendering: HtmlRenderer,
): EvolveResult<CoreResult> => {
  switch (event.type) {
    case "shop.product.upserted":
      return upsert(row, event, rendering);
    case "shop.product.patched":
      return row.group?.content ? patch(row, event, rendering) : queuePatch(row, event);
    case "shop.product.deleted":
      return toCoreResult(row, evolveFieldGroup(row.group, versionOf(event), null), null);
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

const upsert = (
  row: CoreRow,
  event: Upserted,
  rendering: HtmlRenderer,
): EvolveResult<CoreResult> => {
  const version = versionOf(event);
  const evolved = evolveFieldGroup(row.group, version, buildCore(event.data, rendering));
  if (evolved.outcome !== "applied") return evolved;
  const newerPatches = patchesNewerThan(version, row.pending);
  const htmls = [event.data, ...newerPatches.map(({ patch }) => patch)].map(
    (one) => one.descriptionHtml,
  );
  const group = newerPatches.reduce((current, { version, patch }) => {
    const content = current.content && merge(current.content, patch, rendering);
    const isSame = deepEqual(current.content, content);
    const contentChangedAt = isSame
      ? current.contentChangedAt
      : Math.max(current.contentChangedAt, version.time);
    return { version, contentChangedAt, content };
  }, evolved.row);
  const html = htmls.findLast((value) => value !== undefined) ?? null;
  return toCoreResult(row, { outcome: "applied", row: group }, html);
};

/** Selects the queued patches that an upsert or a delete does not override. */
const patchesNewerThan = (
  version: EventVersion,
  pending: CoreRow["pending"],
): readonly PendingPatch[] =>
  pending?.filter((queued) => compareVersions(queued.version, version) === "stale") ?? [];

const patch = (row: CoreRow, event: Patched, rendering: HtmlRenderer): EvolveResult<CoreResult> => {
  const content = row.group?.content ? merge(row.group.content, event.data, rendering) : null;
  return toCoreResult(
    row,
    evolveFieldGroup(row.group, versionOf(event), content),
    event.data.descriptionHtml,
  );
};

const queuePatch = (row: CoreRow, event: Patched): EvolveResult<CoreResult> => {
  const [version, patch] = [versionOf(event), pickCoreMembers(event.data)];
  const queued = row.pending ?? [];
  const last = queued.at(-1);
  for (const earlier of [row.group, last]) {
    if (earlier && compareVersions(earlier.version, version) === "stale")
      return { outcome: "stale" };
  }
  if (last && isSameEvent(last.version, version) && deepEqual(last.patch, patch)) {
    return { outcome: "repeated" };
  }
  const pending = [...dropOverridden(queued, patch), { version, patch }];
  return { outcome: "applied", row: { core: { ...row, pending }, html: undefined } };
};

const coreMembers = [
  ...(["name", "url", "reference", "gtin", "brand", "categoryIds"] as const),
  ...(["specifications", "images", "active", "descriptionHtml"] as const),
];

/**
 * Picks the core's members of a patch. The price is a field group of its own, and unknown members would only take
 * space.
 */
const pickCoreMembers = (data: ProductPatch): CorePatch =>
  Object.fromEntries(
    coreMembers.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])),
  );

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

/** Returns the HTML only when it must be rendered again. */
const toCoreResult = (
  row: CoreRow,
  evolved: EvolveResult<NonNullable<CoreRow["group"]>>,
  html: string | null | undefined,
): EvolveResult<CoreResult> => {
  if (evolved.outcome !== "applied") return evolved;
  const isUnchanged = row.group?.content && row.group.content.html === evolved.row.content?.html;
  const pending = evolved.row.content ? [] : patchesNewerThan(evolved.row.version, row.pending);
  return {
    outcome: "applied",
    row: {
      core: { ...row, group: evolved.row, pending: pending.length > 0 ? pending : null },
      html: isUnchanged ? undefined : html,
    },
  };
};

const buildCore = (data: CoreData, rendering: HtmlRenderer): ProductCore => ({
  name: rendering.cleanText(data.name),
  url: data.url,
  reference: cleanOrNull(data.reference, rendering),
  gtin: cleanOrNull(data.gtin, rendering),
  brand: cleanOrNull(data.brand, rendering),
  categoryIds: [...new Set(data.categoryIds ?? [])],
  specifications: (data.specifications ?? []).map(({ name, value }) => ({
    name: rendering.cleanText(name),
    value: rendering.cleanText(value),
  })),
  images: (data.images ?? []).map(({ url, alt }) => ({ url, alt: cleanOrNull(alt, rendering) })),
  active: data.active ?? true,
  html: data.descriptionHtml == null ? null : rendering.hashHtml(data.descriptionHtml),
});

const cleanOrNull = (text: string | null | undefined, rendering: HtmlRenderer): string | null =>
  (text && rendering.cleanText(text)) || null;

/** Merges a patch as RFC 7396 does: an absent member stays, null clears it. */
const merge = (core: ProductCore, patch: CorePatch, rendering: HtmlRenderer): ProductCore => {
  const replacement = buildCore(toFullData(patch, core), rendering);
  const pick = <K extends keyof ProductCore>(member: K, name: keyof CorePatch): ProductCore[K] =>
    patch[name] === undefined ? core[member] : replacement[member];
  return {
    name: pick("name", "name"),
    url: pick("url", "url"),
    reference: pick("reference", "reference"),
    gtin: pick("gtin", "gtin"),
    brand: pick("brand", "brand"),
    categoryIds: pick("categoryIds", "categoryIds"),
    specifications: pick("specifications", "specifications"),
    images: pick("images", "images"),
    active: pick("active", "active"),
    html: pick("html", "descriptionHtml"),
  };
};

const toFullData = (patch: CorePatch, core: ProductCore): CoreData => ({
  ...patch,
  name: patch.name ?? core.name,
  url: patch.url ?? core.url,
});
