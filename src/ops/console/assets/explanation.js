import { make, timeElement } from "./page.js";
import { count, counted, dateOf } from "./words.js";

/** Formats an entity's explanation as one line. */
export const summaryOf = ({ entity, known, checkpoint, log, waiting }) => {
  const span = `${log.address} holds events ${count(log.first)} to ${count(log.last)}`;
  if (!known) return `No event of ${entity}. ${span}.`;
  const later = waiting > 0 ? `, and ${counted(waiting, "event")} of it to apply` : "";
  return `${entity} as of event ${count(checkpoint)}${later}. ${span}.`;
};

/** Builds the elements of an entity's field groups: the event that wrote each, and the effects of its latest events. */
export const answerOf = ({ groups, refused, notes }) => [
  ...notes.map((text) => make("p.note", {}, text)),
  ...groups.filter(({ state }) => state !== "unknown").map(buildGroup),
  ...(refused.count > 0 ? [buildRejectedEvents(refused)] : []),
];

const agreements = {
  missing: "its event is gone from the log",
  incomplete: "the log begins too late",
  differs: "the log makes something else",
};

const buildGroup = ({ name, state, agreement, writtenBy, fields, counts, effects }) => {
  const warning = agreements[agreement];
  const outcomes = Object.entries(counts).filter(([, value]) => value > 0);
  const total = outcomes.reduce((sum, [, value]) => sum + value, 0);
  return make(
    "article",
    { "aria-label": name },
    make(
      "div.heading",
      {},
      make("h3", {}, name),
      ...(state === "deleted" ? [buildTag("deleted", "warn")] : []),
      ...(warning ? [buildTag(warning, "bad")] : []),
    ),
    make(
      "p.facts",
      {},
      writtenBy ? `Written by ${formatWriter(writtenBy)}` : "Written by no event of its own",
    ),
    ...(state === "present" ? [buildFields(fields)] : []),
    ...(effects.length > 0 ? [buildTable(effects)] : []),
    ...(total > effects.length
      ? [
          make(
            "p.note",
            {},
            `The newest ${effects.length} of ${outcomes.map(([outcome, value]) => `${count(value)} ${outcome}`).join(", ")}.`,
          ),
        ]
      : []),
  );
};

const buildTag = (text, tone) => make("span.tag", { "data-tone": tone }, text);

const formatWriter = ({ sequence, id, time, version }) => {
  const event =
    sequence === null ? "an event that the log does not hold" : `event ${count(sequence)}`;
  return `${event}, ${id}, of ${dateOf(time)}${version === null ? "" : `, version ${version}`}`;
};

const buildFields = (fields) =>
  make(
    "details",
    {},
    make("summary", {}, "What the model holds"),
    make(
      "pre",
      { tabindex: "0", "aria-label": "What the model holds" },
      JSON.stringify(fields, null, 2),
    ),
  );

const columns = ["Event", "Time", "Type and id", "Outcome", "What it changed"];

const buildTable = (effects) =>
  make(
    "table.stacked",
    {},
    make("thead", {}, make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...effects.map(buildRow)),
  );

const tones = { applied: "ok", superseded: "busy", waiting: "busy", stale: "warn", repeated: "" };

const buildRow = (effect) =>
  make(
    "tr",
    {},
    make("td.number", { "data-name": "Event" }, count(effect.sequence)),
    make("td.when", {}, timeElement(effect.time)),
    make(
      "td.about",
      {},
      make("code", {}, effect.type),
      make("div.soft", {}, make("code", {}, effect.id)),
    ),
    make("td", {}, buildTag(effect.outcome, tones[effect.outcome])),
    make("td", {}, ...buildEffect(effect)),
  );

const buildEffect = ({ outcome, changes, against }) => {
  if (outcome === "stale") return [against ? `older than ${formatWriter(against)}` : "too late"];
  if (outcome === "superseded")
    return [against ? `taken, but ${formatWriter(against)} counts` : "taken, but another counts"];
  if (outcome === "repeated")
    return [against ? `the same as ${formatWriter(against)}` : "sent before"];
  if (outcome === "waiting") return ["waits for its product"];
  if (changes.length === 0) return ["no change"];
  return changes.map(({ field, before, after }) =>
    make("div", {}, make("code", {}, field), ` ${formatValue(before)} → ${formatValue(after)}`),
  );
};

const formatValue = (value) => {
  if (value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const buildRejectedEvents = ({ count: total, newest }) =>
  make(
    "article",
    { "aria-label": "Refused" },
    make("h3", {}, `${counted(total, "event")} rejected`),
    make(
      "ul",
      {},
      ...newest.map(({ sequence, reason, field }) =>
        make(
          "li",
          {},
          `event ${count(sequence)}: ${reason}`,
          ...(field ? [" ", make("code", {}, field)] : []),
        ),
      ),
    ),
  );
