import { arrange, asker, at, make, say } from "./page.js";
import { count, counted, dateOf, duration, secondsSince, size } from "./words.js";

/** The generations on disk, newest first, each with its rows and what the rebuild that made it found. */

const shown = new Map();

const note = at("generations-note");
const load = asker(note, (generations) => show(generations));

/** Resolves with whether there was an answer. */
export const loadGenerations = () => load("/generations");

const show = (generations) => {
  const known = generations.map((facts) => shown.get(facts.name) ?? articleOf(facts.name));
  shown.clear();
  generations.forEach((facts, place) => {
    known[place].tell(facts);
    shown.set(facts.name, known[place]);
  });
  arrange(
    at("generations-list"),
    known.map(({ element }) => element),
  );
  delete note.dataset.tone;
  note.hidden = shown.size > 0;
  say(note, "None yet: the first replay makes one.");
};

const tones = { live: "ok", previous: "busy", other: "" };

/** What is open in it stays open while it is told anew. */
const articleOf = (name) => {
  const tag = make("span.tag");
  const facts = make("p.facts");
  const rows = make("dl.rows");
  const compared = make("div");
  const element = make(
    "article",
    { "aria-label": `Generation ${name}` },
    make("div.heading", {}, make("h3", {}, name), tag),
    facts,
    make("details", {}, make("summary", {}, "Rows of each table"), rows),
    compared,
  );
  let comparison;
  return {
    element,
    tell(told) {
      say(tag, told.role);
      tag.dataset.tone = tones[told.role];
      say(facts, factsOf(told));
      facts.title = `made ${dateOf(told.created)}`;
      rows.replaceChildren(...Object.entries(told.rows).map(rowsOf));
      const now = JSON.stringify(told.comparison);
      if (now !== comparison) compared.replaceChildren(...comparisonOf(told.comparison));
      comparison = now;
    },
  };
};

const factsOf = ({ created, bytes, rows, checkpoint }) => {
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const reached = checkpoint === null ? "no event yet" : `up to event ${count(checkpoint)}`;
  return `${duration(secondsSince(created))} old, ${size(bytes)}, ${counted(total, "row")}, ${reached}`;
};

const rowsOf = ([name, rows]) => make("div", {}, make("dt", {}, name), make("dd", {}, count(rows)));

const comparisonOf = (comparison) => {
  if (comparison === null) return [];
  const { from, made, isSame, tables } = comparison;
  const when = `${from}, ${dateOf(made)}`;
  if (isSame) return [make("p.facts", {}, `The same, table by table, as ${when}.`)];
  const changed = tables.filter(({ added, removed, changed }) => added + removed + changed > 0);
  return [
    make(
      "details",
      {},
      make("summary", {}, `Differs in ${counted(changed.length, "table")} from ${when}`),
      tableOf(changed),
      ...changed.flatMap(firstOf),
    ),
  ];
};

const columns = ["Table", "Rows before", "Rows after", "Added", "Removed", "Changed"];

const tableOf = (tables) =>
  make(
    "table.stacked",
    {},
    make("thead", {}, make("tr", {}, ...columns.map((name, place) => headOf(name, place)))),
    make("tbody", {}, ...tables.map(lineOf)),
  );

const headOf = (name, place) => make(place === 0 ? "th" : "th.number", { scope: "col" }, name);

const lineOf = ({ table, rows, added, removed, changed }) =>
  make(
    "tr",
    {},
    make("td", {}, make("code", {}, table)),
    ...[rows.before, rows.after, added, removed, changed].map((value, place) =>
      make("td.number", { "data-name": columns[place + 1] }, count(value)),
    ),
  );

/** The first differing rows of a table, with the fields that differ. */
const firstOf = ({ table, first }) => [
  make("h3.first", {}, `First differences in ${table}`),
  make("ul.first", {}, ...first.map(differenceOf)),
];

const differenceOf = ({ key, kind, isDamaged, fields }) =>
  make(
    "li",
    {},
    make("code", {}, JSON.stringify(key)),
    ` ${kind}${isDamaged ? ", damaged" : ""}`,
    ...fields.map(({ path, before, after }) =>
      make(
        "div.field",
        {},
        make("code", {}, `${path}: ${before ?? "nothing"} → ${after ?? "nothing"}`),
      ),
    ),
  );
