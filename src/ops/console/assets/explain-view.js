import { el, timeElement } from "./dom.js";
import { formatCount, formatDate, formatNumber } from "./format.js";

/** Formats an entity's explanation as one line. */
export const formatSummary = ({ entity, found, checkpoint, log, waiting }) => {
  const span = `${log.address} has events ${formatNumber(log.first)} to ${formatNumber(log.last)}`;
  if (!found) return `No event of ${entity}. ${span}.`;
  const later = waiting > 0 ? `, with ${formatCount(waiting, "event")} of it still to apply` : "";
  return `${entity} as of event ${formatNumber(checkpoint)}${later}. ${span}.`;
};

/** Builds the elements of an entity's field groups: the event that wrote each group, and the effects of its latest events. */
export const buildExplanation = ({ groups, refused, notes }) => [
  ...notes.map((text) => el("p.note", {}, text)),
  ...groups.filter(({ state }) => state !== "unknown").map(buildGroup),
  ...(refused.count > 0 ? [buildRejectedEvents(refused)] : []),
];

const agreements = {
  missing: "its event is no longer in the log",
  incomplete: "the log starts too late",
  differs: "a replay gives other values",
};

const buildGroup = ({ name, state, agreement, writtenBy, fields, counts, effects }) => {
  const warning = agreements[agreement];
  const outcomes = Object.entries(counts).filter(([, value]) => value > 0);
  const total = outcomes.reduce((sum, [, value]) => sum + value, 0);
  return el(
    "article",
    { "aria-label": name },
    el(
      "div.heading",
      {},
      el("h3", {}, name),
      ...(state === "deleted" ? [buildTag("deleted", "warn")] : []),
      ...(warning ? [buildTag(warning, "bad")] : []),
    ),
    el(
      "p.facts",
      {},
      writtenBy ? `Written by ${formatWriter(writtenBy)}` : "Not written by an event of its own",
    ),
    ...(state === "present" ? [buildFields(fields)] : []),
    ...(effects.length > 0 ? [buildTable(effects)] : []),
    ...(total > effects.length
      ? [
          el(
            "p.note",
            {},
            `The newest ${effects.length} of ${outcomes.map(([outcome, value]) => `${formatNumber(value)} ${outcome}`).join(", ")}.`,
          ),
        ]
      : []),
  );
};

const buildTag = (text, tone) => el("span.tag", { "data-tone": tone }, text);

const formatWriter = ({ sequence, id, time, version }) => {
  const event =
    sequence === null ? "an event that is not in the log" : `event ${formatNumber(sequence)}`;
  return `${event}, ${id}, of ${formatDate(time)}${version === null ? "" : `, version ${version}`}`;
};

const buildFields = (fields) =>
  el(
    "details",
    {},
    el("summary", {}, "Values in the model"),
    el(
      "pre",
      { tabindex: "0", "aria-label": "Values in the model" },
      JSON.stringify(fields, null, 2),
    ),
  );

const columns = ["Event", "Time", "Type and id", "Outcome", "Changes"];

const buildTable = (effects) =>
  el(
    "table.stacked",
    {},
    el("thead", {}, el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...effects.map(buildRow)),
  );

const tones = { applied: "ok", superseded: "busy", waiting: "busy", stale: "warn", repeated: "" };

const buildRow = (effect) =>
  el(
    "tr",
    {},
    el("td.number", { "data-name": "Event" }, formatNumber(effect.sequence)),
    el("td.when", {}, timeElement(effect.time)),
    el("td.about", {}, el("code", {}, effect.type), el("div.muted", {}, el("code", {}, effect.id))),
    el("td", {}, buildTag(effect.outcome, tones[effect.outcome])),
    el("td", {}, ...buildEffect(effect)),
  );

const buildEffect = ({ outcome, changes, against }) => {
  if (outcome === "stale")
    return [against ? `older than ${formatWriter(against)}` : "older than the current values"];
  if (outcome === "superseded")
    return [
      against
        ? `applied, but ${formatWriter(against)} takes precedence`
        : "applied, but another event takes precedence",
    ];
  if (outcome === "repeated")
    return [against ? `a duplicate of ${formatWriter(against)}` : "a duplicate"];
  if (outcome === "waiting") return ["waits for its product"];
  if (changes.length === 0) return ["no change"];
  return changes.map(({ field, before, after }) =>
    el("div", {}, el("code", {}, field), ` ${formatValue(before)} → ${formatValue(after)}`),
  );
};

const formatValue = (value) => {
  if (value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const buildRejectedEvents = ({ count: total, newest }) =>
  el(
    "article",
    { "aria-label": "Rejected events" },
    el("h3", {}, `${formatCount(total, "event")} rejected`),
    el(
      "ul",
      {},
      ...newest.map(({ sequence, reason, field }) =>
        el(
          "li",
          {},
          `event ${formatNumber(sequence)}: ${reason}`,
          ...(field ? [" ", el("code", {}, field)] : []),
        ),
      ),
    ),
  );
