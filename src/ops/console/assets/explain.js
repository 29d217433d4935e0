import { byId, createLoader, setText } from "./dom.js";
import { buildExplanation, formatSummary } from "./explain-view.js";

/** The form that explains which event wrote each field group of an entity, and which events were stale. */

const note = byId("explain-note");
const result = byId("explain-result");
const load = createLoader(
  note,
  (explanation) => {
    setText(note, formatSummary(explanation));
    result.replaceChildren(...buildExplanation(explanation));
  },
  () => result.replaceChildren(),
);

/** Sets up the form. A URL with the fragment `#explain/product/4711` submits it immediately. */
export const loadExplain = () => {
  const input = byId("explain-subject");
  byId("explain-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const subject = input.value.trim();
    history.replaceState(null, "", `#explain/${encode(subject)}`);
    void explain(subject);
  });
  const followLink = () => {
    const [, fragment = ""] = /^#explain\/(.+)$/.exec(location.hash) ?? [];
    const subject = decode(fragment);
    if (!subject) return;
    input.value = subject;
    byId("explain").scrollIntoView();
    void explain(subject);
  };
  addEventListener("hashchange", followLink);
  followLink();
};

const explain = (subject) => {
  delete note.dataset.tone;
  setText(note, `Reading the log for ${subject}…`);
  return load(`/explain/${encode(subject)}`);
};

const encode = (subject) => subject.split("/").map(encodeURIComponent).join("/");

/** Decodes a URL fragment. A fragment that the operator typed may contain an unescaped percent sign. */
const decode = (fragment) => {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
};
