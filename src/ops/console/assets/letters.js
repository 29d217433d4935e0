import { arrange, ask, asker, at, make, say, timeElement } from "./page.js";
import { count, counted, size } from "./words.js";

/** Dead letters a page, newest first; each opens to show the event as it came. */

const limit = 20;
const rows = new Map();
let before;
let older = null;

const load = asker(at("letters-note"), (page) => show(page));

/** Loads the page that is shown anew; what is open stays open. Resolves with whether there was an answer. */
export const loadLetters = () => {
  const from = before === undefined ? "" : `&before=${before}`;
  return load(`/dead-letters?limit=${limit}${from}`);
};

at("letters-older").addEventListener("click", () => turnTo(older ?? undefined));
at("letters-newest").addEventListener("click", () => turnTo(undefined));

const turnTo = async (sequence) => {
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
  say(note, before === undefined ? "None: every event met the contract." : "None older than this.");
  say(at("letters-count"), isEmpty ? "" : `${counted(page.total, "event")} refused`);
  at("letters-table").hidden = isEmpty;
  at("letters-pager").hidden = older === null && before === undefined;
  at("letters-older").disabled = older === null;
  at("letters-newest").disabled = before === undefined;
  const known = page.letters.map((letter) => rows.get(letter.sequence) ?? rowsOf(letter));
  rows.clear();
  page.letters.forEach(({ sequence }, place) => rows.set(sequence, known[place]));
  arrange(at("letters-rows"), known.flat());
};

/** The letter's row, and the hidden one below it for the event. */
const rowsOf = ({ sequence, logTime, subject, reason, field, code }) => {
  const id = `letter-${sequence}`;
  const button = make("button.plain", {
    type: "button",
    "aria-expanded": "false",
    "aria-controls": id,
  });
  button.append("Show", make("span.unseen", {}, ` event ${sequence}`));
  const line = make(
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
  const raw = make("tr", { id }, cell);
  raw.hidden = true;
  button.addEventListener("click", () => {
    raw.hidden = !raw.hidden;
    button.setAttribute("aria-expanded", String(!raw.hidden));
    button.firstChild.textContent = raw.hidden ? "Show" : "Hide";
    if (cell.childNodes.length === 0) void showEvent(cell, sequence);
  });
  return [line, raw];
};

const showEvent = async (cell, sequence) => {
  cell.replaceChildren(make("p.note", {}, "Loading…"));
  try {
    const { headers, bytes, text, base64, isCut } = await ask(`/dead-letters/${sequence}`);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    const form = text === null ? "no text, shown as base64" : "as it came";
    const cut = isCut ? ", the beginning only" : "";
    cell.replaceChildren(
      make("p.note", {}, `${size(bytes)}, ${form}${cut}`),
      make(
        "pre",
        { tabindex: "0", "aria-label": `Event ${sequence}` },
        `${lines.join("")}${lines.length ? "\n" : ""}${text ?? base64}`,
      ),
    );
  } catch (error) {
    cell.replaceChildren(make("p.note", { "data-tone": "bad" }, error.message));
  }
};
