import { outdatedReason } from "../../../projector/projection-version.ts";
import type { Checkpoint, EventCounts } from "../../../read-model/schema/checkpoint.ts";
import type { TableSize } from "../../../read-model/store/store.ts";
import { formatCount, formatDuration, formatSize } from "../../terminal/output.ts";
import { formatTable } from "../../terminal/table.ts";
import type { ModelInfo, ProjectionInfo } from "./model-info.ts";

export type StatusField = readonly [name: string, value: string | null | undefined];

/** Formats the facts about the live generation without its checkpoint. @param now milliseconds since 1970 */
export const modelFields = (model: ModelInfo, now: number): readonly StatusField[] => {
  const { checkpoint, previous, previousBytes } = model;
  return [
    ["projections", checkpoint && formatProjections(model.projections, checkpoint)],
    ["events", checkpoint?.tally && formatTally(checkpoint.tally)],
    ["model", formatModelCounts(model)],
    ["set aside", formatSetAside(model)],
    ["generation", formatGeneration(model, now)],
    ["previous", previous && `${previous}, ${formatSize(previousBytes)}`],
  ];
};

export const tableLines = ({ tables }: ModelInfo): readonly string[] => {
  const filled = Object.entries<TableSize>(tables).filter(([, { rows }]) => rows > 0);
  if (filled.length === 0) return [];
  return formatTable(
    ["table", "rows", "size"],
    filled.map(([name, { rows, bytes }]) => [name, rows.toLocaleString("en"), formatSize(bytes)]),
  );
};

export const formatModelCounts = ({ counts }: ModelInfo): string => {
  const { products, inStock, categories } = counts;
  return `${formatCount(products, "product")} (${inStock} in stock), ${formatCount(categories, "category", "categories")}`;
};

/** Formats the counts of what no page shows. */
export const formatSetAside = ({ counts }: ModelInfo): string => {
  const { orphans, heldBackCategories, deadLetters } = counts;
  const heldBack = formatCount(heldBackCategories, "category held back", "categories held back");
  return `${formatCount(orphans, "orphan")}, ${heldBack}, ${formatCount(deadLetters, "dead letter")}`;
};

/** @param since ISO 8601 */
export const formatAge = (since: string, now: number): string =>
  formatDuration(Math.max(0, Math.round((now - Date.parse(since)) / 1000)));

const formatGeneration = ({ generation, liveSince, bytes }: ModelInfo, now: number): string =>
  `${generation}, live for ${formatAge(liveSince, now)}, ${formatSize(bytes)}`;

const formatTally = ({ applied, stale, repeated, rejected }: EventCounts): string =>
  `${applied} applied, ${stale} stale, ${repeated} repeated, ${rejected} rejected`;

const formatProjections = (
  projections: readonly ProjectionInfo[],
  checkpoint: Checkpoint,
): string => {
  const named = projections.map(formatProjection).join(", ");
  const reason = outdatedReason(checkpoint);
  const outlook = `${reason}: the service builds it again from the event log when it starts`;
  return reason === undefined ? named : `${named}; ${outlook}`;
};

const formatProjection = ({ name, version, program }: ProjectionInfo): string => {
  const written = `${name} ${version ?? "none"}`;
  return version === program ? written : `${written} (this program: ${program ?? "none"})`;
};
