import { compareVersions, isSameEvent, versionOf } from "../../../projections/field-group.ts";
import { pricesByPrecedence } from "../../../projections/price.ts";
import type { ShopEvent } from "../../events/event.ts";
import type {
  CoreRow,
  EventVersion,
  FieldGroup,
  PriceRow,
  TextRow,
} from "../../read-model/schema/rows.ts";
import type { UnitOfWork } from "../batch/unit-of-work.ts";
import type { GroupName } from "./explanation.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Access to the rows and versions of one kind of field group. */
export interface FieldGroupKind {
  readonly name: GroupName;
  readonly table: keyof UnitOfWork;
  /** @returns null for a tombstone; undefined when no event has set the group */
  readFields(row: unknown): Fields | null | undefined;
  /** @returns the version of the event in effect; undefined when there is none or the row does not store it */
  readVersion(row: unknown): EventVersion | undefined;
  /** @param changed whether the event changed the row */
  concerns(event: ShopEvent, changed: boolean): boolean;
  /** @returns versions that an event must be newer than to be applied */
  competingVersions(row: unknown, event: ShopEvent): readonly EventVersion[];
}

const defineGroup = <R>(
  name: GroupName,
  table: keyof UnitOfWork,
  access: {
    readFields(row: R): Fields | null | undefined;
    readVersion(row: R): EventVersion | undefined;
    concerns(event: ShopEvent, changed: boolean): boolean;
    competingVersions(row: R, event: ShopEvent): readonly EventVersion[];
  },
): FieldGroupKind => {
  const ifPresent = <T>(row: unknown, read: (row: R) => T): T | undefined =>
    row === undefined ? undefined : read(row as R);
  return {
    name,
    table,
    readFields: (row) => ifPresent(row, access.readFields),
    readVersion: (row) => ifPresent(row, access.readVersion),
    concerns: access.concerns,
    competingVersions: (row, event) =>
      ifPresent(row, (present) => access.competingVersions(present, event)) ?? [],
  };
};

const core = defineGroup<CoreRow>("core", "productCores", {
  readFields({ group }) {
    if (!group?.content) return group ? null : undefined;
    // The HTML hash of the description is left out, because the text group shows the description itself.
    const { html: _, ...fields } = group.content;
    return fields;
  },
  readVersion: ({ group }) => group?.version,
  concerns: ({ type }) => type.startsWith("shop.product."),
  competingVersions: ({ group, pending }, { type }) => [
    ...(group ? [group.version] : []),
    ...(type === "shop.product.patched" ? (pending ?? []).slice(-1) : []).map(
      ({ version }) => version,
    ),
  ],
});

const price = defineGroup<PriceRow>("price", "prices", {
  readFields(row) {
    const [current] = pricesByPrecedence(row);
    return current?.content ? { price: current.content.money } : (row.product ?? row.price) && null;
  },
  readVersion: (row) => pricesByPrecedence(row)[0]?.version ?? (row.product ?? row.price)?.version,
  concerns(event, changed) {
    if (event.type === "shop.price.changed") return true;
    if (event.type === "shop.product.deleted") return changed;
    return "price" in event.data && event.data.price !== undefined;
  },
  competingVersions(row, { type }) {
    const group = type === "shop.price.changed" ? row.price : row.product;
    return group ? [group.version] : [];
  },
});

const text = defineGroup<TextRow>("text", "productTexts", {
  readFields: ({ description, markdown }) => ({ description, markdown }),
  readVersion: () => undefined,
  concerns: ({ type }, changed) => type.startsWith("shop.product.") && changed,
  competingVersions: () => [],
});

/** Defines the group of an entity that has only one. */
const singleGroup = (name: GroupName, table: keyof UnitOfWork, prefix: string): FieldGroupKind =>
  defineGroup<FieldGroup<{ readonly html?: string | null }>>(name, table, {
    readFields({ content }) {
      // The HTML hash is left out, because the description and the Markdown show the content.
      const { html: _, ...fields } = content ?? {};
      return content && fields;
    },
    readVersion: ({ version }) => version,
    concerns: ({ type }) => type.startsWith(prefix),
    competingVersions: ({ version }) => [version],
  });

const stock = singleGroup("stock", "stocks", "shop.stock.");

/** Field groups of each entity kind. */
export const fieldGroups: Readonly<Record<string, readonly FieldGroupKind[]>> = {
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
export const whyIgnored = (
  competingVersions: readonly EventVersion[],
  event: ShopEvent,
): { readonly outcome: "stale" | "repeated"; readonly against: EventVersion | undefined } => {
  const version = versionOf(event);
  const newer = competingVersions.find((other) => compareVersions(other, version) === "stale");
  if (newer) return { outcome: "stale", against: newer };
  return {
    outcome: "repeated",
    against: competingVersions.find((other) => isSameEvent(other, version)),
  };
};
