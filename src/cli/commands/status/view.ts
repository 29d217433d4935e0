import { outdatedReason } from "../../../projector/projection-version.ts";
import type { TableSize } from "../../../read-model/store/store.ts";
import { colours, formatCount, formatDuration, formatSize, print } from "../../terminal/output.ts";
import { formatFields, formatTable } from "../../terminal/table.ts";
import { hasDifferentVersion, type ProjectionInfo } from "./projection-info.ts";
import type { Status } from "./status.ts";

/** Prints a status, one fact a line; omits unknown facts. @param now milliseconds since 1970 */
export const showStatus = (status: Status, now: number): void =>
  statusLines(status, now).forEach(print);

/** Formats a status as lines, for a screen that is redrawn. */
export const statusLines = (status: Status, now: number): readonly string[] => {
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["state", stateLine(status, now)],
    ["reason", status.reason ?? undefined],
    ["service", readinessLine(status)],
    ["lag", lagLine(status)],
    ["rate", rateLine(status)],
    ["checkpoint", checkpointLine(status)],
    ["event log", logLine(status)],
    ["projections", projectionsLine(status)],
    ["events", eventsLine(status)],
    ["model", modelLine(status)],
    ["set aside", asideLine(status)],
    ["generation", generationLine(status, now)],
    ["previous", previousLine(status)],
    ["building", buildingLine(status)],
    ["data", dataLine(status)],
  ];
  return [...formatFields(fields), ...tableLines(status)];
};

/** Formats a status as one line, without values that time alone changes. */
export const statusLine = (status: Status): string => {
  const { state, reason, model, log, building } = status;
  return [
    state,
    ...(reason ? [reason] : []),
    `checkpoint ${model?.checkpoint?.sequence ?? 0} of ${log.last ?? "?"}`,
    ...(model
      ? [`generation ${model.generation}`, modelLine(status) ?? "", asideLine(status) ?? ""]
      : []),
    ...(building ? [`${building.doing} ${building.phase} ${building.at} of ${building.of}`] : []),
  ].join("; ");
};

const goodStates: readonly Status["state"][] = ["live"];
const badStates: readonly Status["state"][] = ["faulted", "diverged", "stalled", "silent"];

const stateLine = ({ state, since }: Status, now: number): string => {
  const paint = goodStates.includes(state)
    ? colours.green
    : badStates.includes(state)
      ? colours.red
      : colours.yellow;
  return since ? `${paint(state)} for ${formatAge(since, now)}` : paint(state);
};

const formatAge = (since: string, now: number): string =>
  formatDuration(Math.max(0, Math.round((now - Date.parse(since)) / 1000)));

const readinessLine = ({ service: running }: Status): string => {
  if (!running) return "no answer from the ops port";
  return running.ready ? "ready" : `not ready: ${running.reasons.join("; ")}`;
};

const lagLine = ({ lag: { events, seconds } }: Status): string => {
  const parts = [
    ...(events === null ? [] : [formatCount(events, "event")]),
    ...(seconds === null ? [] : [formatDuration(seconds)]),
  ];
  return parts.length > 0 ? parts.join(", ") : "unknown";
};

const rateLine = ({ service: running, lag }: Status): string | undefined => {
  if (!running) return undefined;
  const rate = `${formatCount(running.eventsPerSecond, "event")} a second`;
  if (!lag.events) return rate;
  return `${rate}, ${running.etaSeconds === null ? "no end in sight" : `${formatDuration(running.etaSeconds)} left`}`;
};

const checkpointLine = ({ model }: Status): string | undefined => {
  const checkpoint = model?.checkpoint;
  if (!checkpoint) return undefined;
  const newest = checkpoint.lastEventTime
    ? `, newest event of ${new Date(checkpoint.lastEventTime).toISOString()}`
    : "";
  return `sequence ${checkpoint.sequence} of ${checkpoint.identity.name} created ${checkpoint.identity.created}${newest}`;
};

const logLine = ({ log, model }: Status): string => {
  if (!log.reachable) return `${log.address} cannot be reached: ${log.error}`;
  if (log.last === 0) return `${log.address}, empty`;
  const span = `sequences ${log.first} to ${log.last}`;
  if (!model) return `${log.address}, ${span}`;
  return `${log.address}, ${span}, ${log.divergence ? `does not continue the model` : "continues the model"}`;
};

const projectionsLine = ({ model }: Status): string | undefined => {
  if (!model?.checkpoint) return undefined;
  const named = model.projections.map(projectionText).join(", ");
  const reason = outdatedReason(model.checkpoint);
  return reason === undefined
    ? named
    : `${named}; ${reason}: the service builds it again from the event log when it starts`;
};

const projectionText = (projection: ProjectionInfo): string => {
  const { name, version, program } = projection;
  const written = `${name} ${version ?? "none"}`;
  return hasDifferentVersion(projection)
    ? `${written} (this program: ${program ?? "none"})`
    : written;
};

const eventsLine = ({ model }: Status): string | undefined => {
  const tally = model?.checkpoint?.tally;
  if (!tally) return undefined;
  const { applied, stale, repeated, rejected } = tally;
  return `${applied} applied, ${stale} stale, ${repeated} repeated, ${rejected} rejected`;
};

const modelLine = ({ model }: Status): string | undefined => {
  if (!model) return undefined;
  const { products, inStock, categories } = model.counts;
  return `${formatCount(products, "product")} (${inStock} in stock), ${formatCount(categories, "category", "categories")}`;
};

const asideLine = ({ model }: Status): string | undefined => {
  if (!model) return undefined;
  const { orphans, heldBackCategories, deadLetters } = model.counts;
  const heldBack = formatCount(heldBackCategories, "category held back", "categories held back");
  return `${formatCount(orphans, "orphan")}, ${heldBack}, ${formatCount(deadLetters, "dead letter")}`;
};

const generationLine = ({ model }: Status, now: number): string | undefined =>
  model
    ? `${model.generation}, live for ${formatAge(model.liveSince, now)}, ${formatSize(model.bytes)}`
    : undefined;

const previousLine = ({ model }: Status): string | undefined =>
  model?.previous ? `${model.previous}, ${formatSize(model.previousBytes)}` : undefined;

const buildingLine = ({ building }: Status): string | undefined => {
  if (!building) return undefined;
  const { doing, phase, at, of, eventsPerSecond, etaSeconds, bytes } = building;
  const remaining = etaSeconds === null ? "" : `, ${formatDuration(etaSeconds)} left`;
  return `${doing}: ${phase}, event ${at} of ${of}, ${eventsPerSecond} a second${remaining}, ${formatSize(bytes)}`;
};

const dataLine = ({ dataDir, model }: Status): string =>
  model ? `${dataDir}, ${formatSize(model.freeBytes)} free` : dataDir;

/** Formats the rows and bytes of each table that has rows. */
const tableLines = ({ model }: Status): readonly string[] => {
  if (!model) return [];
  const filled = Object.entries<TableSize>(model.tables).filter(([, { rows }]) => rows > 0);
  if (filled.length === 0) return [];
  return formatTable(
    ["table", "rows", "size"],
    filled.map(([name, { rows, bytes }]) => [name, rows.toLocaleString("en"), formatSize(bytes)]),
  );
};
