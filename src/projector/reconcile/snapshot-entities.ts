import { type EntityKind, entities, type SnapshotKind } from "../../../projections/entities.ts";
import { currentPrice } from "../../../projections/price.ts";
import { type EntityKey, entityKinds, parseSubject } from "../../../projections/subjects.ts";
import type { EventType, ShopEvent } from "../../events/event.ts";
import type {
  CoreRow,
  EventVersion,
  FieldGroup,
  PriceRow,
  ProductCore,
} from "../../read-model/schema/rows.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { ReadTables } from "../../read-model/store/store.ts";

/** State of one entity in a model. */
export interface EntityState {
  /** Null when the entity is missing or deleted. */
  readonly content: object | null;
  /** Versions of the events that wrote it last: several where several event types write it. */
  readonly versions: readonly EventVersion[];
}

/** Access to the entities of one kind in a model. */
export interface SnapshotEntities {
  readonly kind: SnapshotKind;
  /** Content of an entity without an event (no price, not orderable); null when it has none. */
  readonly defaultContent: object | null;
  /** Event type that deletes an entity; null where the contract has none. */
  readonly deletion: EventType | null;
  read(stored: ReadTables, key: EntityKey): EntityState;
  readAll(stored: ReadTables): Iterable<readonly [EntityKey, EntityState]>;
}

const absent: EntityState = { content: null, versions: [] };

const define = <K extends EntityKey, R>(
  kind: SnapshotKind,
  table: Table<K, R>,
  toState: (row: R) => EntityState,
  defaultContent: object | null = null,
): SnapshotEntities => ({
  kind,
  defaultContent,
  deletion: entities[kind].deletion,
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
const withHtmlHash = ({ html, ...core }: ProductCore): object => ({
  ...core,
  descriptionHtml: html === null ? null : `fingerprint ${html}`,
});

const priceState = (row: PriceRow): EntityState => ({
  content: { price: currentPrice(row)?.money ?? null },
  versions: [row.product?.version, row.price?.version].filter((version) => version !== undefined),
});

/** The entities of each kind that a snapshot of the shop contains. */
export const snapshotEntities: Readonly<Record<SnapshotKind, SnapshotEntities>> = {
  settings: define("settings", tables.settings, groupState),
  robots: define("robots", tables.robots, groupState),
  category: define("category", tables.categoryStates, groupState),
  page: define("page", tables.pages, groupState),
  carrier: define("carrier", tables.carriers, groupState),
  product: define("product", tables.productCores, coreState),
  price: define("price", tables.prices, priceState, { price: null }),
  stock: define("stock", tables.stocks, groupState, { orderable: false }),
};

const isSnapshotKind = (kind: EntityKind): kind is SnapshotKind =>
  Object.hasOwn(snapshotEntities, kind);

/** Kinds of entities that a snapshot contains, in the sequence of reports. */
export const snapshotKinds = entityKinds.filter(isSnapshotKind);

/** Names one entity of a snapshot. */
export interface SnapshotRef {
  readonly kind: SnapshotKind;
  readonly key: EntityKey;
}

/**
 * Determines the entity that an event of a snapshot states.
 * @returns undefined for an event type that a snapshot must not contain
 */
export const entityOf = ({ subject, type }: ShopEvent): SnapshotRef | undefined => {
  const { kind, key } = parseSubject(subject) ?? {};
  if (kind === undefined || key === undefined || !isSnapshotKind(kind)) return undefined;
  return entities[kind].snapshot === type ? { kind, key } : undefined;
};
