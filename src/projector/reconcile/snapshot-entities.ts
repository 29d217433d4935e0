import { type EntityKind, entities, type SnapshotKind } from "../../../projections/entities.ts";
import { currentPrices } from "../../../projections/price.ts";
import { toPriceMembers } from "../../../projections/price-group.ts";
import { toStockMembers } from "../../../projections/stock.ts";
import { type EntityKey, entityKinds, parseSubject } from "../../../projections/subjects.ts";
import type { ShopEvent } from "../../events/event.ts";
import { emptyPriceGroup } from "../../offers/price.ts";
import type {
  CoreRow,
  FieldGroup,
  PriceRow,
  ProductCore,
  StockRow,
} from "../../read-model/schema/rows.ts";
import {
  idUpperBound,
  type KeyPrefix,
  type Table,
  tables,
} from "../../read-model/schema/tables.ts";
import type { Range } from "../../read-model/store/table-access.ts";
import { absent, type EntityState, type SnapshotEntities } from "./entity-state.ts";
import { variantEntities } from "./variant-entities.ts";

const define = <K extends EntityKey, R>(
  kind: SnapshotKind,
  table: Table<K, R>,
  toState: (row: R) => EntityState,
  defaultContent: object | null = null,
  range: Range<KeyPrefix<K>> = {},
): SnapshotEntities => ({
  kind,
  defaultContent,
  deletion: entities[kind].deletion,
  read(stored, key) {
    const row = stored.get(table, key as K);
    return row === undefined ? absent : toState(row);
  },
  *readAll(stored) {
    for (const [key, row] of stored.entries(table, range)) yield [key, toState(row)] as const;
  },
});

const groupState = ({ content, version }: FieldGroup<object>): EntityState => ({
  content,
  versions: [version],
});

/** Leaves out the quantity, because it changes with each order. */
const stockState = ({ content, version }: StockRow): EntityState => ({
  content: content && toStockMembers(content, null),
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
  content: toPriceMembers(currentPrices(row)?.priceGroup ?? emptyPriceGroup),
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
  variant: variantEntities,
  // Prices of variants are compared with their variants, because lists of products state them, too.
  price: define("price", tables.prices, priceState, { price: null }, { end: idUpperBound }),
  stock: define("stock", tables.stocks, stockState, { orderable: false }),
};

const isSnapshotKind = (kind: EntityKind): kind is SnapshotKind =>
  Object.hasOwn(snapshotEntities, kind);

/** Kinds of entities that a snapshot contains, in the sequence of reports. */
export const snapshotKinds = entityKinds.filter(isSnapshotKind);

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
