import { lastMoveTime } from "../../../projections/moves.ts";
import { type CategoryTimes, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { CategoryRows } from "./category-rows.ts";

/** Categories whose dates a batch changed. */
export interface ChangedTimes {
  /** Categories whose name on pages of their products changed. */
  readonly named: ReadonlySet<number>;
  readonly page: ReadonlySet<number>;
}

const noChanges: ChangedTimes = { named: new Set(), page: new Set() };

/** Dates every category by its own events and by those of its ancestors: one event may show or hide a branch. */
export const deriveCategoryTimes = (
  batch: UnitOfWork,
  stored: WritableTables,
  rows: CategoryRows = [],
): ChangedTimes => {
  if (batch.categoryStates.changedKeys().size === 0) return noChanges;
  const before = new Map(stored.entries(tables.categoryTimes));
  const [named, page] = [new Set<number>(), new Set<number>()];
  for (const [id, times] of computeTimes(rows)) {
    const previous = before.get(id);
    if (previous?.summary !== times.summary) named.add(id);
    if (previous?.page !== times.page) page.add(id);
    if (named.has(id) || page.has(id)) stored.put(tables.categoryTimes, id, times);
  }
  return { named, page };
};

/** Dates of a category that its descendants inherit. */
interface OwnTimes {
  readonly parentId: number | null;
  readonly contentChangedAt: number;
  readonly summaryChangedAt: number;
  readonly movedAt: number;
}

/** Newest dates of a category and all its ancestors. */
interface InheritedTimes {
  readonly summaryChangedAt: number;
  readonly movedAt: number;
}

const noTimes: InheritedTimes = { summaryChangedAt: 0, movedAt: 0 };

function* computeTimes(rows: CategoryRows): Generator<readonly [number, CategoryTimes]> {
  const ownTimes = new Map<number, OwnTimes>();
  for (const [id, { content, contentChangedAt, summaryChangedAt, moves }] of rows) {
    ownTimes.set(id, {
      parentId: content?.parentId ?? null,
      contentChangedAt,
      summaryChangedAt,
      movedAt: lastMoveTime(moves),
    });
  }
  const inheritedById = computeInherited(ownTimes);
  for (const [id, { parentId, contentChangedAt, summaryChangedAt }] of ownTimes) {
    const inherited = (parentId !== null && inheritedById.get(parentId)) || noTimes;
    yield [
      id,
      {
        summary: Math.max(summaryChangedAt, inherited.movedAt),
        page: Math.max(contentChangedAt, inherited.summaryChangedAt),
      },
    ];
  }
}

/**
 * Computes the newest dates along each chain of ancestors. Invariant: every chain is walked once; a circle is cut
 * where the walk comes back to it.
 */
const computeInherited = (
  ownTimes: ReadonlyMap<number, OwnTimes>,
): ReadonlyMap<number, InheritedTimes> => {
  const inheritedById = new Map<number, InheritedTimes>();
  for (const id of ownTimes.keys()) {
    const path: number[] = [];
    const visited = new Set<number>();
    let current: number | null = id;
    while (
      current !== null &&
      ownTimes.has(current) &&
      !inheritedById.has(current) &&
      !visited.has(current)
    ) {
      path.push(current);
      visited.add(current);
      current = ownTimes.get(current)?.parentId ?? null;
    }
    let inherited = (current !== null && inheritedById.get(current)) || noTimes;
    for (const member of path.reverse()) {
      const { summaryChangedAt = 0, movedAt = 0 } = ownTimes.get(member) ?? {};
      inherited = {
        summaryChangedAt: Math.max(summaryChangedAt, inherited.summaryChangedAt),
        movedAt: Math.max(movedAt, inherited.movedAt),
      };
      inheritedById.set(member, inherited);
    }
  }
  return inheritedById;
};
