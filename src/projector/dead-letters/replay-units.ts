import { toNatsSubject } from "../../events/envelope.ts";
import type { UnitOfWork } from "../batch/unit-of-work.ts";

/** A row of a table that events are applied to. */
export interface RowRef {
  readonly table: keyof UnitOfWork;
  readonly key: string | number;
}

/**
 * Rows that are replayed together, because an event of one can change the outcome of an event of another.
 * A product and its price are one unit; every other entity is a unit of its own.
 */
export interface ReplayUnit {
  /** `product/4711`, `stock/4711`, `category/12` … */
  readonly name: string;
  readonly rows: readonly RowRef[];
  /** Log subjects of its events. */
  readonly subjects: readonly string[];
}

/** @param subject of an event, `price/4711` */
export const replayUnitName = (subject: string): string => {
  const { kind, id } = parseName(subject);
  return kind === "price" ? `product/${id}` : subject;
};

export const replayUnitFor = (name: string): ReplayUnit => ({
  name,
  rows: rowsOfUnit(name),
  subjects: toLogSubjects(name),
});

const rowsOfUnit = (name: string): readonly RowRef[] => {
  const { kind, id } = parseName(name);
  switch (kind) {
    case "product":
      return (["productCores", "prices", "productTexts"] as const).map((table) => ({
        table,
        key: Number(id),
      }));
    case "agent":
      return [{ table: "agents", key: id }];
    case "settings":
    case "robots":
      return [{ table: kind, key: kind }];
    default:
      return [{ table: tableByKind[kind] ?? "pages", key: Number(id) }];
  }
};

const tableByKind: Readonly<Record<string, keyof UnitOfWork>> = {
  stock: "stocks",
  category: "categoryStates",
  page: "pages",
  carrier: "carriers",
};

const toLogSubjects = (name: string): readonly string[] => {
  const { kind, id } = parseName(name);
  return (kind === "product" ? [name, `price/${id}`] : [name]).map(toNatsSubject);
};

const parseName = (subject: string): { readonly kind: string; readonly id: string } => {
  const [kind = "", ...id] = subject.split("/");
  return { kind, id: id.join("/") };
};
