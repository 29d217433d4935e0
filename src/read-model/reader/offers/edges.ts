import type { CategoryDocument } from "../../schema/documents.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import type { SnapshotState } from "../snapshot-state.ts";
import { laterOf, passEdges, type SnapshotTime } from "./shown-product.ts";

/** Instants at which pages change without an event. */

/** Returns the time of the current snapshot. What expires limits how long its read set is valid. */
export const snapshotTime = ({ instant, readSet }: SnapshotState): SnapshotTime => ({
  instant,
  expiresAt(edge) {
    readSet.validUntil = Math.min(readSet.validUntil, edge);
  },
});

/** Reports the next edge of any product. */
export const expireWithNextEdge = (
  stored: ReadTables,
  { instant, expiresAt }: SnapshotTime,
): void => {
  for (const [edge] of stored.keys(tables.edges, { start: [instant + 1], limit: 1 })) {
    expiresAt(edge);
  }
};

/** Returns the last edge of any product that has passed, and reports the next one; 0 when none has passed. */
export const readLastEdge = (stored: ReadTables, time: SnapshotTime): number => {
  expireWithNextEdge(stored, time);
  const range = { start: [time.instant + 1], reverse: true, limit: 1 } as const;
  for (const [edge] of stored.keys(tables.edges, range)) return edge;
  return 0;
};

/** Dates the page of a category at the instant of a snapshot, by the prices of the products on it. */
export const showCategory = (
  { edges = [], ...category }: CategoryDocument,
  pricesVisible: boolean,
  time: SnapshotTime,
): CategoryDocument => {
  const edge = pricesVisible ? passEdges(edges, time) : 0;
  return { ...category, lastmod: laterOf(category.lastmod, edge) };
};
