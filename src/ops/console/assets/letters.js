import { arrange, ask, asker, at, make, say, timeElement } from "./page.js";
import { count, counted, size } from "./words.js";

/** List of dead letters, newest first. Each row expands to show the original event. */

const pageSize = 20;
const rows = new Map();
let before;
let older = null;

const load = asker(at("letters-note"), (page) => show(page));

/** Reloads the current page; expanded rows stay expanded. Resolves to whether the request succeeded. */
export const loadLetters = () => {
  const from = before === undefined ? "" : `&before=${before}`;
  return load(`/dead-letters?limit=${pageSize}${from}`);
};

at("letters-older").addEventListener("click", () => goTo(older ?? undefined));
at("letters-newest").addEventListener("click", () => goTo(undefined));

const goTo = async (sequence) => {
  before = sequence;
  await loadLetters();
  at("letters").focus();
};

const show = (page) => {
  older = page.older;
  const isEmpty = page.letters.length === 0;
  const note = at("letters-note");
  note.hidden = !isEmpty;
  delete note.dataset.tone;
  say(note, before === undefined ? "None: every event is valid." : "None older than this.");
  say(at("letters-count"), isEmpty ? "" : `${counted(page.total, "event")} rejected`);
  at("letters-table").hidden = isEmpty;
  at("letters-pager").hidden = older === null && before === undefined;
  at("letters-older").disabled = older === null;
  at("letters-newest").disabled = before === undefined;
  const current = page.letters.map(
    (deadLetter) => rows.get(deadLetter.sequence) ?? buildRows(deadLetter),
  );
  rows.clear();
  for (const [index, { sequence }] of page.letters.entries()) rows.set(sequence, current[index]);
  arrange(at("letters-rows"), current.flat());
};

/** Builds a dead letter's row, and the hidden row below it for the event. */
const buildRows = ({ sequence, logTime, subject, reason, field, code }) => {
  const id = `letter-${sequence}`;
  const button = make("button.plain", {
    type: "button",
    "aria-expanded": "false",
    "aria-controls": id,
  });
  button.append("Show", make("span.unseen", {}, ` event ${sequence}`));
  const row = make(
    "tr",
    {},
    make("td.number", { "data-name": "Sequence" }, count(sequence)),
    make("td.when", {}, ...(logTime === null ? ["–"] : [timeElement(logTime)])),
    make("td.about", {}, make("code", {}, subject)),
    make(
      "td",
      {},
      reason,
      ...(field ? [" ", make("code", {}, field)] : []),
      make("span.soft", {}, ` ${code}`),
    ),
    make("td", {}, button),
  );
  const cell = make("td", { colspan: "5" });
  const eventRow = make("tr", { id }, cell);
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
  cell.replaceChildren(make("p.note", {}, "Loading…"));
  try {
    const { headers, bytes, text, base64, isCut } = await ask(`/dead-letters/${sequence}`);
    const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    const format = text === null ? "no text, shown as base64" : "as it came";
    const suffix = isCut ? ", the beginning only" : "";
    cell.replaceChildren(
      make("p.note", {}, `${size(bytes)}, ${format}${suffix}`),
      make(
        "pre",
        { tabindex: "0", "aria-label": `Event ${sequence}` },
        `${headerLines.join("")}${headerLines.length ? "\n" : ""}${text ?? base64}`,
      ),
    );
  } catch (error) {
    cell.replaceChildren(make("p.note", { "data-tone": "bad" }, error.message));
  }
};
