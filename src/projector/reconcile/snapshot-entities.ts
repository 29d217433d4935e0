import { currentPrice } from "../../../projections/price.ts";
import type { EventType, ShopEvent } from "../../events/event.ts";
import type { CoreRow, Group, PriceRow, Stamp } from "../../read-model/schema/rows.ts";
import { type Key, type Table, tables } from "../../read-model/schema/tables.ts";
import type { Tables } from "../../read-model/store/store.ts";

/** What a snapshot of a shop tells of, each with rows of its own in the model. */
export const snapshotKinds = [
  "settings",
  "robots",
  "category",
  "page",
  "carrier",
  "product",
  "price",
  "stock",
] as const;
export type SnapshotKind = (typeof snapshotKinds)[number];

/** An entity's id, or `settings`, `robots`. */
export type EntityKey = number | string;

/** What is known of one entity. */
export interface Known {
  /** Null when it is not there, or was deleted. */
  readonly content: object | null;
  /** Who told it last; several where several may. */
  readonly stamps: readonly Stamp[];
}

/** How entities of a kind are read from a model. */
export interface KindOfEntity {
  readonly kind: SnapshotKind;
  /** Where an entity that is not told of stands all the same: no price, not orderable. */
  readonly untold: object | null;
  /** Tells that an entity that is left over is gone; undefined where that cannot be told. */
  readonly deletion?: EventType;
  known(stored: Tables, key: EntityKey): Known;
  all(stored: Tables): Iterable<readonly [EntityKey, Known]>;
}

const nothing: Known = { content: null, stamps: [] };

const kindOf = <K extends Key & EntityKey, R>(
  kind: SnapshotKind,
  table: Table<K, R>,
  knownOf: (row: R) => Known,
  more: Partial<Pick<KindOfEntity, "untold" | "deletion">> = {},
): KindOfEntity => ({
  kind,
  untold: null,
  ...more,
  known(stored, key) {
    const row = stored.get(table, key as K);
    return row === undefined ? nothing : knownOf(row);
  },
  *all(stored) {
    for (const [key, row] of stored.entries(table)) yield [key, knownOf(row)] as const;
  },
});

const ofGroup = ({ content, stamp }: Group<object>): Known => ({ content, stamps: [stamp] });

const ofCore = ({ group, pending }: CoreRow): Known => ({
  content: group?.content ? describe(group.content) : null,
  stamps: [...(group ? [group] : []), ...(pending ?? [])].map(({ stamp }) => stamp),
});

/** The description under its own name: what is kept of it is a fingerprint. */
const describe = ({ html, ...core }: NonNullable<NonNullable<CoreRow["group"]>["content"]>) => ({
  ...core,
  descriptionHtml: html === null ? null : `fingerprint ${html}`,
});

const ofPrice = (row: PriceRow): Known => {
  const money = currentPrice(row)?.money ?? null;
  return {
    content: { price: money },
    stamps: [row.product?.stamp, row.price?.stamp].filter((stamp) => stamp !== undefined),
  };
};

/** In the order of the report. */
export const kinds: readonly KindOfEntity[] = [
  kindOf("settings", tables.settings, ofGroup),
  kindOf("robots", tables.robots, ofGroup),
  kindOf("category", tables.categoryStates, ofGroup, { deletion: "shop.category.deleted" }),
  kindOf("page", tables.pages, ofGroup, { deletion: "shop.page.deleted" }),
  kindOf("carrier", tables.carriers, ofGroup, { deletion: "shop.carrier.deleted" }),
  kindOf("product", tables.cores, ofCore, { deletion: "shop.product.deleted" }),
  kindOf("price", tables.prices, ofPrice, { untold: { price: null } }),
  kindOf("stock", tables.stocks, ofGroup, { untold: { orderable: false } }),
];

/** What an event of a snapshot tells of; undefined for one that no snapshot holds. */
export const tellsOf = (
  event: ShopEvent,
): { readonly kind: SnapshotKind; readonly key: EntityKey } | undefined => {
  switch (event.type) {
    case "shop.settings.updated":
      return { kind: "settings", key: "settings" };
    case "shop.robots.updated":
      return { kind: "robots", key: "robots" };
    case "shop.product.upserted":
      return { kind: "product", key: event.data.id };
    case "shop.category.upserted":
      return { kind: "category", key: event.data.id };
    case "shop.page.upserted":
      return { kind: "page", key: event.data.id };
    case "shop.carrier.upserted":
      return { kind: "carrier", key: event.data.id };
    case "shop.price.changed":
      return { kind: "price", key: event.data.productId };
    case "shop.stock.changed":
      return { kind: "stock", key: event.data.productId };
    default:
      return undefined;
  }
};
