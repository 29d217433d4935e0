import { currentPrice } from "../../../projections/price.ts";
import type { EventType, ShopEvent } from "../../events/event.ts";
import type { CoreRow, EventVersion, FieldGroup, PriceRow } from "../../read-model/schema/rows.ts";
import { type Key, type Table, tables } from "../../read-model/schema/tables.ts";
import type { ReadTables } from "../../read-model/store/store.ts";

/** Entity kinds that a snapshot of a shop contains, each with its own rows in the model. */
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

/** State of one entity in a model. */
export interface EntityState {
  /** Null when the entity is missing or deleted. */
  readonly content: object | null;
  /** Versions of the events that wrote it last: several where several event types write it. */
  readonly versions: readonly EventVersion[];
}

/** Access to the entities of one kind in a model. */
export interface EntityKind {
  readonly kind: SnapshotKind;
  /** Content of an entity without an event (no price, not orderable); null when it has none. */
  readonly defaultContent: object | null;
  /** Event type that deletes an entity; undefined where the contract has none. */
  readonly deletion?: EventType;
  read(stored: ReadTables, key: EntityKey): EntityState;
  readAll(stored: ReadTables): Iterable<readonly [EntityKey, EntityState]>;
}

const absent: EntityState = { content: null, versions: [] };

const defineKind = <K extends Key & EntityKey, R>(
  kind: SnapshotKind,
  table: Table<K, R>,
  toState: (row: R) => EntityState,
  options: Partial<EntityKind> = {},
): EntityKind => ({
  kind,
  defaultContent: null,
  ...options,
  read(stored, key) {
    const row = stored.get(table, key as K);
    return row === undefined ? absent : toState(row);
  },
  *readAll(stored) {
    for (const [key, row] of stored.entries(table)) yield [key, toState(row)] as const;
  },
});

const groupState = ({ content, version }: FieldGroup<object>): EntityState => ({
  content,
  versions: [version],
});

const coreState = ({ group, pending }: CoreRow): EntityState => ({
  content: group?.content ? withHtmlHash(group.content) : null,
  versions: [...(group ? [group] : []), ...(pending ?? [])].map(({ version }) => version),
});

/** Shows the description by its hash, because the row stores only the hash of the HTML. */
const withHtmlHash = ({
  html,
  ...core
}: NonNullable<NonNullable<CoreRow["group"]>["content"]>) => ({
  ...core,
  descriptionHtml: html === null ? null : `fingerprint ${html}`,
});

const priceState = (row: PriceRow): EntityState => {
  const money = currentPrice(row)?.money ?? null;
  return {
    content: { price: money },
    versions: [row.product?.version, row.price?.version].filter((version) => version !== undefined),
  };
};

/** Entity kinds in the sequence of the report. */
export const entityKinds: readonly EntityKind[] = [
  defineKind("settings", tables.settings, groupState),
  defineKind("robots", tables.robots, groupState),
  defineKind("category", tables.categoryStates, groupState, { deletion: "shop.category.deleted" }),
  defineKind("page", tables.pages, groupState, { deletion: "shop.page.deleted" }),
  defineKind("carrier", tables.carriers, groupState, { deletion: "shop.carrier.deleted" }),
  defineKind("product", tables.productCores, coreState, { deletion: "shop.product.deleted" }),
  defineKind("price", tables.prices, priceState, { defaultContent: { price: null } }),
  defineKind("stock", tables.stocks, groupState, { defaultContent: { orderable: false } }),
];

/**
 * Determines the entity that an event of a snapshot sets.
 * @returns undefined for an event type that a snapshot must not contain
 */
export const entityOf = (
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
