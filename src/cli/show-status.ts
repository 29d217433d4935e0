import { colours, counted, duration, print, size } from "./output.ts";
import type { Status } from "./status.ts";

/** A status as a person reads it: one fact a line, nothing said that is not known. */
export const showStatus = (status: Status): void => {
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["state", stateLine(status)],
    ["reason", status.reason ?? undefined],
    ["service", serviceLine(status)],
    ["lag", lagLine(status)],
    ["checkpoint", checkpointLine(status)],
    ["event log", logLine(status)],
    ["events", eventsLine(status)],
    ["model", modelLine(status)],
    ["set aside", asideLine(status)],
    ["generation", generationLine(status)],
    ["data", status.dataDir],
  ];
  for (const [name, text] of lines) {
    if (text !== undefined) print(`${colours.dim(name.padEnd(11))} ${text}`);
  }
};

const stateLine = ({ state }: Status): string =>
  state === "live" ? colours.green(state) : colours.yellow(state);

const serviceLine = ({ service }: Status): string => {
  if (!service) return "no answer from the ops port";
  return service.ready ? "ready" : `not ready: ${service.reasons.join("; ")}`;
};

const lagLine = ({ lag: { events, seconds } }: Status): string => {
  const known = [
    ...(events === null ? [] : [counted(events, "event")]),
    ...(seconds === null ? [] : [duration(seconds)]),
  ];
  return known.length > 0 ? known.join(", ") : "unknown";
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

const eventsLine = ({ model }: Status): string | undefined => {
  const tally = model?.checkpoint?.tally;
  if (!tally) return undefined;
  const { applied, stale, repeated, rejected } = tally;
  return `${applied} applied, ${stale} stale, ${repeated} repeated, ${rejected} rejected`;
};

const modelLine = ({ model }: Status): string | undefined => {
  if (!model) return undefined;
  const { products, inStock, categories } = model.counts;
  return `${counted(products, "product")} (${inStock} in stock), ${counted(categories, "category", "categories")}`;
};

const asideLine = ({ model }: Status): string | undefined =>
  model
    ? `${counted(model.counts.orphans, "orphan")}, ${counted(model.counts.deadLetters, "dead letter")}`
    : undefined;

const generationLine = ({ model }: Status): string | undefined =>
  model
    ? `${model.generation}, ${size(model.bytes)}${model.previous ? `; previous ${model.previous}` : ""}`
    : undefined;
