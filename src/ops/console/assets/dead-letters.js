import {
  byId,
  createLoader,
  el,
  fetchJson,
  reconcileChildren,
  setText,
  timeElement,
} from "./dom.js";
import { formatCount, formatNumber, formatSize } from "./format.js";

/** The list of dead letters, newest first. A row expands to show the original event. */

const pageSize = 20;
const rows = new Map();
let before;
let older = null;

const load = createLoader(byId("dead-letters-note"), (page) => show(page));

/** Reloads the current page. Expanded rows stay expanded. @returns whether the request succeeded */
export const loadDeadLetters = () => {
  const from = before === undefined ? "" : `&before=${before}`;
  return load(`/dead-letters?limit=${pageSize}${from}`);
};

byId("dead-letters-older").addEventListener("click", () => goTo(older ?? undefined));
byId("dead-letters-newest").addEventListener("click", () => goTo(undefined));

const goTo = async (sequence) => {
  before = sequence;
  await loadDeadLetters();
  byId("dead-letters").focus();
};

const show = (page) => {
  older = page.older;
  const isEmpty = page.letters.length === 0;
  const note = byId("dead-letters-note");
  note.hidden = !isEmpty;
  delete note.dataset.tone;
  setText(note, before === undefined ? "None: every event is valid." : "None older than this.");
  setText(
    byId("dead-letters-count"),
    isEmpty ? "" : `${formatCount(page.total, "event")} rejected`,
  );
  byId("dead-letters-table").hidden = isEmpty;
  byId("dead-letters-pager").hidden = older === null && before === undefined;
  byId("dead-letters-older").disabled = older === null;
  byId("dead-letters-newest").disabled = before === undefined;
  const current = page.letters.map(
    (deadLetter) => rows.get(deadLetter.sequence) ?? buildRows(deadLetter),
  );
  rows.clear();
  for (const [index, { sequence }] of page.letters.entries()) rows.set(sequence, current[index]);
  reconcileChildren(byId("dead-letters-rows"), current.flat());
};

/** Builds a dead letter's row, and the hidden row below it for the event. */
const buildRows = ({ sequence, logTime, subject, reason, field, code }) => {
  const id = `dead-letter-${sequence}`;
  const button = el("button.small", {
    type: "button",
    "aria-expanded": "false",
    "aria-controls": id,
  });
  button.append("Show", el("span.visually-hidden", {}, ` event ${sequence}`));
  const row = el(
    "tr",
    {},
    el("td.number", { "data-name": "Sequence" }, formatNumber(sequence)),
    el("td.when", {}, ...(logTime === null ? ["–"] : [timeElement(logTime)])),
    el("td.about", {}, el("code", {}, subject)),
    el(
      "td",
      {},
      reason,
      ...(field ? [" ", el("code", {}, field)] : []),
      el("span.muted", {}, ` ${code}`),
    ),
    el("td", {}, button),
  );
  const cell = el("td", { colspan: "5" });
  const eventRow = el("tr", { id }, cell);
  eventRow.hidden = true;
  button.addEventListener("click", () => {
    eventRow.hidden = !eventRow.hidden;
    button.setAttribute("aria-expanded", String(!eventRow.hidden));
    button.firstChild.textContent = eventRow.hidden ? "Show" : "Hide";
    if (cell.childNodes.length === 0) void showEvent(cell, sequence);
  });
  return [row, eventRow];
};

const showEvent = async (cell, sequence) => {
  cell.replaceChildren(el("p.note", {}, "Loading…"));
  try {
    const { headers, bytes, text, base64, isCut } = await fetchJson(`/dead-letters/${sequence}`);
    const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    const format = text === null ? "not text, shown as Base64" : "as received";
    const suffix = isCut ? ", truncated" : "";
    cell.replaceChildren(
      el("p.note", {}, `${formatSize(bytes)}, ${format}${suffix}`),
      el(
        "pre",
        { tabindex: "0", "aria-label": `Event ${sequence}` },
        `${headerLines.join("")}${headerLines.length ? "\n" : ""}${text ?? base64}`,
      ),
    );
  } catch (error) {
    cell.replaceChildren(el("p.note", { "data-tone": "bad" }, error.message));
  }
};
