import { type EntityKind, entities, type SnapshotKind } from "../../../projections/entities.ts";
import { currentPrices } from "../../../projections/price.ts";
import { toPriceMembers } from "../../../projections/price-group.ts";
import { toStockMembers } from "../../../projections/stock.ts";
import { type EntityKey, entityKinds, parseSubject } from "../../../projections/subjects.ts";
import { type AssembledVariant, assembleVariants } from "../../../projections/variants.ts";
import type { EventType, ShopEvent } from "../../events/event.ts";
import { emptyPriceGroup } from "../../offers/price.ts";
import {
  productOfKey,
  variantKey,
  variantKeys,
  variantOfKey,
} from "../../read-model/schema/keys.ts";
import type {
  CoreRow,
  EventVersion,
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
import type { ReadTables } from "../../read-model/store/store.ts";
import type { Range } from "../../read-model/store/table-access.ts";

export interface EntityState {
  /** Null when the entity is missing or deleted. */
  readonly content: object | null;
  /** Versions of the events that wrote it last: several where several event types write it. */
  readonly versions: readonly EventVersion[];
}

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

/**
 * Access to the variants of a model, as lists of products, events of variants and events of prices state them together: a snapshot
 * may state them in another way than the events of the model.
 */
const variantEntities: SnapshotEntities = {
  kind: "variant",
  defaultContent: null,
  deletion: entities.variant.deletion,
  read(stored, key) {
    if (typeof key !== "string") return absent;
    const id = variantOfKey(key);
    const variant = readVariants(stored, productOfKey(key)).find(
      ({ content }) => content.id === id,
    );
    return {
      content: variant ? toVariantData(variant) : null,
      versions: readVersions(stored, key),
    };
  },
  *readAll(stored) {
    for (const product of readProductsWithVariants(stored)) {
      for (const variant of readVariants(stored, product)) {
        const key = variantKey(product, variant.content.id);
        const versions = readVersions(stored, key);
        yield [key, { content: toVariantData(variant), versions }] as const;
      }
    }
  },
};

const readProductsWithVariants = (stored: ReadTables): ReadonlySet<number> =>
  new Set([
    ...stored.keys(tables.variantLists),
    ...Array.from(stored.keys(tables.variantStates), productOfKey),
  ]);

const readVariants = (stored: ReadTables, product: number): readonly AssembledVariant[] =>
  assembleVariants({
    list: stored.get(tables.variantLists, product),
    states: new Map(
      Array.from(stored.entries(tables.variantStates, variantKeys(product)), ([key, row]) => [
        variantOfKey(key),
        row,
      ]),
    ),
    price: (variant) => stored.get(tables.prices, variantKey(product, variant)),
    stock: () => undefined,
  });

const readVersions = (stored: ReadTables, key: string): readonly EventVersion[] =>
  [
    stored.get(tables.variantLists, productOfKey(key))?.version,
    stored.get(tables.variantStates, key)?.version,
    stored.get(tables.prices, key)?.price?.version,
  ].filter((version) => version !== undefined);

/** Converts a variant to the data of an event that states it, without its ids. */
const toVariantData = ({ content, priceGroup }: AssembledVariant): object => {
  const { id: _, priceGroup: __, specifications, ...members } = content;
  return {
    ...members,
    ...(specifications && {
      specifications: specifications.map(({ typed, ...each }) => ({ ...each, ...typed })),
    }),
    ...(priceGroup && toPriceMembers(priceGroup)),
  };
};

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
