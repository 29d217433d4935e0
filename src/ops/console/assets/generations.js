import { arrange, asker, at, make, say } from "./page.js";
import { count, counted, dateOf, duration, secondsSince, size } from "./words.js";

/** List of the generations on disk, newest first, with row counts and the comparison by the rebuild. */

const articles = new Map();

const note = at("generations-note");
const load = asker(note, (generations) => show(generations));

/** Resolves to whether the request succeeded. */
export const loadGenerations = () => load("/generations");

const show = (generations) => {
  const current = generations.map(
    (generation) => articles.get(generation.name) ?? buildArticle(generation.name),
  );
  articles.clear();
  generations.forEach((generation, index) => {
    current[index].update(generation);
    articles.set(generation.name, current[index]);
  });
  arrange(
    at("generations-list"),
    current.map(({ element }) => element),
  );
  delete note.dataset.tone;
  note.hidden = articles.size > 0;
  say(note, "None yet: the first replay creates one.");
};

const tones = { live: "ok", previous: "busy", other: "" };

/** Builds a generation's article. Updates keep its expanded details expanded. */
const buildArticle = (name) => {
  const tag = make("span.tag");
  const facts = make("p.facts");
  const rows = make("dl.rows");
  const comparisonBox = make("div");
  const element = make(
    "article",
    { "aria-label": `Generation ${name}` },
    make("div.heading", {}, make("h3", {}, name), tag),
    facts,
    make("details", {}, make("summary", {}, "Rows of each table"), rows),
    comparisonBox,
  );
  let shownComparison;
  return {
    element,
    update(generation) {
      say(tag, generation.role);
      tag.dataset.tone = tones[generation.role];
      say(facts, formatFacts(generation));
      facts.title = `made ${dateOf(generation.created)}`;
      rows.replaceChildren(...Object.entries(generation.rows).map(buildRowCount));
      const comparison = JSON.stringify(generation.comparison);
      if (comparison !== shownComparison) {
        comparisonBox.replaceChildren(...buildComparison(generation.comparison));
      }
      shownComparison = comparison;
    },
  };
};

const formatFacts = ({ created, bytes, rows, checkpoint }) => {
  const total = Object.values(rows).reduce((sum, number) => sum + number, 0);
  const reached = checkpoint === null ? "no event yet" : `up to event ${count(checkpoint)}`;
  return `${duration(secondsSince(created))} old, ${size(bytes)}, ${counted(total, "row")}, ${reached}`;
};

const buildRowCount = ([name, rows]) =>
  make("div", {}, make("dt", {}, name), make("dd", {}, count(rows)));

const buildComparison = (comparison) => {
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
      buildTable(changed),
      ...changed.flatMap(buildFirstDifferences),
    ),
  ];
};

const columns = ["Table", "Rows before", "Rows after", "Added", "Removed", "Changed"];

const buildTable = (tables) =>
  make(
    "table.stacked",
    {},
    make("thead", {}, make("tr", {}, ...columns.map((name, index) => buildHeading(name, index)))),
    make("tbody", {}, ...tables.map(buildRow)),
  );

const buildHeading = (name, index) =>
  make(index === 0 ? "th" : "th.number", { scope: "col" }, name);

const buildRow = ({ table, rows, added, removed, changed }) =>
  make(
    "tr",
    {},
    make("td", {}, make("code", {}, table)),
    ...[rows.before, rows.after, added, removed, changed].map((value, index) =>
      make("td.number", { "data-name": columns[index + 1] }, count(value)),
    ),
  );

/** Builds the list of a table's first differing rows, with the fields that differ. */
const buildFirstDifferences = ({ table, first }) => [
  make("h3.first", {}, `First differences in ${table}`),
  make("ul.first", {}, ...first.map(buildDifference)),
];

const buildDifference = ({ key, kind, isDamaged, fields }) =>
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
