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
import { productOfKey, variantKeys } from "../../read-model/schema/keys.ts";

/**
 * Rows that are replayed together, because an event of one can change the outcome of an event of another.
 * A product, its variants and their prices are one unit; every other entity is a unit of its own.
 */
export interface ReplayUnit {
  /** `product/4711`, `stock/4711`, `category/12` … */
  readonly name: string;
  readonly key: EntityKey;
  /** Keys of the rows of its variants; undefined when variants have none. */
  readonly variants: KeyRange | undefined;
  readonly tables: ReadonlySet<EntityTable>;
  /** Log subjects of its events; `*` stands for the id of any variant. */
  readonly subjects: readonly string[];
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
    ...{ name, key },
    variants: kind === "product" ? variantKeys(Number(key)) : undefined,
    tables: new Set(members.flatMap((member): readonly EntityTable[] => entities[member].tables)),
    subjects: members.flatMap((member) => subjectsOf(member, key)),
  };
};

const subjectsOf = (kind: EntityKind, key: EntityKey): readonly string[] => {
  const own = toNatsSubject(formatSubject({ kind, key }));
  if (kind === "product" || entities[kind].replayUnit !== "product") return [own];
  return entities[kind].key === "pair" ? [`${own}.*`] : [own, `${own}.*`];
};

const parse = (subject: string): EntityRef => {
  const ref = parseSubject(subject);
  if (!ref) throw new Error(`no event has the subject ${subject}`);
  return ref;
};
