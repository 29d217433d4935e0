import type { SnapshotKind } from "../../../projections/entities.ts";
import type { EntityKey } from "../../../projections/subjects.ts";
import { compareTimes, type EventTime } from "../../events/time.ts";
import { diffValues, type FieldDifference } from "../../read-model/compare/row-diff.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import {
  type EntityState,
  type SnapshotEntities,
  type SnapshotRef,
  snapshotEntities,
  snapshotKinds,
} from "./snapshot-entities.ts";

/**
 * Kind of difference between model and snapshot in one entity. `missing`: only the snapshot has it · `left_over`: only
 * the model has it · `different`: contents differ · `newer`: an event after the snapshot changed it, so the model may be
 * right.
 */
export type Finding = "missing" | "left_over" | "different" | "newer";

export interface EntityDifference extends SnapshotRef {
  readonly finding: Finding;
  /** Fields of a `different` or `newer` entity: the model's value before, the snapshot's value after. */
  readonly fields: readonly FieldDifference[];
}

/** Result for one kind of entity, as `reconcile --json` prints it. */
export interface KindReport {
  readonly kind: SnapshotKind;
  /** Entities in the snapshot. */
  readonly exported: number;
  /** Entities in the model. */
  readonly inModel: number;
  readonly missing: number;
  readonly leftOver: number;
  readonly different: number;
  readonly newer: number;
  /** Prices or stock that the snapshot leaves out for products it contains: not counted as differences. */
  readonly omitted: number;
}

export interface Reconciliation {
  /** Only kinds that the snapshot contains. */
  readonly kinds: readonly KindReport[];
  /** All except `newer` ones can be corrected. */
  readonly differences: readonly EntityDifference[];
}

/**
 * Compares a snapshot of a shop with the model: contents, not versions.
 * @param snapshot rows of the generation loaded from the snapshot
 * @param asOf time at which the snapshot was taken
 */
export const reconcile = (
  snapshot: ReadTables,
  model: ReadTables,
  asOf: EventTime,
): Reconciliation => {
  const differences: EntityDifference[] = [];
  const reports = snapshotKinds.map((name) => {
    const kind = snapshotEntities[name];
    const ofKind = [...findDifferences(kind, snapshot, model, asOf)];
    for (const difference of ofKind) differences.push(difference);
    return buildReport(kind, snapshot, model, ofKind);
  });
  return { kinds: reports.filter(({ exported }) => exported > 0), differences };
};

function* findDifferences(
  kind: SnapshotEntities,
  snapshot: ReadTables,
  model: ReadTables,
  asOf: EventTime,
): Generator<EntityDifference> {
  let snapshotCount = 0;
  for (const [key, { content }] of kind.readAll(snapshot)) {
    snapshotCount += 1;
    const difference = compare(kind, key, content, kind.read(model, key), asOf);
    if (difference) yield difference;
  }
  if (snapshotCount === 0 || !kind.deletion) return;
  for (const [key, current] of kind.readAll(model)) {
    if (current.content === null || kind.read(snapshot, key).content !== null) continue;
    yield {
      kind: kind.kind,
      key,
      finding: isNewer(current, asOf) ? "newer" : "left_over",
      fields: [],
    };
  }
}

const compare = (
  { kind, defaultContent }: SnapshotEntities,
  key: EntityKey,
  snapshotContent: object | null,
  current: EntityState,
  asOf: EventTime,
): EntityDifference | undefined => {
  const modelContent = current.content ?? defaultContent;
  const fields = diffValues(modelContent, snapshotContent);
  if (fields.length === 0) return undefined;
  if (isNewer(current, asOf)) return { kind, key, finding: "newer", fields };
  return modelContent === null
    ? { kind, key, finding: "missing", fields: [] }
    : { kind, key, finding: "different", fields };
};

/** Checks whether an event after the snapshot wrote the entity: such an event takes precedence. */
const isNewer = ({ versions }: EntityState, asOf: EventTime): boolean =>
  versions.some((version) => compareTimes(version, asOf) > 0);

const buildReport = (
  kind: SnapshotEntities,
  snapshot: ReadTables,
  model: ReadTables,
  differences: readonly EntityDifference[],
): KindReport => {
  const count = (finding: Finding): number =>
    differences.filter((difference) => difference.finding === finding).length;
  const exported = countEntities(kind.readAll(snapshot));
  return {
    kind: kind.kind,
    exported,
    inModel: countEntities(kind.readAll(model)),
    missing: count("missing"),
    leftOver: count("left_over"),
    different: count("different"),
    newer: count("newer"),
    omitted: exported > 0 ? countOmitted(kind, snapshot, model) : 0,
  };
};

const countEntities = (entities: Iterable<readonly [EntityKey, EntityState]>): number => {
  let count = 0;
  for (const [, { content }] of entities) if (content !== null) count += 1;
  return count;
};

const countOmitted = (kind: SnapshotEntities, snapshot: ReadTables, model: ReadTables): number => {
  if (!kind.defaultContent) return 0;
  const products = snapshotEntities.product;
  let count = 0;
  for (const [key, { content }] of kind.readAll(model)) {
    const isOmitted = kind.read(snapshot, key).content === null;
    if (!isOmitted || products.read(snapshot, key).content === null) continue;
    if (diffValues(content ?? kind.defaultContent, kind.defaultContent).length > 0) count += 1;
  }
  return count;
};
