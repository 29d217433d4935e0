import { natsSubject } from "../../events/envelope.ts";
import type { Batch } from "../batch/unit-of-work.ts";

/** One row of a table that events fold into. */
export interface RowAddress {
  readonly table: keyof Batch;
  readonly key: string | number;
}

/**
 * Rows that are folded together, because an event of one entity may change or refuse what another tells: a product
 * and its prices. Every other entity stands alone.
 */
export interface FoldUnit {
  /** `product/4711`, `stock/4711`, `category/12` … */
  readonly name: string;
  readonly rows: readonly RowAddress[];
  /** Log subjects of the events that tell of it. */
  readonly subjects: readonly string[];
}

/** Name of the unit an event belongs to, by its own subject, `price/4711`. */
export const unitNameOf = (subject: string): string => {
  const { kind, id } = partsOf(subject);
  return kind === "price" ? `product/${id}` : subject;
};

export const unitOf = (name: string): FoldUnit => ({
  name,
  rows: rowsOf(name),
  subjects: logSubjectsOf(name),
});

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
  category: "categoryStates",
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
