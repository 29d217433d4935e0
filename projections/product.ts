import type { EventOfType, ProductData, ProductPatch } from "../src/events/event.ts";
import type { CoreRow, PendingPatch, ProductCore, Stamp } from "../src/read-model/schema/rows.ts";
import {
  compareStamps,
  type Evolved,
  evolveGroup,
  isEqual,
  isSameEvent,
  type Rendering,
  stampOf,
} from "./field-group.ts";
import { moved, shopPlace } from "./moves.ts";

type Upserted = EventOfType<"shop.product.upserted">;
type Patched = EventOfType<"shop.product.patched">;
type Deleted = EventOfType<"shop.product.deleted">;
type CoreData = Omit<ProductData, "id" | "price">;
type CorePatch = PendingPatch["patch"];

/** The core as told, and the HTML to render: undefined when it is the one rendered before, null when there is none. */
export interface EvolvedCore {
  readonly core: CoreRow;
  readonly html: string | null | undefined;
}

const unknown: CoreRow = { group: null, pending: null, moves: [] };

/**
 * The core of a product: an upsert replaces it, a patch merges (RFC 7396), a delete leaves a tombstone.
 * Patches that come before their product wait for it: of those only what is newer than the product is then told.
 */
export const evolveCore = (
  row: CoreRow = unknown,
  event: Upserted | Patched | Deleted,
  rendering: Rendering,
): Evolved<EvolvedCore> => {
  const evolved = evolveContent(row, event, rendering);
  if (evolved.outcome !== "applied" || evolved.row.core.group === row.group) return evolved;
  const { core, html } = evolved.row;
  return { outcome: "applied", row: { core: withMoves(row, core), html } };
};

const evolveContent = (
  row: CoreRow,
  event: Upserted | Patched | Deleted,
  rendering: Rendering,
): Evolved<EvolvedCore> => {
  switch (event.type) {
    case "shop.product.upserted":
      return upsert(row, event, rendering);
    case "shop.product.patched":
      return row.group?.content ? patch(row, event, rendering) : postpone(row, event);
    case "shop.product.deleted":
      return settle(row, evolveGroup(row.group, stampOf(event), null), null);
  }
};

const withMoves = (before: CoreRow, core: CoreRow): CoreRow => {
  const joined = core.group?.stamp.time ?? 0;
  const left = Math.max(joined, before.group?.changedAt ?? 0);
  const [was, is] = [placesOf(before), placesOf(core)];
  return { ...core, moves: moved(before.moves, was, is, { joined, left }) };
};

/** What lists a product: the shop, and its categories. */
const placesOf = ({ group }: CoreRow): readonly number[] =>
  group?.content?.active ? [shopPlace, ...group.content.categoryIds] : [];

const upsert = (row: CoreRow, event: Upserted, rendering: Rendering): Evolved<EvolvedCore> => {
  const stamp = stampOf(event);
  const evolved = evolveGroup(row.group, stamp, wholeCore(event.data, rendering));
  if (evolved.outcome !== "applied") return evolved;
  const waiting = newerThan(stamp, row.pending);
  const htmls = [event.data, ...waiting.map(({ patch }) => patch)].map(
    (one) => one.descriptionHtml,
  );
  const group = waiting.reduce((known, { stamp, patch }) => {
    const content = known.content && merge(known.content, patch, rendering);
    const isSame = isEqual(known.content, content);
    const changedAt = isSame ? known.changedAt : Math.max(known.changedAt, stamp.time);
    return { stamp, changedAt, content };
  }, evolved.row);
  const html = htmls.findLast((told) => told !== undefined) ?? null;
  return settle(row, { outcome: "applied", row: group }, html);
};

/** What is older than an upsert or a delete is told by it, or gone with it. */
const newerThan = (stamp: Stamp, pending: CoreRow["pending"]): readonly PendingPatch[] =>
  pending?.filter((waiting) => compareStamps(waiting.stamp, stamp) === "stale") ?? [];

