import { parseEntityName } from "../../projector/explain/entity.ts";
import { explainEntity } from "../../projector/explain/explain.ts";
import type {
  EventEffect,
  EventRef,
  ExplainedGroup,
  Explanation,
  FieldChange,
  RejectedEvent,
} from "../../projector/explain/explanation.ts";
import { createHtmlRenderer } from "../../projector/rendering/index.ts";
import { argument, flag, json, text } from "../command-spec.ts";
import { defineCommand, type Report } from "../define-command.ts";
import { withEventLog } from "../event-log.ts";
import { withLiveStore } from "../live-store.ts";
import { type LogConfig, logSettings } from "../shared-options.ts";
import { colours, formatCount, print } from "../terminal/output.ts";
import { formatEventLine, formatFields } from "../terminal/table.ts";

export const explainCommand = defineCommand({
  settings: logSettings,
  argument: argument(
    "<entity>",
    "product/ID, price/ID, stock/ID, category/ID, page/ID, carrier/ID, agent/LABEL, settings or robots",
    text,
  ),
  options: { all: flag("show every event, not only the newest of each field group"), json },
  examples: ["vitrine explain product/4711", "vitrine explain settings --all"],
  run: ({ config, argument: entity, options }) => explain(config, entity, options.all),
});

/**
 * Explains which events wrote each field group of an entity, and which were ignored or rejected. Changes nothing.
 * The exit code is 1 when neither the model nor the log has the entity.
 */
const explain = async (config: LogConfig, entity: string, all: boolean): Promise<Report> => {
  // Rejects an invalid name before any file is opened.
  parseEntityName(entity);
  const limit = all ? Number.POSITIVE_INFINITY : 10;
  const explanation = await withLiveStore(config, (store) =>
    withEventLog(config, (eventLog) =>
      explainEntity(eventLog, store, createHtmlRenderer(), entity, { limit }),
    ),
  );
  return {
    json: explanation,
    show: () => showExplanation(explanation),
    exitCode: explanation.found ? 0 : 1,
  };
};

/** Prints an explanation: the current values of each group, then its events, newest first. */
const showExplanation = (explanation: Explanation): void => {
  const { entity, found, checkpoint, log, groups, refused, waiting, notes } = explanation;
  if (found) {
    print(`${colours.bold(entity)} at sequence ${checkpoint} of ${log.address}`);
    for (const group of groups) if (hasEvents(group)) showGroup(group);
    showRejected(refused);
  } else print(`${entity} is unknown: neither the model nor the log has an event of it`);
  if (waiting > 0) print(`\n${formatCount(waiting, "event")} not applied yet`);
  for (const note of notes) print(`\n${colours.yellow("note")}  ${note}`);
};

const hasEvents = ({ state, counts }: ExplainedGroup): boolean =>
  state !== "unknown" || sumCounts(counts) > 0;

const sumCounts = (counts: ExplainedGroup["counts"]): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const showGroup = ({ name, state, fields, writtenBy, counts, effects }: ExplainedGroup): void => {
  const by = writtenBy ? `, written by ${writerLine(writtenBy)}` : "";
  print(`\n${colours.bold(name)}  ${state === "unknown" ? "no event yet" : state}${by}`);
  const values = Object.entries(fields).map(
    ([field, value]) => [field, JSON.stringify(value)] as const,
  );
  for (const line of formatFields(values, "  ")) print(`  ${line}`);
  print(`  ${colours.dim(countsLine(counts))}`);
  for (const effect of effects) showEffect(effect);
  const more = sumCounts(counts) - effects.length;
  if (more > 0)
    print(colours.dim(`       … and ${formatCount(more, "older event")}: --all shows them`));
};

const writerLine = ({ sequence, id, time, version }: EventRef): string => {
  const location =
    sequence === null ? "an event that the log no longer holds" : `event ${sequence}`;
  return `${location} (${id}${version === null ? "" : `, version ${version}`}) of ${time}`;
};

const countsLine = (counts: ExplainedGroup["counts"]): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count.toLocaleString("en")} ${outcome}`)
    .join(", ") || "no events";

const showEffect = (effect: EventEffect): void => {
  const { sequence, time, type, id, changes } = effect;
  print(formatEventLine(sequence, colours.dim(time), type, id, outcomeLine(effect)));
  for (const change of changes) print(`        ${changeLine(change)}`);
};

const outcomeLine = ({ outcome, changes, against }: EventEffect): string => {
  const other = against ? ` ${writerLine(against)}` : "";
  switch (outcome) {
    case "applied":
      return changes.length > 0 ? "" : colours.dim("changed nothing");
    case "waiting":
      return colours.yellow("waits for the product");
    case "superseded":
      return colours.dim(`a newer price counts:${other}`);
    case "stale":
      return colours.yellow(`ignored as stale: newer is${other}`);
    case "repeated":
      return colours.dim(`repeated:${other}`);
  }
};

const changeLine = ({ field, before, after }: FieldChange): string =>
  before === null
    ? `${field}: ${JSON.stringify(after)}`
    : `${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;

const showRejected = ({ count, newest }: Explanation["refused"]): void => {
  if (count === 0) return;
  print(`\n${colours.red("refused")}  ${formatCount(count, "dead letter")}`);
  for (const letter of newest) print(rejectedLine(letter));
  if (count > newest.length) print(colours.dim(`       … and ${count - newest.length} older ones`));
};

const rejectedLine = ({ sequence, logTime, field, reason }: RejectedEvent): string =>
  formatEventLine(sequence, colours.dim(logTime), `${field ?? "event"}: ${reason}`);
