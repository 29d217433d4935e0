import type { EventOfType, ProductData, ProductPatch } from "../src/events/event.ts";
import type { CoreRow, ProductCore } from "../src/read-model/states.ts";
import {
  compareStamps,
  type Evolved,
  evolveGroup,
  isSameEvent,
  type Rendering,
  stampOf,
} from "./group.ts";

type Upserted = EventOfType<"shop.product.upserted">;
type Patched = EventOfType<"shop.product.patched">;
type Deleted = EventOfType<"shop.product.deleted">;
/** The core as told, and the HTML to render: undefined when it is the one rendered before, null when there is none. */
export interface EvolvedCore {
  readonly core: CoreRow;
  readonly html: string | null | undefined;
}

const unknown: CoreRow = { group: null, pending: null };

/**
 * The core of a product: an upsert replaces it, a patch merges (RFC 7396), a delete leaves a tombstone.
 * A patch that comes before its product waits for it.
 */
export const evolveCore = (
  row: CoreRow = unknown,
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

const upsert = (row: CoreRow, event: Upserted, rendering: Rendering): Evolved<EvolvedCore> => {
  const told = wholeCore(event.data, rendering);
  const evolved = evolveGroup(row.group, stampOf(event), told);
  const { pending } = row;
  const waiting = pending && compareStamps(pending.stamp, stampOf(event)) === "stale";
  if (evolved.outcome !== "applied" || !waiting) {
    return settle(row, evolved, event.data.descriptionHtml ?? null);
  }
  const content = merge(told, pending.patch, rendering);
  const group = { stamp: pending.stamp, changedAt: pending.stamp.time, content };
  const html = pending.patch.descriptionHtml;
  return settle(
    row,
    { outcome: "applied", row: group },
    (html === undefined ? event.data.descriptionHtml : html) ?? null,
  );
};

const patch = (row: CoreRow, event: Patched, rendering: Rendering): Evolved<EvolvedCore> => {
  const content = row.group?.content ? merge(row.group.content, event.data, rendering) : null;
  return settle(row, evolveGroup(row.group, stampOf(event), content), event.data.descriptionHtml);
};

const postpone = (row: CoreRow, event: Patched): Evolved<EvolvedCore> => {
  const stamp = stampOf(event);
  for (const known of [row.group, row.pending]) {
    if (known && compareStamps(known.stamp, stamp) === "stale") return { outcome: "stale" };
  }
  if (row.pending && isSameEvent(row.pending.stamp, stamp)) return { outcome: "repeated" };
  const pending = { stamp, patch: { ...row.pending?.patch, ...event.data } };
  return { outcome: "applied", row: { core: { ...row, pending }, html: undefined } };
};

/** Keeps the HTML only where it has to be rendered anew. */
const settle = (
  row: CoreRow,
  evolved: Evolved<NonNullable<CoreRow["group"]>>,
  html: string | null | undefined,
): Evolved<EvolvedCore> => {
  if (evolved.outcome !== "applied") return evolved;
  const same = row.group?.content && row.group.content.html === evolved.row.content?.html;
  const pending =
    row.pending && compareStamps(row.pending.stamp, evolved.row.stamp) === "stale"
      ? row.pending
      : null;
  return {
    outcome: "applied",
    row: {
      core: { group: evolved.row, pending: evolved.row.content ? null : pending },
      html: same ? undefined : html,
    },
  };
};

const wholeCore = (data: ProductData, rendering: Rendering): ProductCore => ({
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
const merge = (core: ProductCore, told: ProductPatch, rendering: Rendering): ProductCore => {
  const cleared = wholeCore(asWhole(told, core), rendering);
  const pick = <K extends keyof ProductCore>(
    member: K,
    name: keyof ProductPatch,
  ): ProductCore[K] => (told[name] === undefined ? core[member] : cleared[member]);
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

const asWhole = ({ price: _, ...told }: ProductPatch, core: ProductCore): ProductData => ({
  ...told,
  name: told.name ?? core.name,
  url: told.url ?? core.url,
});