const patch = (row: CoreRow, event: Patched, rendering: Rendering): Evolved<EvolvedCore> => {
  const content = row.group?.content ? merge(row.group.content, event.data, rendering) : null;
  return settle(row, evolveGroup(row.group, stampOf(event), content), event.data.descriptionHtml);
};

const postpone = (row: CoreRow, event: Patched): Evolved<EvolvedCore> => {
  const [stamp, patch] = [stampOf(event), coreOf(event.data)];
  const waiting = row.pending ?? [];
  const last = waiting.at(-1);
  for (const known of [row.group, last]) {
    if (known && compareStamps(known.stamp, stamp) === "stale") return { outcome: "stale" };
  }
  if (last && isSameEvent(last.stamp, stamp) && isEqual(last.patch, patch)) {
    return { outcome: "repeated" };
  }
  const pending = [...without(waiting, patch), { stamp, patch }];
  return { outcome: "applied", row: { core: { ...row, pending }, html: undefined } };
};

const coreMembers = [
  ...(["name", "url", "reference", "gtin", "brand", "categoryIds"] as const),
  ...(["specifications", "images", "active", "descriptionHtml"] as const),
];

/** Of a patch what is the core's: the price is a group of its own, and what is unknown would be kept for nothing. */
const coreOf = (data: ProductPatch): CorePatch =>
  Object.fromEntries(
    coreMembers.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])),
  );

/** What of the patches a later one does not tell anew: so never more of them wait than a core has members, and one. */
const without = (waiting: readonly PendingPatch[], later: CorePatch): readonly PendingPatch[] =>
  waiting.flatMap(({ stamp, patch }) => {
    const left = Object.entries(patch).filter(([name]) => !Object.hasOwn(later, name));
    return left.length > 0 ? [{ stamp, patch: Object.fromEntries(left) }] : [];
  });

/** Keeps the HTML only where it has to be rendered anew. */
const settle = (
  row: CoreRow,
  evolved: Evolved<NonNullable<CoreRow["group"]>>,
  html: string | null | undefined,
): Evolved<EvolvedCore> => {
  if (evolved.outcome !== "applied") return evolved;
  const same = row.group?.content && row.group.content.html === evolved.row.content?.html;
  const pending = evolved.row.content ? [] : newerThan(evolved.row.stamp, row.pending);
  return {
    outcome: "applied",
    row: {
      core: { ...row, group: evolved.row, pending: pending.length > 0 ? pending : null },
      html: same ? undefined : html,
    },
  };
};

const wholeCore = (data: CoreData, rendering: Rendering): ProductCore => ({
  name: rendering.plain(data.name),
  url: data.url,
  reference: plainOrNull(data.reference, rendering),
  gtin: plainOrNull(data.gtin, rendering),
  brand: plainOrNull(data.brand, rendering),
  categoryIds: [...new Set(data.categoryIds ?? [])],
  specifications: (data.specifications ?? []).map(({ name, value }) => ({
    name: rendering.plain(name),
    value: rendering.plain(value),
  })),
  images: (data.images ?? []).map(({ url, alt }) => ({ url, alt: plainOrNull(alt, rendering) })),
  active: data.active ?? true,
  html: data.descriptionHtml == null ? null : rendering.fingerprint(data.descriptionHtml),
});

const plainOrNull = (text: string | null | undefined, rendering: Rendering): string | null =>
  (text && rendering.plain(text)) || null;

/** RFC 7396: absent keeps, null clears. */
const merge = (core: ProductCore, told: CorePatch, rendering: Rendering): ProductCore => {
  const cleared = wholeCore(asWhole(told, core), rendering);
  const pick = <K extends keyof ProductCore>(member: K, name: keyof CorePatch): ProductCore[K] =>
    told[name] === undefined ? core[member] : cleared[member];
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

const asWhole = (told: CorePatch, core: ProductCore): CoreData => ({
  ...told,
  name: told.name ?? core.name,
  url: told.url ?? core.url,
});
