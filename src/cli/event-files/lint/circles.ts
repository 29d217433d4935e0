import { isStale, versionOf } from "../../../../projections/field-group.ts";
import type { ShopEvent } from "../../../events/event.ts";
import type { EventVersion } from "../../../read-model/schema/rows.ts";
import type { LintWarningLine } from "./warning.ts";

/** Finds cycles of parents among the categories of a file. */
export interface CycleDetector {
  add(event: ShopEvent, line: number): void;
  /** Lists the cycles after the last event of each category, each with the last line that closes it. */
  cycles(): readonly LintWarningLine[];
}

interface CategoryState {
  readonly version: EventVersion;
  readonly line: number;
  readonly parentId: number | null;
}

/** Limits the memory, because a file may be of any size. */
const maxCategories = 200_000;

export const createCycleDetector = (): CycleDetector => {
  const categories = new Map<number, CategoryState>();
  return {
    add(event, line) {
      if (event.type !== "shop.category.upserted" && event.type !== "shop.category.deleted") return;
      const { id } = event.data;
      const [current, version] = [categories.get(id), versionOf(event)];
      if (current && isStale(version, current.version)) return;
      if (!current && categories.size >= maxCategories) return;
      const parentId = event.type === "shop.category.upserted" ? event.data.parentId : null;
      categories.set(id, { version, line, parentId: parentId ?? null });
    },
    cycles: () =>
      findCycles(categories)
        .map((circle) => formatCycle(circle, categories))
        .sort((a, b) => a.line - b.line),
  };
};

/** Follows each chain of parents until it ends, or meets itself or an earlier chain. */
const findCycles = (
  categories: ReadonlyMap<number, CategoryState>,
): readonly (readonly number[])[] => {
  const cycles: number[][] = [];
  const followed = new Set<number>();
  for (const start of categories.keys()) {
    const chain = new Set<number>();
    let at: number | null = start;
    while (at !== null && !followed.has(at)) {
      followed.add(at);
      chain.add(at);
      at = categories.get(at)?.parentId ?? null;
    }
    if (at !== null && chain.has(at)) {
      const ids = [...chain];
      cycles.push(ids.slice(ids.indexOf(at)));
    }
  }
  return cycles;
};

const maxNamedCategories = 10;

const formatCycle = (
  circle: readonly number[],
  categories: ReadonlyMap<number, CategoryState>,
): LintWarningLine => {
  const named = [
    ...circle.slice(0, maxNamedCategories),
    ...(circle.length > maxNamedCategories ? ["…"] : []),
  ];
  return {
    line: circle.reduce((last, id) => Math.max(last, categories.get(id)?.line ?? 0), 0),
    field: "data.parentId",
    reason: `categories ${named.join(", ")} are each other's parents in a circle: they and what is below them are held back until one has another parent`,
  };
};
