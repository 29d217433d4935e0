import { type EntityKind, entities, isEventOf } from "../../../projections/entities.ts";
import { currentPrices, pricesByPrecedence, statesPrices } from "../../../projections/price.ts";
import { toPriceMembers } from "../../../projections/price-group.ts";
import type { EntityTable, RowOf } from "../../../projections/projection.ts";
import { toStockMembers } from "../../../projections/stock.ts";
import type { EntityKey, EntityRef } from "../../../projections/subjects.ts";
import type { ShopEvent } from "../../events/event.ts";
import { emptyPriceGroup } from "../../offers/price.ts";
import { productOfKey, variantOfKey } from "../../read-model/schema/keys.ts";
import type { EventVersion, ProductPageRow } from "../../read-model/schema/rows.ts";
import { tableNamed, type UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { GroupName } from "./explanation.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface FieldGroupKind {
  readonly name: GroupName;
  readonly table: EntityTable;
  /** Key of the row, from the key of the entity. */
  rowKey(key: EntityKey): EntityKey;
  readRow(rows: UnitOfWork, key: EntityKey): unknown;
  /** @returns null for a tombstone; undefined when no event has set the group */
  readFields(row: unknown): Fields | null | undefined;
  /** @returns the version of the event in effect; undefined when there is none or the row does not store it */
  readVersion(row: unknown): EventVersion | undefined;
  /**
   * @param changed whether the event changed the row
   * @param row the row before the event
   */
  concerns(event: ShopEvent, changed: boolean, row: unknown): boolean;
  /** @returns versions that an event must be newer than to be applied */
  competingVersions(row: unknown, event: ShopEvent): readonly EventVersion[];
}

const defineGroup = <T extends EntityTable>(
  name: GroupName,
  table: T,
  access: {
    readFields(row: RowOf<T>): Fields | null | undefined;
    readVersion(row: RowOf<T>): EventVersion | undefined;
    concerns(event: ShopEvent, changed: boolean, row: RowOf<T> | undefined): boolean;
    /** Default: the version of the event in effect. */
    competingVersions?(row: RowOf<T>, event: ShopEvent): readonly EventVersion[];
    rowKey?(key: EntityKey): EntityKey;
  },
): FieldGroupKind => {
  const { rowKey = (key) => key } = access;
  const {
    competingVersions = (row) => [access.readVersion(row)].filter((each) => each !== undefined),
  } = access;
  const readIfPresent = <V>(row: unknown, read: (row: RowOf<T>) => V): V | undefined =>
    row === undefined ? undefined : read(row as RowOf<T>);
  return {
    name,
    table,
    rowKey,
    readRow: (rows, key) => tableNamed(rows, table).get(rowKey(key)),
    readFields: (row) => readIfPresent(row, access.readFields),
    readVersion: (row) => readIfPresent(row, access.readVersion),
    concerns: (event, changed, row) => access.concerns(event, changed, row as RowOf<T> | undefined),
    competingVersions: (row, event) =>
      readIfPresent(row, (present) => competingVersions(present, event)) ?? [],
  };
};

const core = defineGroup("core", "productCores", {
  readFields({ group }) {
    if (!group?.content) return group ? null : undefined;
    return withoutHtmlHash(group.content);
  },
  readVersion: ({ group }) => group?.version,
  concerns: (event) => isEventOf("product", event),
  competingVersions: ({ group, pending }, { type }) => [
    ...(group ? [group.version] : []),
    ...(type === "shop.product.patched" ? (pending ?? []).slice(-1) : []).map(
      ({ version }) => version,
    ),
  ],
});

