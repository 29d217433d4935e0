import { make, timeElement } from "./page.js";
import { count, counted, dateOf } from "./words.js";

/** What is known of an entity, in one line. */
export const summaryOf = ({ entity, known, checkpoint, log, waiting }) => {
  const span = `${log.address} holds events ${count(log.first)} to ${count(log.last)}`;
  if (!known) return `Nothing is known of ${entity}. ${span}.`;
  const later = waiting > 0 ? `, and ${counted(waiting, "event")} of it to apply` : "";
  return `${entity} as of event ${count(checkpoint)}${later}. ${span}.`;
};

/** Its field groups: who wrote each, and what its newest events did. */
export const answerOf = ({ groups, refused, notes }) => [
  ...notes.map((text) => make("p.note", {}, text)),
  ...groups.filter(({ state }) => state !== "unknown").map(groupOf),
  ...(refused.count > 0 ? [refusedOf(refused)] : []),
];

const agreements = {
  missing: "its event is gone from the log",
  incomplete: "the log begins too late",
  differs: "the log makes something else",
};

const groupOf = ({ name, state, agreement, writtenBy, fields, counts, tellings }) => {
  const doubt = agreements[agreement];
  const told = Object.entries(counts).filter(([, value]) => value > 0);
  const total = told.reduce((sum, [, value]) => sum + value, 0);
  return make(
    "article",
    { "aria-label": name },
    make(
      "div.heading",
      {},
      make("h3", {}, name),
      ...(state === "deleted" ? [tagOf("deleted", "warn")] : []),
      ...(doubt ? [tagOf(doubt, "bad")] : []),
    ),
    make(
      "p.facts",
      {},
      writtenBy ? `Written by ${writerOf(writtenBy)}` : "Written by no event of its own",
    ),
    ...(state === "present" ? [fieldsOf(fields)] : []),
    ...(tellings.length > 0 ? [tableOf(tellings)] : []),
    ...(total > tellings.length
      ? [
          make(
            "p.note",
            {},
            `The newest ${tellings.length} of ${told.map(([outcome, value]) => `${count(value)} ${outcome}`).join(", ")}.`,
          ),
        ]
      : []),
  );
};

const tagOf = (text, tone) => make("span.tag", { "data-tone": tone }, text);

const writerOf = ({ sequence, id, time, version }) => {
  const place =
    sequence === null ? "an event that the log does not hold" : `event ${count(sequence)}`;
  return `${place}, ${id}, of ${dateOf(time)}${version === null ? "" : `, version ${version}`}`;
};

const fieldsOf = (fields) =>
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

const tableOf = (tellings) =>
  make(
    "table.stacked",
    {},
    make("thead", {}, make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...tellings.map(lineOf)),
  );

const tones = { applied: "ok", superseded: "busy", waiting: "busy", stale: "warn", repeated: "" };

const lineOf = (telling) =>
  make(
    "tr",
    {},
    make("td.number", { "data-name": "Event" }, count(telling.sequence)),
    make("td.when", {}, timeElement(telling.time)),
    make(
      "td.about",
      {},
      make("code", {}, telling.type),
      make("div.soft", {}, make("code", {}, telling.id)),
    ),
    make("td", {}, tagOf(telling.outcome, tones[telling.outcome])),
    make("td", {}, ...effectOf(telling)),
  );

const effectOf = ({ outcome, changes, against }) => {
  if (outcome === "stale") return [against ? `older than ${writerOf(against)}` : "too late"];
  if (outcome === "superseded")
    return [against ? `taken, but ${writerOf(against)} counts` : "taken, but another counts"];
  if (outcome === "repeated") return [against ? `the same as ${writerOf(against)}` : "told before"];
  if (outcome === "waiting") return ["waits for its product"];
  if (changes.length === 0) return ["nothing that was not known"];
  return changes.map(({ field, before, after }) =>
    make("div", {}, make("code", {}, field), ` ${valueOf(before)} → ${valueOf(after)}`),
  );
};

const valueOf = (value) => {
  if (value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const refusedOf = ({ count: all, newest }) =>
  make(
    "article",
    { "aria-label": "Refused" },
    make("h3", {}, `${counted(all, "event")} refused`),
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
