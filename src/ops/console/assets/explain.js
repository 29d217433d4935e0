import { answerOf, summaryOf } from "./explanation.js";
import { asker, at, say } from "./page.js";

/** Form that explains which event wrote each field group of an entity, and which events were stale. */

const note = at("explain-note");
const answer = at("explain-answer");
const load = asker(
  note,
  (explanation) => {
    say(note, summaryOf(explanation));
    answer.replaceChildren(...answerOf(explanation));
  },
  () => answer.replaceChildren(),
);

/** Sets up the form. A URL that ends in `#explain/product/4711` submits it immediately. */
export const loadExplain = () => {
  const input = at("explain-subject");
  at("explain-form").addEventListener("submit", (event) => {
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
    at("explain").scrollIntoView();
    void explain(subject);
  };
  addEventListener("hashchange", followLink);
  followLink();
};

const explain = (subject) => {
  delete note.dataset.tone;
  say(note, `Reading the log for ${subject}…`);
  return load(`/explain/${encode(subject)}`);
};

const encode = (subject) => subject.split("/").map(encodeURIComponent).join("/");

/** Decodes a URL fragment. One typed by the operator may contain a plain percent sign. */
const decode = (fragment) => {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
};
