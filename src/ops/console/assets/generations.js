import { byId, createLoader, el, reconcileChildren, setText } from "./dom.js";
import {
  formatCount,
  formatDate,
  formatDuration,
  formatNumber,
  formatSize,
  secondsSince,
} from "./format.js";

/** The list of generations on disk, newest first, with row counts and the comparison that the rebuild made. */

const articles = new Map();

const note = byId("generations-note");
const load = createLoader(note, (generations) => show(generations));

/** Reloads the list. @returns whether the request succeeded */
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
  reconcileChildren(
    byId("generations-list"),
    current.map(({ element }) => element),
  );
  delete note.dataset.tone;
  note.hidden = articles.size > 0;
  setText(note, "None yet: the first replay creates one.");
};

const tones = { live: "ok", previous: "busy", other: "" };

/** Builds a generation's article. Expanded details stay expanded when it is updated. */
const buildArticle = (name) => {
  const tag = el("span.tag");
  const facts = el("p.facts");
  const rows = el("dl.rows");
  const comparisonBox = el("div");
  const element = el(
    "article",
    { "aria-label": `Generation ${name}` },
    el("div.heading", {}, el("h3", {}, name), tag),
    facts,
    el("details", {}, el("summary", {}, "Rows of each table"), rows),
    comparisonBox,
  );
  let shownComparison;
  return {
    element,
    update(generation) {
      setText(tag, generation.role);
      tag.dataset.tone = tones[generation.role];
      setText(facts, formatFacts(generation));
      facts.title = `created ${formatDate(generation.created)}`;
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
  const reached = checkpoint === null ? "no event yet" : `up to event ${formatNumber(checkpoint)}`;
  return `${formatDuration(secondsSince(created))} old, ${formatSize(bytes)}, ${formatCount(total, "row")}, ${reached}`;
};

const buildRowCount = ([name, rows]) =>
  el("div", {}, el("dt", {}, name), el("dd", {}, formatNumber(rows)));

const buildComparison = (comparison) => {
  if (comparison === null) return [];
  const { from, made, isSame, tables } = comparison;
  const when = `${from}, ${formatDate(made)}`;
  if (isSame) return [el("p.facts", {}, `The same, table by table, as ${when}.`)];
  const changed = tables.filter(({ added, removed, changed }) => added + removed + changed > 0);
  return [
    el(
      "details",
      {},
      el("summary", {}, `Differs in ${formatCount(changed.length, "table")} from ${when}`),
      buildTable(changed),
      ...changed.flatMap(buildFirstDifferences),
    ),
  ];
};

const columns = ["Table", "Rows before", "Rows after", "Added", "Removed", "Changed"];

const buildTable = (tables) =>
  el(
    "table.stacked",
    {},
    el("thead", {}, el("tr", {}, ...columns.map((name, index) => buildHeading(name, index)))),
    el("tbody", {}, ...tables.map(buildRow)),
  );

const buildHeading = (name, index) => el(index === 0 ? "th" : "th.number", { scope: "col" }, name);

const buildRow = ({ table, rows, added, removed, changed }) =>
  el(
    "tr",
    {},
    el("td", {}, el("code", {}, table)),
    ...[rows.before, rows.after, added, removed, changed].map((value, index) =>
      el("td.number", { "data-name": columns[index + 1] }, formatNumber(value)),
    ),
  );

/** Builds the list of a table's first differing rows, with the fields that differ. */
const buildFirstDifferences = ({ table, first }) => [
  el("h3.first", {}, `First differences in ${table}`),
  el("ul.first", {}, ...first.map(buildDifference)),
];

const buildDifference = ({ key, kind, isDamaged, fields }) =>
  el(
    "li",
    {},
    el("code", {}, JSON.stringify(key)),
    ` ${kind}${isDamaged ? ", damaged" : ""}`,
    ...fields.map(({ path, before, after }) =>
      el(
        "div.field",
        {},
        el("code", {}, `${path}: ${before ?? "nothing"} → ${after ?? "nothing"}`),
      ),
    ),
  );
