import type { ShopEvent } from "../../../events/event.ts";
import type { CategoryRow } from "../../../read-model/schema/rows.ts";
import type { LintModel, LintWarning } from "./model.ts";

/** Finds circles of parents among the categories that the events of one file state. */
export const createCircleCheck = ({ rows }: LintModel) => {
  const lines = new Map<number, number>();
  return {
    /** Adds an event that was applied, unless there was no room for its row. */
    add({ type, data, logSequence }: ShopEvent): void {
      if (type !== "shop.category.upserted" || !rows.categoryStates.byId.has(data.id)) return;
      lines.set(data.id, logSequence);
    },
    /** Lists the circles after the last event of each category, each with the last line that closes it. */
    warnings: (): readonly LintWarning[] =>
      findCircles(rows.categoryStates.byId, lines.keys()).map((circle) => ({
        line: circle.reduce((last, id) => Math.max(last, lines.get(id) ?? 0), 0),
        field: "data.parentId",
        reason: `categories ${joinIds(circle)} are each other's parents in a circle: they and what is below them are held back until one has another parent`,
      })),
  };
};

/** Follows each chain of parents until it ends, or meets itself or an earlier chain. */
const findCircles = (
  categories: ReadonlyMap<number, CategoryRow>,
  starts: Iterable<number>,
): readonly (readonly number[])[] => {
  const followed = new Set<number>();
  return [...starts].flatMap((start) => {
    const chain: number[] = [];
    let at: number | null = start;
    while (at !== null && !followed.has(at)) {
      followed.add(at);
      chain.push(at);
      at = categories.get(at)?.content?.parentId ?? null;
    }
    const begin = at === null ? -1 : chain.indexOf(at);
    return begin < 0 ? [] : [chain.slice(begin)];
  });
};

const maxNamed = 10;

const joinIds = (ids: readonly number[]): string =>
  [...ids.slice(0, maxNamed), ...(ids.length > maxNamed ? ["…"] : [])].join(", ");
