import { outdatedReason } from "../../../projector/projection-version.ts";
import type { BuildProgress } from "../../../read-model/generations/build-progress.ts";
import type { Checkpoint, EventCounts } from "../../../read-model/schema/checkpoint.ts";
import type { TableSize } from "../../../read-model/store/store.ts";
import {
  colours,
  formatCount,
  formatDuration,
  formatSize,
  joinParts,
  print,
} from "../../terminal/output.ts";
import { formatFields, formatTable } from "../../terminal/table.ts";
import type { LogInfo } from "./log-info.ts";
import type { ModelInfo, ProjectionInfo } from "./model-info.ts";
import type { RuntimeInfo, Status } from "./status.ts";

/** Prints a status, one fact a line; omits unknown facts. @param now milliseconds since 1970 */
export const showStatus = (status: Status, now: number): void =>
  statusLines(status, now).forEach(print);

export const statusLines = (status: Status, now: number): readonly string[] => {
  const { reason, service, lag, model, log, building, dataDir } = status;
  const fields: readonly StatusField[] = [
    ["state", formatState(status, now)],
    ["reason", reason],
    ["service", formatReadiness(service)],
    ["lag", formatLag(lag)],
    ["rate", service && formatRate(service, lag)],
    ["checkpoint", model?.checkpoint && formatCheckpoint(model.checkpoint)],
    ["event log", formatLog(log, model)],
    ...(model ? modelFields(model, now) : []),
    ["building", building && formatBuilding(building)],
    ["data", joinParts([dataDir, model && `${formatSize(model.freeBytes)} free`])],
  ];
  return [...formatFields(fields), ...(model ? tableLines(model) : [])];
};

/** Formats a status as one line, without values that time alone changes. */
export const statusLine = ({ state, reason, model, log, building }: Status): string =>
  joinParts(
    [
      state,
      reason,
      `checkpoint ${model?.checkpoint?.sequence ?? 0} of ${log.last ?? "?"}`,
      model && `generation ${model.generation}`,
      model && formatModelCounts(model),
      model && formatSetAside(model),
      building && `${building.doing} ${building.phase} ${building.at} of ${building.of}`,
    ],
    "; ",
  );

const goodStates: readonly Status["state"][] = ["live"];
const badStates: readonly Status["state"][] = ["faulted", "diverged", "stalled", "silent"];

const colourState = (state: Status["state"]): string => {
  if (goodStates.includes(state)) return colours.green(state);
  return badStates.includes(state) ? colours.red(state) : colours.yellow(state);
};

const formatState = ({ state, since }: Status, now: number): string =>
  joinParts([colourState(state), since && `for ${formatAge(since, now)}`], " ");

const formatReadiness = (service: RuntimeInfo | null): string => {
  if (!service) return "no answer from the ops port";
  return service.ready ? "ready" : `not ready: ${service.reasons.join("; ")}`;
};

const formatLag = ({ events, seconds }: Status["lag"]): string =>
  joinParts([
    events !== null && formatCount(events, "event"),
    seconds !== null && formatDuration(seconds),
  ]) || "unknown";

const formatRate = (
  { eventsPerSecond, etaSeconds }: RuntimeInfo,
  { events }: Status["lag"],
): string => {
  const rate = `${formatCount(eventsPerSecond, "event")} a second`;
  if (!events) return rate;
  return `${rate}, ${etaSeconds === null ? "no end in sight" : `${formatDuration(etaSeconds)} left`}`;
};

const formatCheckpoint = ({ sequence, identity, lastEventTime }: Checkpoint): string =>
  joinParts([
    `sequence ${sequence} of ${identity.name} created ${identity.created}`,
    lastEventTime > 0 && `newest event of ${new Date(lastEventTime).toISOString()}`,
  ]);

const formatLog = (log: LogInfo, model: ModelInfo | null): string => {
  if (!log.reachable) return `${log.address} cannot be reached: ${log.error}`;
  if (log.last === 0) return `${log.address}, empty`;
  const continuity = log.divergence ? "does not continue the model" : "continues the model";
  return joinParts([
    log.address,
    `sequences ${log.first} to ${log.last}`,
    model !== null && continuity,
  ]);
};

const formatBuilding = (building: BuildProgress): string => {
  const { doing, phase, at, of, eventsPerSecond, etaSeconds, bytes } = building;
  return joinParts([
    `${doing}: ${phase}`,
    `event ${at} of ${of}`,
    `${eventsPerSecond} a second`,
    etaSeconds !== null && `${formatDuration(etaSeconds)} left`,
    formatSize(bytes),
  ]);
};

type StatusField = readonly [name: string, value: string | null | undefined];

/** Formats the facts about the live generation without its checkpoint. @param now milliseconds since 1970 */
const modelFields = (model: ModelInfo, now: number): readonly StatusField[] => {
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

const tableLines = ({ tables }: ModelInfo): readonly string[] => {
  const filled = Object.entries<TableSize>(tables).filter(([, { rows }]) => rows > 0);
  if (filled.length === 0) return [];
  return formatTable(
    ["table", "rows", "size"],
    filled.map(([name, { rows, bytes }]) => [name, rows.toLocaleString("en"), formatSize(bytes)]),
  );
};

const formatModelCounts = ({ counts }: ModelInfo): string => {
  const { products, inStock, categories } = counts;
  return `${formatCount(products, "product")} (${inStock} in stock), ${formatCount(categories, "category", "categories")}`;
};

/** Formats the counts of what no page shows. */
const formatSetAside = ({ counts }: ModelInfo): string => {
  const { orphans, heldBackCategories, deadLetters } = counts;
  const heldBack = formatCount(heldBackCategories, "category held back", "categories held back");
  return `${formatCount(orphans, "orphan")}, ${heldBack}, ${formatCount(deadLetters, "dead letter")}`;
};

/** @param since ISO 8601 */
const formatAge = (since: string, now: number): string =>
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
