import { answerOf, summaryOf } from "./explanation.js";
import { asker, at, say } from "./page.js";

/** The look-up: which event wrote which field group of an entity, and which came too late. */

const note = at("explain-note");
const answer = at("explain-answer");
const load = asker(
  note,
  (told) => {
    say(note, summaryOf(told));
    answer.replaceChildren(...answerOf(told));
  },
  () => answer.replaceChildren(),
);

/** Makes the form work. An address that ends in `#explain/product/4711` asks at once. */
export const loadExplain = () => {
  const input = at("explain-subject");
  at("explain-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const subject = input.value.trim();
    history.replaceState(null, "", `#explain/${encoded(subject)}`);
    void explain(subject);
  });
  const linked = () => {
    const [, written = ""] = /^#explain\/(.+)$/.exec(location.hash) ?? [];
    const subject = decoded(written);
    if (!subject) return;
    input.value = subject;
    at("explain").scrollIntoView();
    void explain(subject);
  };
  addEventListener("hashchange", linked);
  linked();
};

const explain = (subject) => {
  delete note.dataset.tone;
  say(note, `Reading the log for ${subject}…`);
  return load(`/explain/${encoded(subject)}`);
};

const encoded = (subject) => subject.split("/").map(encodeURIComponent).join("/");

/** Of an address that a person wrote, which may hold a percent sign as it is. */
const decoded = (written) => {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
};
