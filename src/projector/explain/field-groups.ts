import { compareStamps, isSameEvent, stampOf } from "../../../projections/field-group.ts";
import { newestFirst } from "../../../projections/price.ts";
import type { ShopEvent } from "../../events/event.ts";
import type { CoreRow, Group, PriceRow, Stamp, TextRow } from "../../read-model/schema/rows.ts";
import type { Batch } from "../batch/unit-of-work.ts";
import type { GroupName } from "./explanation.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Access to the rows and versions of one kind of field group. */
export interface GroupKind {
  readonly name: GroupName;
  readonly table: keyof Batch;
  /** @returns null for a tombstone; undefined when no event has set the group */
  fieldsOf(row: unknown): Fields | null | undefined;
  /** @returns the version of the event in effect; undefined when there is none or the row does not store it */
  stampOf(row: unknown): Stamp | undefined;
  /** @param changed whether the event changed the row */
  concerns(event: ShopEvent, changed: boolean): boolean;
  /** @returns versions that an event must be newer than to be applied */
  rivals(row: unknown, event: ShopEvent): readonly Stamp[];
}

const defineGroup = <R>(
  name: GroupName,
  table: keyof Batch,
  access: {
    readFields(row: R): Fields | null | undefined;
    readVersion(row: R): Stamp | undefined;
    concerns(event: ShopEvent, changed: boolean): boolean;
    competingVersions(row: R, event: ShopEvent): readonly Stamp[];
  },
): GroupKind => {
  const ifPresent = <T>(row: unknown, read: (row: R) => T): T | undefined =>
    row === undefined ? undefined : read(row as R);
  return {
    name,
    table,
    fieldsOf: (row) => ifPresent(row, access.readFields),
    stampOf: (row) => ifPresent(row, access.readVersion),
    concerns: access.concerns,
    rivals: (row, event) =>
      ifPresent(row, (present) => access.competingVersions(present, event)) ?? [],
  };
};

const core = defineGroup<CoreRow>("core", "cores", {
  readFields({ group }) {
    if (!group?.content) return group ? null : undefined;
    // The HTML hash of the description is left out, because the text group shows the description itself.
    const { html: _, ...fields } = group.content;
    return fields;
  },
  readVersion: ({ group }) => group?.stamp,
  concerns: ({ type }) => type.startsWith("shop.product."),
  competingVersions: ({ group, pending }, { type }) => [
    ...(group ? [group.stamp] : []),
    ...(type === "shop.product.patched" ? (pending ?? []).slice(-1) : []).map(({ stamp }) => stamp),
  ],
});

const price = defineGroup<PriceRow>("price", "prices", {
  readFields(row) {
    const [current] = newestFirst(row);
    return current?.content ? { price: current.content.money } : (row.product ?? row.price) && null;
  },
  readVersion: (row) => newestFirst(row)[0]?.stamp ?? (row.product ?? row.price)?.stamp,
  concerns(event, changed) {
    if (event.type === "shop.price.changed") return true;
    if (event.type === "shop.product.deleted") return changed;
    return "price" in event.data && event.data.price !== undefined;
  },
  competingVersions(row, { type }) {
    const group = type === "shop.price.changed" ? row.price : row.product;
    return group ? [group.stamp] : [];
  },
});

const text = defineGroup<TextRow>("text", "texts", {
  readFields: ({ description, markdown }) => ({ description, markdown }),
  readVersion: () => undefined,
  concerns: ({ type }, changed) => type.startsWith("shop.product.") && changed,
  competingVersions: () => [],
});

/** Defines the group of an entity that has only one. */
const singleGroup = (name: GroupName, table: keyof Batch, prefix: string): GroupKind =>
  defineGroup<Group<{ readonly html?: string | null }>>(name, table, {
    readFields({ content }) {
      // The HTML hash is left out, because the description and the Markdown show the content.
      const { html: _, ...fields } = content ?? {};
      return content && fields;
    },
    readVersion: ({ stamp }) => stamp,
    concerns: ({ type }) => type.startsWith(prefix),
    competingVersions: ({ stamp }) => [stamp],
  });

const stock = singleGroup("stock", "stocks", "shop.stock.");

/** Field groups of each entity kind. */
export const groupsOf: Readonly<Record<string, readonly GroupKind[]>> = {
  product: [core, price, stock, text],
  price: [price],
  stock: [stock],
  category: [singleGroup("category", "categoryStates", "shop.category.")],
  page: [singleGroup("page", "pages", "shop.page.")],
  carrier: [singleGroup("carrier", "carriers", "shop.carrier.")],
  settings: [singleGroup("settings", "settings", "shop.settings.")],
  robots: [singleGroup("robots", "robots", "shop.robots.")],
  agent: [singleGroup("agent", "agents", "agent.token.")],
};

/**
 * Determines why an event changed nothing.
 * @returns `against`: the version that made the event stale or that it duplicates
 */
export const unappliedBy = (
  competingVersions: readonly Stamp[],
  event: ShopEvent,
): { readonly outcome: "stale" | "repeated"; readonly against: Stamp | undefined } => {
  const version = stampOf(event);
  const newer = competingVersions.find((other) => compareStamps(other, version) === "stale");
  if (newer) return { outcome: "stale", against: newer };
  return {
    outcome: "repeated",
    against: competingVersions.find((other) => isSameEvent(other, version)),
  };
};
