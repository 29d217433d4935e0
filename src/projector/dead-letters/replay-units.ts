import { type EntityKind, entities } from "../../../projections/entities.ts";
import type { EntityTable } from "../../../projections/projection.ts";
import {
  type EntityKey,
  type EntityRef,
  entityKinds,
  formatSubject,
  parseSubject,
} from "../../../projections/subjects.ts";
import { toNatsSubject } from "../../events/envelope.ts";
import { productOfKey, variantKeys } from "../../read-model/schema/variant-key.ts";

/**
 * Rows that are replayed together, because an event of one can change the outcome of an event of another.
 * A product, its variants and their prices are one unit; every other entity is a unit of its own.
 */
export interface ReplayUnit {
  /** `product/4711`, `stock/4711`, `category/12` … */
  readonly name: string;
  readonly tables: readonly UnitTable[];
  /** Log subjects of its events; `*` stands for the id of any variant. */
  readonly subjects: readonly string[];
}

/** The rows of a unit in one table. */
export interface UnitTable {
  readonly table: EntityTable;
  /** Key of the row of the entity; undefined when only variants have rows. */
  readonly key: EntityKey | undefined;
  /** Keys of the rows of its variants; undefined when variants have none. */
  readonly variants: KeyRange | undefined;
}

export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

/** @param subject of an event, `price/4711` */
export const replayUnitName = (subject: string): string => {
  const { kind, key } = parse(subject);
  const unit = entities[kind].replayUnit;
  return formatSubject({ kind: unit, key: entities[unit].key === "id" ? productOfKey(key) : key });
};

export const replayUnitFor = (name: string): ReplayUnit => {
  const { kind, key } = parse(name);
  const members = entityKinds.filter((member) => entities[member].replayUnit === kind);
  return {
    name,
    tables: mergeTables(members.flatMap((member) => tablesOf(member, key))),
    subjects: members.flatMap((member) => subjectsOf(member, key)),
  };
};

const tablesOf = (kind: EntityKind, key: EntityKey): readonly UnitTable[] => {
  const variants = hasVariants(kind) && typeof key === "number" ? variantKeys(key) : undefined;
  const hasOwnRow = !variants || entities[kind].key !== "pair";
  return entities[kind].tables.map((table) => ({
    table,
    key: hasOwnRow ? key : undefined,
    variants,
  }));
};

/** Whether the rows of variants belong to the unit of their product. */
const hasVariants = (kind: EntityKind): boolean =>
  entities[kind].replayUnit === "product" && kind !== "product";

const mergeTables = (tables: readonly UnitTable[]): readonly UnitTable[] =>
  [...new Set(tables.map(({ table }) => table))].map((table) => {
    const same = tables.filter((each) => each.table === table);
    return {
      table,
      key: same.find((each) => each.key !== undefined)?.key,
      variants: same.find((each) => each.variants !== undefined)?.variants,
    };
  });

const subjectsOf = (kind: EntityKind, key: EntityKey): readonly string[] => {
  const own = toNatsSubject(formatSubject({ kind, key }));
  if (!hasVariants(kind)) return [own];
  return entities[kind].key === "pair" ? [`${own}.*`] : [own, `${own}.*`];
};

const parse = (subject: string): EntityRef => {
  const ref = parseSubject(subject);
  if (!ref) throw new Error(`no event has the subject ${subject}`);
  return ref;
};
