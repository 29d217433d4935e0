import { compareTimes, type EventTime } from "../../events/time.ts";
import { contentsBetween, type FieldDifference } from "../../read-model/compare/row-diff.ts";
import type { Tables } from "../../read-model/store/store.ts";
import {
  type EntityKey,
  type KindOfEntity,
  type Known,
  kinds,
  type SnapshotKind,
} from "./snapshot-entities.ts";

/**
 * How the model differs from a snapshot in one entity. `missing`: only the snapshot has it · `left_over`: only the
 * model has it · `different` · `newer`: the shop told of it after the snapshot was taken, so the model may be right.
 */
export type Finding = "missing" | "left_over" | "different" | "newer";

export interface EntityDifference {
  readonly kind: SnapshotKind;
  readonly key: EntityKey;
  readonly finding: Finding;
  /** Of one that is different: what the model says before, what the snapshot says after. */
  readonly fields: readonly FieldDifference[];
}

export interface KindReport {
  readonly kind: SnapshotKind;
  /** Entities the snapshot tells of. */
  readonly told: number;
  /** Entities the model has. */
  readonly known: number;
  readonly missing: number;
  readonly leftOver: number;
  readonly different: number;
  readonly newer: number;
  /** Prices and stock of products in the snapshot that it does not tell of: nothing is said against them. */
  readonly untold: number;
}

export interface Reconciliation {
  /** Only kinds the snapshot tells of. */
  readonly kinds: readonly KindReport[];
  /** All but those that are `newer` can be corrected. */
  readonly differences: readonly EntityDifference[];
}

/**
 * Compares what a snapshot of a shop says with what the model says: contents, not who told them when.
 * @param snapshot a generation made of the snapshot alone
 * @param moment when the snapshot was taken
 */
export const reconcile = (snapshot: Tables, model: Tables, moment: EventTime): Reconciliation => {
  const differences: EntityDifference[] = [];
  const reports = kinds.map((each) => {
    const found = [...differencesOf(each, snapshot, model, moment)];
    for (const difference of found) differences.push(difference);
    return reportOf(each, snapshot, model, found);
  });
  return { kinds: reports.filter(({ told }) => told > 0), differences };
};

function* differencesOf(
  kind: KindOfEntity,
  snapshot: Tables,
  model: Tables,
  moment: EventTime,
): Generator<EntityDifference> {
  let told = 0;
  for (const [key, { content }] of kind.all(snapshot)) {
    told += 1;
    const difference = compare(kind, key, content, kind.known(model, key), moment);
    if (difference) yield difference;
  }
  if (told === 0 || !kind.deletion) return;
  for (const [key, known] of kind.all(model)) {
    if (known.content === null || kind.known(snapshot, key).content !== null) continue;
    yield {
      kind: kind.kind,
      key,
      finding: isNewer(known, moment) ? "newer" : "left_over",
      fields: [],
    };
  }
}

const compare = (
  { kind, untold }: KindOfEntity,
  key: EntityKey,
  told: object | null,
  known: Known,
  moment: EventTime,
): EntityDifference | undefined => {
  const before = known.content ?? untold;
  const fields = contentsBetween(before, told);
  if (fields.length === 0) return undefined;
  if (isNewer(known, moment)) return { kind, key, finding: "newer", fields };
  return before === null
    ? { kind, key, finding: "missing", fields: [] }
    : { kind, key, finding: "different", fields };
};

/** What the shop told after the snapshot counts more than the snapshot. */
const isNewer = ({ stamps }: Known, moment: EventTime): boolean =>
  stamps.some((stamp) => compareTimes(stamp, moment) > 0);

const reportOf = (
  kind: KindOfEntity,
  snapshot: Tables,
  model: Tables,
  found: readonly EntityDifference[],
): KindReport => {
  const count = (finding: Finding): number =>
    found.filter((difference) => difference.finding === finding).length;
  const told = countOf(kind.all(snapshot));
  return {
    kind: kind.kind,
    told,
    known: countOf(kind.all(model)),
    missing: count("missing"),
    leftOver: count("left_over"),
    different: count("different"),
    newer: count("newer"),
    untold: told > 0 ? countUntold(kind, snapshot, model) : 0,
  };
};

const countOf = (entities: Iterable<readonly [EntityKey, Known]>): number => {
  let count = 0;
  for (const [, { content }] of entities) if (content !== null) count += 1;
  return count;
};

const countUntold = (kind: KindOfEntity, snapshot: Tables, model: Tables): number => {
  if (!kind.untold) return 0;
  const products = kinds.find((each) => each.kind === "product") as KindOfEntity;
  let count = 0;
  for (const [key, { content }] of kind.all(model)) {
    const isUntold = kind.known(snapshot, key).content === null;
    if (!isUntold || products.known(snapshot, key).content === null) continue;
    if (contentsBetween(content ?? kind.untold, kind.untold).length > 0) count += 1;
  }
  return count;
};
