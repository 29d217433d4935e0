import { entities } from "../../../projections/entities.ts";
import type { EntityTable } from "../../../projections/projection.ts";
import {
  type EntityKey,
  type EntityRef,
  entityKinds,
  formatSubject,
  parseSubject,
} from "../../../projections/subjects.ts";
import { toNatsSubject } from "../../events/envelope.ts";

/**
 * Rows that are replayed together, because an event of one can change the outcome of an event of another.
 * A product and its price are one unit; every other entity is a unit of its own.
 */
export interface ReplayUnit {
  /** `product/4711`, `stock/4711`, `category/12` … */
  readonly name: string;
  readonly tables: readonly EntityTable[];
  /** Key of its rows, the same in each table. */
  readonly key: EntityKey;
  /** Log subjects of its events. */
  readonly subjects: readonly string[];
}

/** @param subject of an event, `price/4711` */
export const replayUnitName = (subject: string): string => {
  const { kind, key } = parse(subject);
  return formatSubject({ kind: entities[kind].replayUnit, key });
};

export const replayUnitFor = (name: string): ReplayUnit => {
  const { kind, key } = parse(name);
  const members = entityKinds.filter((member) => entities[member].replayUnit === kind);
  return {
    name,
    tables: [...new Set(members.flatMap((member) => entities[member].tables))],
    key,
    subjects: members.map((member) => toNatsSubject(formatSubject({ kind: member, key }))),
  };
};

const parse = (subject: string): EntityRef => {
  const ref = parseSubject(subject);
  if (!ref) throw new Error(`no event has the subject ${subject}`);
  return ref;
};
