import { natsSubject } from "../../events/envelope.ts";
import type { Tables } from "../../read-model/store.ts";
import { tables } from "../../read-model/tables.ts";
import type { Batch } from "../batch.ts";

/** One row of a table that events fold into. */
export interface RowAddress {
  readonly table: keyof Batch;
  readonly key: string | number;
}

/**
 * Rows that are folded together, because an event of one entity may change or refuse what another tells: a product
 * and its prices, and all categories, whose parents are looked at. Every other entity stands alone.
 */
export interface FoldUnit {
  /** `product/4711`, `stock/4711`, `category` for all of them … */
  readonly name: string;
  readonly rows: readonly RowAddress[];
  /** Log subjects of the events that tell of it. */
  readonly subjects: readonly string[];
}

/** Name of the unit an event belongs to, by its own subject, `price/4711`. */
export const unitNameOf = (subject: string): string => {
  const { kind, id } = partsOf(subject);
  if (kind === "price") return `product/${id}`;
  return kind === "category" ? "category" : subject;
};

/** @param subjects of events that belong to it, which the model may know nothing of yet */
export const unitOf = (name: string, subjects: readonly string[], stored: Tables): FoldUnit => {
  if (name !== "category") return { name, rows: rowsOf(name), subjects: logSubjectsOf(name) };
  const ids = new Set([
    ...stored.keys(tables.categoryStates),
    ...subjects.map((subject) => Number(partsOf(subject).id)),
  ]);
  return {
    name,
    rows: [...ids].map((key) => ({ table: "categoryStates", key })),
    subjects: [...ids].map((id) => natsSubject(`category/${id}`)),
  };
};

const rowsOf = (name: string): readonly RowAddress[] => {
  const { kind, id } = partsOf(name);
  switch (kind) {
    case "product":
      return (["cores", "prices", "texts"] as const).map((table) => ({ table, key: Number(id) }));
    case "agent":
      return [{ table: "agents", key: id }];
    case "settings":
    case "robots":
      return [{ table: kind, key: kind }];
    default:
      return [{ table: numbered[kind] ?? "pages", key: Number(id) }];
  }
};

const numbered: Readonly<Record<string, keyof Batch>> = {
  stock: "stocks",
  page: "pages",
  carrier: "carriers",
};

const logSubjectsOf = (name: string): readonly string[] => {
  const { kind, id } = partsOf(name);
  return (kind === "product" ? [name, `price/${id}`] : [name]).map(natsSubject);
};

const partsOf = (subject: string): { readonly kind: string; readonly id: string } => {
  const [kind = "", ...id] = subject.split("/");
  return { kind, id: id.join("/") };
};