const price = defineGroup("price", "prices", {
  readFields(row) {
    const [current] = pricesByPrecedence(row);
    if (!current) return (row.product ?? row.price) && null;
    return { ...toPriceMembers(currentPrices(row)?.priceGroup ?? emptyPriceGroup) };
  },
  readVersion: (row) => pricesByPrecedence(row)[0]?.version ?? (row.product ?? row.price)?.version,
  concerns(event, changed) {
    if (event.type === "shop.price.changed") return true;
    if (event.type === "shop.product.deleted") return changed;
    return isEventOf("product", event) && statesPrices(event);
  },
  competingVersions(row, { type }) {
    const group = type === "shop.price.changed" ? row.price : row.product;
    return group ? [group.version] : [];
  },
});

/** A price that a product event sets for a variant is shown in the entry of the list. */
const variantPrice: FieldGroupKind = {
  ...price,
  concerns: ({ type }) => type === "shop.price.changed",
};

const variants = defineGroup("variants", "variantLists", {
  readFields: ({ content }) => content && { variants: content },
  readVersion: ({ version }) => version,
  concerns: statesVariants,
});

/** Defines the entry of one variant in the list of its product. */
const listEntry = (key: string): FieldGroupKind =>
  defineGroup("entry", "variantLists", {
    rowKey: productOfKey,
    readFields: (row) => findEntry(row.content, key),
    readVersion: ({ version }) => version,
    concerns: (event, changed, row) =>
      statesVariants(event, changed) &&
      (findEntry(row?.content, key) !== undefined || findEntry(listOf(event), key) !== undefined),
  });

const findEntry = <V extends { readonly id: number }>(
  variants: readonly V[] | null | undefined,
  key: string,
): Fields | undefined => {
  const entry = variants?.find(({ id }) => id === variantOfKey(key));
  return entry && { ...entry };
};

const listOf = (event: ShopEvent) => ("variants" in event.data ? event.data.variants : undefined);

function statesVariants(event: ShopEvent, changed: boolean): boolean {
  if (event.type === "shop.product.patched") return event.data.variants !== undefined;
  return isEventOf("product", event) && changed;
}

/** The description as plain text and as Markdown, which are two rows. One rendering writes both. */
const text: FieldGroupKind = {
  name: "text",
  table: "productTexts",
  rowKey: (key) => key,
  readRow({ productTexts, productPages }, key) {
    const page = productPages.get(Number(key));
    if (!page) return undefined;
    const row = textRows.get(page) ?? {
      description: productTexts.get(Number(key)) ?? null,
      markdown: page.markdown,
    };
    textRows.set(page, row);
    return row;
  },
  readFields: (row) => (row === undefined ? undefined : { ...(row as Fields) }),
  readVersion: () => undefined,
  concerns: (event, changed) => isEventOf("product", event) && changed,
  competingVersions: () => [],
};

/** Rows of the group by the row of the page, because a trace compares rows by identity. */
const textRows = new WeakMap<ProductPageRow, Fields>();

type SingleKind = Exclude<EntityKind, "product" | "price" | "stock">;

/** Defines the group of an entity whose row is one field group. */
const singleGroup = (kind: SingleKind): FieldGroupKind =>
  defineGroup(kind, entities[kind].tables[0], {
    readFields: ({ content }) => content && withoutHtmlHash(content),
    readVersion: ({ version }) => version,
    concerns: (event) => isEventOf(kind, event),
  });

/** Leaves out the hash of the HTML, because the description and the Markdown show the content. */
const withoutHtmlHash = (content: object): Fields =>
  Object.fromEntries(Object.entries(content).filter(([name]) => name !== "html"));

const stock = defineGroup("stock", "stocks", {
  readFields: ({ content, quantity }) => content && toStockMembers(content, quantity),
  readVersion: ({ version }) => version,
  concerns: (event) => isEventOf("stock", event),
});

export const fieldGroupsOf = ({ kind, key }: EntityRef): readonly FieldGroupKind[] => {
  switch (kind) {
    case "product":
      return [core, price, stock, text, variants];
    case "variant":
      return [singleGroup(kind), listEntry(String(key)), variantPrice, stock];
    case "price":
      return [price];
    case "stock":
      return [stock];
    default:
      return [singleGroup(kind)];
  }
};
