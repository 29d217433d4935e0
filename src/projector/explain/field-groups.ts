import { compareStamps, isSameEvent, stampOf } from "../../../projections/field-group.ts";
import { newestFirst } from "../../../projections/price.ts";
import type { ShopEvent } from "../../events/event.ts";
import type { CoreRow, Group, PriceRow, Stamp, TextRow } from "../../read-model/schema/rows.ts";
import type { Batch } from "../batch/unit-of-work.ts";
import type { GroupName } from "./explanation.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** How one field group is looked at: where its row stands, and what in it was written by whom. */
export interface GroupKind {
  readonly name: GroupName;
  readonly table: keyof Batch;
  /** Null for a tombstone, undefined for what was never told. */
  fieldsOf(row: unknown): Fields | null | undefined;
  /** Of the event that wrote what counts; undefined when none did, or when the row does not keep it. */
  stampOf(row: unknown): Stamp | undefined;
  /** Whether an event tells of this group, given whether the row changed by it. */
  concerns(event: ShopEvent, changed: boolean): boolean;
  /** Stamps an event must be newer than. */
  rivals(row: unknown, event: ShopEvent): readonly Stamp[];
}

const kind = <R>(
  name: GroupName,
  table: keyof Batch,
  look: {
    fieldsOf(row: R): Fields | null | undefined;
    stampOf(row: R): Stamp | undefined;
    concerns(event: ShopEvent, changed: boolean): boolean;
    rivals(row: R, event: ShopEvent): readonly Stamp[];
  },
): GroupKind => {
  const of = <T>(row: unknown, ask: (row: R) => T): T | undefined =>
    row === undefined ? undefined : ask(row as R);
  return {
    name,
    table,
    fieldsOf: (row) => of(row, look.fieldsOf),
    stampOf: (row) => of(row, look.stampOf),
    concerns: look.concerns,
    rivals: (row, event) => of(row, (known) => look.rivals(known, event)) ?? [],
  };
};

const core = kind<CoreRow>("core", "cores", {
  fieldsOf({ group }) {
    if (!group?.content) return group ? null : undefined;
    // The fingerprint of the description says nothing to anybody: the text group tells of it.
    const { html: _, ...fields } = group.content;
    return fields;
  },
  stampOf: ({ group }) => group?.stamp,
  concerns: ({ type }) => type.startsWith("shop.product."),
  rivals: ({ group, pending }, { type }) => [
    ...(group ? [group.stamp] : []),
    ...(type === "shop.product.patched" ? (pending ?? []).slice(-1) : []).map(({ stamp }) => stamp),
  ],
});

const price = kind<PriceRow>("price", "prices", {
  fieldsOf(row) {
    const [counts] = newestFirst(row);
    return counts?.content ? { price: counts.content.money } : (row.product ?? row.price) && null;
  },
  stampOf: (row) => newestFirst(row)[0]?.stamp ?? (row.product ?? row.price)?.stamp,
  concerns(event, changed) {
    if (event.type === "shop.price.changed") return true;
    if (event.type === "shop.product.deleted") return changed;
    return "price" in event.data && event.data.price !== undefined;
  },
  rivals(row, { type }) {
    const group = type === "shop.price.changed" ? row.price : row.product;
    return group ? [group.stamp] : [];
  },
});

const text = kind<TextRow>("text", "texts", {
  fieldsOf: ({ description, markdown }) => ({ description, markdown }),
  stampOf: () => undefined,
  concerns: ({ type }, changed) => type.startsWith("shop.product.") && changed,
  rivals: () => [],
});

/** An entity that is one group: all its events tell of it. */
const single = (name: GroupName, table: keyof Batch, prefix: string): GroupKind =>
  kind<Group<{ readonly html?: string | null }>>(name, table, {
    fieldsOf({ content }) {
      // As of a product: the description and the Markdown tell what became of it.
      const { html: _, ...fields } = content ?? {};
      return content && fields;
    },
    stampOf: ({ stamp }) => stamp,
    concerns: ({ type }) => type.startsWith(prefix),
    rivals: ({ stamp }) => [stamp],
  });

const stock = single("stock", "stocks", "shop.stock.");

/** The groups of each kind of entity, by the first part of its name. */
export const groupsOf: Readonly<Record<string, readonly GroupKind[]>> = {
  product: [core, price, stock, text],
  price: [price],
  stock: [stock],
  category: [single("category", "categoryStates", "shop.category.")],
  page: [single("page", "pages", "shop.page.")],
  carrier: [single("carrier", "carriers", "shop.carrier.")],
  settings: [single("settings", "settings", "shop.settings.")],
  robots: [single("robots", "robots", "shop.robots.")],
  agent: [single("agent", "agents", "agent.token.")],
};

/** Whether an event that changed nothing came too late or came again, and against which other. */
export const unappliedBy = (
  rivals: readonly Stamp[],
  event: ShopEvent,
): { readonly outcome: "stale" | "repeated"; readonly against: Stamp | undefined } => {
  const told = stampOf(event);
  const newer = rivals.find((stamp) => compareStamps(stamp, told) === "stale");
  if (newer) return { outcome: "stale", against: newer };
  return { outcome: "repeated", against: rivals.find((stamp) => isSameEvent(stamp, told)) };
};
