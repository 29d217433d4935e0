import { lastMove } from "../../../projections/moves.ts";
import { type CategoryTimes, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Batch } from "../batch/unit-of-work.ts";
import type { CategoryRows } from "./category-rows.ts";

/** Categories whose dates a batch changed. */
export interface ChangedTimes {
  /** Pages of their products name them otherwise now. */
  readonly named: ReadonlySet<number>;
  /** Their own page changed. */
  readonly page: ReadonlySet<number>;
}

const none: ChangedTimes = { named: new Set(), page: new Set() };

/** Dates every category by its own events and by those of the categories above it: one event may show or hide a branch. */
export const deriveCategoryTimes = (
  batch: Batch,
  stored: WritableTables,
  rows: CategoryRows = [],
): ChangedTimes => {
  if (batch.categoryStates.changed().size === 0) return none;
  const before = new Map(stored.entries(tables.categoryTimes));
  const [named, page] = [new Set<number>(), new Set<number>()];
  for (const [id, times] of timesOf(rows)) {
    const known = before.get(id);
    if (known?.named !== times.named) named.add(id);
    if (known?.page !== times.page) page.add(id);
    if (named.has(id) || page.has(id)) stored.put(tables.categoryTimes, id, times);
  }
  return { named, page };
};

/** What a category adds to the dates of those below it. */
interface Own {
  readonly parentId: number | null;
  readonly changedAt: number;
  readonly namedAt: number;
  readonly movedAt: number;
}

/** The newest dates of a category and all above it. */
interface Above {
  readonly namedAt: number;
  readonly movedAt: number;
}

const nothing: Above = { namedAt: 0, movedAt: 0 };

function* timesOf(rows: CategoryRows): Generator<readonly [number, CategoryTimes]> {
  const owns = new Map<number, Own>();
  for (const [id, { content, changedAt, namedAt, moves }] of rows) {
    owns.set(id, {
      parentId: content?.parentId ?? null,
      changedAt,
      namedAt,
      movedAt: lastMove(moves),
    });
  }
  const chains = chainsOf(owns);
  for (const [id, { parentId, changedAt, namedAt }] of owns) {
    const above = (parentId !== null && chains.get(parentId)) || nothing;
    yield [
      id,
      { named: Math.max(namedAt, above.movedAt), page: Math.max(changedAt, above.namedAt) },
    ];
  }
}

/** Invariant: every chain is walked once. A circle is cut where the walk comes back to it. */
const chainsOf = (owns: ReadonlyMap<number, Own>): ReadonlyMap<number, Above> => {
  const chains = new Map<number, Above>();
  for (const id of owns.keys()) {
    const path: number[] = [];
    const walked = new Set<number>();
    let at: number | null = id;
    while (at !== null && owns.has(at) && !chains.has(at) && !walked.has(at)) {
      path.push(at);
      walked.add(at);
      at = owns.get(at)?.parentId ?? null;
    }
    let above = (at !== null && chains.get(at)) || nothing;
    for (const member of path.reverse()) {
      const { namedAt = 0, movedAt = 0 } = owns.get(member) ?? {};
      above = {
        namedAt: Math.max(namedAt, above.namedAt),
        movedAt: Math.max(movedAt, above.movedAt),
      };
      chains.set(member, above);
    }
  }
  return chains;
};
