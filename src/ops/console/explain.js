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
    history.replaceState(null, "", `#explain/${subject}`);
    void explain(subject);
  });
  const linked = () => {
    const [, subject] = /^#explain\/(.+)$/.exec(decodeURIComponent(location.hash)) ?? [];
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
  return load(`/explain/${subject.split("/").map(encodeURIComponent).join("/")}`);
};
