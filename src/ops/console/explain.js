import { answerOf, summaryOf } from "./explanation.js";
import { ask, at, say } from "./page.js";

/** The look-up: which event wrote which field group of an entity, and which came too late. */

let latest = 0;

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

const explain = async (subject) => {
  latest += 1;
  const own = latest;
  const note = at("explain-note");
  const answer = at("explain-answer");
  delete note.dataset.tone;
  say(note, `Reading the log for ${subject}…`);
  try {
    const path = subject.split("/").map(encodeURIComponent).join("/");
    const told = await ask(`/explain/${path}`);
    if (own !== latest) return;
    say(note, summaryOf(told));
    answer.replaceChildren(...answerOf(told));
  } catch (error) {
    if (own !== latest) return;
    note.dataset.tone = "bad";
    say(note, error.message);
    answer.replaceChildren();
  }
};
